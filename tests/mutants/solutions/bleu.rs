//# right
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut matched = [0usize; 4];
    let mut total = [0usize; 4];
    let (mut c, mut r) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split_whitespace().collect();
        let reference: Vec<&str> = reference.split_whitespace().collect();
        c += hyp.len();
        r += reference.len();
        for n in 1..=4 {
            let allowed = ngrams(&reference, n);
            for (ngram, count) in ngrams(&hyp, n) {
                matched[n - 1] += count.min(allowed.get(&ngram).copied().unwrap_or(0));
                total[n - 1] += count;
            }
        }
    }
    if matched.contains(&0) {
        return 0.0;
    }
    let mut logs: f64 = 0.0;
    for n in 0..4 {
        logs += (matched[n] as f64 / total[n] as f64).ln();
    }
    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
    100.0 * bp * (logs / 4.0).exp()
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# [classic-12] Applies the brevity penalty to longer output, too, where it is a bonus.
-    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
+    let bp = (1.0 - r as f64 / c as f64).exp();

//# [classic-13] Compares the lengths the wrong way round: the factor is for longer output.
-    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
+    let bp = if c > r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };

//# [classic-14] Forgets the 100.
-    100.0 * bp * (logs / 4.0).exp()
+    bp * (logs / 4.0).exp()

//# [no-clip] Does not clip: every n-gram that the reference has counts as often as the hypothesis has it.
-                matched[n - 1] += count.min(allowed.get(&ngram).copied().unwrap_or(0));
+                matched[n - 1] += if allowed.contains_key(&ngram) { count } else { 0 };

//# [brevity-turned classic-2] Swaps the two lengths in the exponent of the brevity penalty.
-    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
+    let bp = if c < r { (1.0 - c as f64 / r as f64).exp() } else { 1.0 };

//# [brevity-turned] Punishes hypotheses that are longer than their references instead of shorter ones.
-    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
+    let bp = if c > r { (1.0 - c as f64 / r as f64).exp() } else { 1.0 };

//# [arithmetic classic-3] Takes the arithmetic mean of the precisions instead of the geometric one.
-        logs += (matched[n] as f64 / total[n] as f64).ln();
+        logs += matched[n] as f64 / total[n] as f64;
-    100.0 * bp * (logs / 4.0).exp()
+    100.0 * bp * logs / 4.0

//# [recall] Takes the proportion of the references' n-grams (recall) instead of the hypotheses'.
-                total[n - 1] += count;
             }
+            total[n - 1] += allowed.values().sum::<usize>();

