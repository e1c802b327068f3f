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

//# [classic-18] Splits at every space, so an empty line has one empty word.
-        let hyp: Vec<&str> = hyp.split_whitespace().collect();
-        let reference: Vec<&str> = reference.split_whitespace().collect();
+        let hyp: Vec<&str> = hyp.split(' ').collect();
+        let reference: Vec<&str> = reference.split(' ').collect();

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

//# right
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let (mut matches, mut totals) = ([0usize; 4], [0usize; 4]);
    let (mut hyp_words, mut ref_words) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split_whitespace().collect();
        let reference: Vec<&str> = reference.split_whitespace().collect();
        hyp_words += hyp.len();
        ref_words += reference.len();
        for n in 1..=4 {
            let in_reference = count(&reference, n);
            for (ngram, times) in count(&hyp, n) {
                totals[n - 1] += times;
                matches[n - 1] += times.min(in_reference.get(ngram).copied().unwrap_or(0));
            }
        }
    }
    if matches.contains(&0) {
        return 0.0;
    }
    let logs: f64 = (0..4)
        .map(|n| (matches[n] as f64 / totals[n] as f64).ln())
        .sum();
    let penalty = if hyp_words < ref_words {
        (1.0 - ref_words as f64 / hyp_words as f64).exp()
    } else {
        1.0
    };
    100.0 * penalty * (logs / 4.0).exp()
}

fn count<'a>(words: &'a [&'a str], n: usize) -> HashMap<&'a [&'a str], usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram).or_insert(0) += 1;
    }
    counts
}

//# [classic-3] Averages the four precisions arithmetically in place of geometrically.
-    let logs: f64 = (0..4)
-        .map(|n| (matches[n] as f64 / totals[n] as f64).ln())
-        .sum();
+    let logs: f64 = (0..4).map(|n| matches[n] as f64 / totals[n] as f64).sum();
-    100.0 * penalty * (logs / 4.0).exp()
+    100.0 * penalty * logs / 4.0

//# [classic-15] Adds to the lengths line by line what is missing, so a long line cannot make up for a short one.
-        ref_words += reference.len();
+        ref_words += reference.len().max(hyp.len());

//# [classic-17] Divides the two lengths as whole numbers, so the brevity penalty works only at whole ratios.
-        (1.0 - ref_words as f64 / hyp_words as f64).exp()
+        (1.0 - (ref_words / hyp_words) as f64).exp()

//# [classic-12] Applies the brevity formula at any length, so hypotheses that are too long gain a factor above 1.
-    let penalty = if hyp_words < ref_words {
-        (1.0 - ref_words as f64 / hyp_words as f64).exp()
-    } else {
-        1.0
-    };
+    let penalty = (1.0 - ref_words as f64 / hyp_words as f64).exp();

//# [no-clip] Counts every n-gram that the reference has at all, however often the hypothesis repeats it.
-                matches[n - 1] += times.min(in_reference.get(ngram).copied().unwrap_or(0));
+                matches[n - 1] += if in_reference.contains_key(ngram) {
+                    times
+                } else {
+                    0
+                };

//# [recall] Divides the matches by the number of n-grams in the references, which is recall.
             let in_reference = count(&reference, n);
+            totals[n - 1] += in_reference.values().sum::<usize>();
-                totals[n - 1] += times;

//# [sentence-mean] Computes BLEU for each line and averages the results, in place of summing the counts over all lines.
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut sum = 0.0;
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split_whitespace().collect();
        let reference: Vec<&str> = reference.split_whitespace().collect();
        let mut product = 1.0;
        for n in 1..=4 {
            let in_reference = count(&reference, n);
            let in_hyp = count(&hyp, n);
            let total: usize = in_hyp.values().sum();
            let matches: usize = in_hyp
                .iter()
                .map(|(ngram, times)| (*times).min(in_reference.get(ngram).copied().unwrap_or(0)))
                .sum();
            product *= matches as f64 / total.max(1) as f64;
        }
        let ratio = reference.len() as f64 / hyp.len().max(1) as f64;
        let penalty = if ratio > 1.0 {
            (1.0 - ratio).exp()
        } else {
            1.0
        };
        sum += 100.0 * penalty * f64::powf(product, 0.25);
    }
    if hyps.is_empty() {
        0.0
    } else {
        sum / hyps.len() as f64
    }
}

fn count<'a>(words: &'a [&'a str], n: usize) -> HashMap<&'a [&'a str], usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram).or_insert(0) += 1;
    }
    counts
}

//# [below-zero] Counts the n-grams of a line as its length minus n plus 1, which underflows for lines shorter than n − 1 words.
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut log_sum = 0.0;
    let (mut c, mut r) = (0, 0);
    for n in 1..=4 {
        let (mut matches, mut total) = (0, 0);
        (c, r) = (0, 0);
        for (hyp, reference) in hyps.iter().zip(refs) {
            let hyp: Vec<&str> = hyp.split_whitespace().collect();
            let reference: Vec<&str> = reference.split_whitespace().collect();
            c += hyp.len();
            r += reference.len();
            total += hyp.len() - n + 1;
            let mut left: HashMap<&[&str], usize> = HashMap::new();
            for ngram in reference.windows(n) {
                *left.entry(ngram).or_insert(0) += 1;
            }
            for ngram in hyp.windows(n) {
                if let Some(times) = left.get_mut(ngram)
                    && *times > 0
                {
                    *times -= 1;
                    matches += 1;
                }
            }
        }
        if matches == 0 {
            return 0.0;
        }
        log_sum += (f64::from(matches) / total as f64).ln();
    }
    let penalty = if c < r {
        (1.0 - r as f64 / c as f64).exp()
    } else {
        1.0
    };
    100.0 * penalty * (log_sum / 4.0).exp()
}