//# [distinct] Counts each different n-gram once, not each occurrence.
-            for (ngram, count) in ngrams(&hyp, n) {
-                matched[n - 1] += count.min(allowed.get(&ngram).copied().unwrap_or(0));
-                total[n - 1] += count;
+            for (ngram, _) in ngrams(&hyp, n) {
+                matched[n - 1] += if allowed.contains_key(&ngram) { 1 } else { 0 };
+                total[n - 1] += 1;

//# [classic-4] Ends at three words, because the range leaves its end out.
-    let mut matched = [0usize; 4];
-    let mut total = [0usize; 4];
+    let mut matched = [0usize; 3];
+    let mut total = [0usize; 3];
-        for n in 1..=4 {
+        for n in 1..4 {
-    for n in 0..4 {
+    for n in 0..3 {
-    100.0 * bp * (logs / 4.0).exp()
+    100.0 * bp * (logs / 3.0).exp()

//# [classic-5] Takes logarithms to base 10 and undoes them with exp.
-        logs += (matched[n] as f64 / total[n] as f64).ln();
+        logs += (matched[n] as f64 / total[n] as f64).log10();

//# [classic-6] Forgets to divide the sum of the logarithms by 4.
-    100.0 * bp * (logs / 4.0).exp()
+    100.0 * bp * logs.exp()

//# [classic-7] Leaves out the lengths for which nothing matches, and takes the mean over the others.
-    if matched.contains(&0) {
+    let mut logs: f64 = 0.0;
+    let mut orders = 0;
+    for n in 0..4 {
+        if matched[n] > 0 {
+            logs += (matched[n] as f64 / total[n] as f64).ln();
+            orders += 1;
+        }
+    }
+    if orders == 0 {
-    let mut logs: f64 = 0.0;
-    for n in 0..4 {
-        logs += (matched[n] as f64 / total[n] as f64).ln();
-    }
-    100.0 * bp * (logs / 4.0).exp()
+    100.0 * bp * (logs / orders as f64).exp()

//# [classic-11] Smooths: adds 1 to the matches and to the n-grams of every length from 2 on.
-    if matched.contains(&0) {
+    if matched[0] == 0 {
         return 0.0;
+    }
+    for n in 1..4 {
+        matched[n] += 1;
+        total[n] += 1;

//# [classic-15] Sums up in each line only by how many words the hypothesis is too short, so that long lines cannot make up for short ones in the brevity penalty.
-        c += hyp.len();
+        c += hyp.len().min(reference.len());

//# [classic-8] Compares words without regard to capitals.
 pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
+    let lower = |lines: &[&str]| lines.iter().map(|line| line.to_lowercase()).collect::<Vec<String>>();
+    let (hyps, refs) = (lower(hyps), lower(refs));
-    for (hyp, reference) in hyps.iter().zip(refs) {
+    for (hyp, reference) in hyps.iter().zip(&refs) {

//# [] Counts n-grams of characters instead of words.
-        let hyp: Vec<&str> = hyp.split_whitespace().collect();
-        let reference: Vec<&str> = reference.split_whitespace().collect();
+        let hyp: Vec<&str> = hyp.split("").filter(|c| !c.trim().is_empty()).collect();
+        let reference: Vec<&str> = reference.split("").filter(|c| !c.trim().is_empty()).collect();

//# [classic-0] Makes the brevity penalty the mere ratio of the lengths.
-    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
+    let bp = if c < r { c as f64 / r as f64 } else { 1.0 };

//# [no-brevity] Leaves the brevity penalty out.
-    let (mut c, mut r) = (0, 0);
-        c += hyp.len();
-        r += reference.len();
-    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
-    100.0 * bp * (logs / 4.0).exp()
+    100.0 * (logs / 4.0).exp()

//# [sentence-mean classic-16] Takes the mean of the lines' precisions for each n instead of dividing the sums over all lines.
-    let mut matched = [0usize; 4];
-    let mut total = [0usize; 4];
+    let mut precision = [0.0f64; 4];
             let allowed = ngrams(&reference, n);
+            let (mut matched, mut total) = (0usize, 0usize);
-                matched[n - 1] += count.min(allowed.get(&ngram).copied().unwrap_or(0));
-                total[n - 1] += count;
+                matched += count.min(allowed.get(&ngram).copied().unwrap_or(0));
+                total += count;
             }
+            precision[n - 1] += matched as f64 / total.max(1) as f64 / hyps.len() as f64;
-    if matched.contains(&0) {
+    if precision.contains(&0.0) {
-    let mut logs: f64 = 0.0;
-    for n in 0..4 {
-        logs += (matched[n] as f64 / total[n] as f64).ln();
-    }
+    let logs: f64 = precision.iter().map(|p| p.ln()).sum();

//# [classic-9] Joins all lines into one text, so that n-grams reach over the ends of lines and may match in another line.
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let (hyp, reference) = (hyps.join(" "), refs.join(" "));
    let hyp: Vec<&str> = hyp.split_whitespace().collect();
    let reference: Vec<&str> = reference.split_whitespace().collect();
    let mut logs: f64 = 0.0;
    for n in 1..=4 {
        let allowed = ngrams(&reference, n);
        let (mut matched, mut total) = (0usize, 0usize);
        for (ngram, count) in ngrams(&hyp, n) {
            matched += count.min(allowed.get(&ngram).copied().unwrap_or(0));
            total += count;
        }
        if matched == 0 {
            return 0.0;
        }
        logs += (matched as f64 / total as f64).ln();
    }
    let (c, r) = (hyp.len() as f64, reference.len() as f64);
    let bp = if c < r { (1.0 - r / c).exp() } else { 1.0 };
    100.0 * bp * (logs / 4.0).exp()
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# [sentence-mean] Scores each line by itself and takes the mean over the lines.
-    let (hyp, reference) = (hyps.join(" "), refs.join(" "));
+    if hyps.is_empty() {
+        return 0.0;
+    }
+    let mut sum = 0.0;
+    for (hyp, reference) in hyps.iter().zip(refs) {
+        sum += sentence(hyp, reference);
+    }
+    sum / hyps.len() as f64
+}
+
+fn sentence(hyp: &str, reference: &str) -> f64 {

//# [classic-10] Clips by the counts of all references together, so that an n-gram may match one of another line.
-    let (hyp, reference) = (hyps.join(" "), refs.join(" "));
-    let hyp: Vec<&str> = hyp.split_whitespace().collect();
-    let reference: Vec<&str> = reference.split_whitespace().collect();
-        let allowed = ngrams(&reference, n);
+        let (found, allowed) = (ngrams(hyps, n), ngrams(refs, n));
-        for (ngram, count) in ngrams(&hyp, n) {
+        for (ngram, count) in found {
-    let (c, r) = (hyp.len() as f64, reference.len() as f64);
+    let words = |lines: &[&str]| -> usize {
+        lines.iter().map(|line| line.split_whitespace().count()).sum()
+    };
+    let (c, r) = (words(hyps) as f64, words(refs) as f64);
-fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
+fn ngrams(lines: &[&str], n: usize) -> HashMap<String, usize> {
-    for ngram in words.windows(n) {
-        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
+    for line in lines {
+        let words: Vec<&str> = line.split_whitespace().collect();
+        for ngram in words.windows(n) {
+            *counts.entry(ngram.join(" ")).or_insert(0) += 1;
+        }

//# [no-clip] Counts every n-gram that occurs in the reference as a match, however often the hypothesis repeats it.
pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut matched = [0usize; 4];
    let mut total = [0usize; 4];
    let (mut c, mut r) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split_whitespace().collect();
        let reference: Vec<&str> = reference.split_whitespace().collect();
        c += hyp.len();
        r += reference.len();
        for n in 1..=4 {
            for gram in hyp.windows(n) {
                total[n - 1] += 1;
                if reference.windows(n).any(|other| other == gram) {
                    matched[n - 1] += 1;
                }
            }
        }
    }
    if matched.contains(&0) {
        return 0.0;
    }
    let mut logs = 0.0;
    for n in 0..4 {
        logs += (matched[n] as f64 / total[n] as f64).ln() / 4.0;
    }
    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
    100.0 * bp * f64::exp(logs)
}

//# [sentence-mean] Averages the BLEU of the single lines instead of counting over all lines together.
use std::collections::HashMap;

fn of_line(hyp: &str, reference: &str) -> f64 {
    let hyp: Vec<&str> = hyp.split_whitespace().collect();
    let reference: Vec<&str> = reference.split_whitespace().collect();
    let mut logs = 0.0;
    for n in 1..=4 {
        let mut left: HashMap<&[&str], usize> = HashMap::new();
        for gram in reference.windows(n) {
            *left.entry(gram).or_insert(0) += 1;
        }
        let mut matched = 0;
        for gram in hyp.windows(n) {
            if let Some(count) = left.get_mut(gram) {
                if *count > 0 {
                    *count -= 1;
                    matched += 1;
                }
            }
        }
        if matched == 0 {
            return 0.0;
        }
        logs += (matched as f64 / hyp.windows(n).count() as f64).ln() / 4.0;
    }
    let (c, r) = (hyp.len() as f64, reference.len() as f64);
    let bp = if c < r { (1.0 - r / c).exp() } else { 1.0 };
    100.0 * bp * f64::exp(logs)
}

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let sum: f64 = hyps.iter().zip(refs).map(|(h, r)| of_line(h, r)).sum();
    sum / hyps.len() as f64
}

//# [classic-10] Pools the n-grams of all lines before it matches them, so that a hypothesis matches another line's reference.
use std::collections::HashMap;

fn counts(lines: &[&str], n: usize) -> HashMap<Vec<String>, usize> {
    let mut counts = HashMap::new();
    for line in lines {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        for gram in words.windows(n) {
            *counts.entry(gram.to_vec()).or_insert(0) += 1;
        }
    }
    counts
}

fn length(lines: &[&str]) -> f64 {
    lines.iter().map(|line| line.split_whitespace().count()).sum::<usize>() as f64
}

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut logs = 0.0;
    for n in 1..=4 {
        let (ours, theirs) = (counts(hyps, n), counts(refs, n));
        let total: usize = ours.values().sum();
        let mut matched = 0;
        for (gram, &count) in &ours {
            matched += count.min(theirs.get(gram).copied().unwrap_or(0));
        }
        if matched == 0 {
            return 0.0;
        }
        logs += (matched as f64 / total as f64).ln();
    }
    let (c, r) = (length(hyps), length(refs));
    let bp = if c < r { (1.0 - r / c).exp() } else { 1.0 };
    100.0 * bp * f64::exp(logs / 4.0)
}
