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

//# [zeros-left-out] Leaves out the lengths for which nothing matches, and takes the mean over the others.
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

//# [smoothed-from-two] Smooths: adds 1 to the matches and to the n-grams of every length from 2 on.
-    if matched.contains(&0) {
+    if matched[0] == 0 {
         return 0.0;
+    }
+    for n in 1..4 {
+        matched[n] += 1;
+        total[n] += 1;

//# [lower-case] Compares words without regard to capitals.
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

//# [no-brevity] Leaves the brevity penalty out.
-    let (mut c, mut r) = (0, 0);
-        c += hyp.len();
-        r += reference.len();
-    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
-    100.0 * bp * (logs / 4.0).exp()
+    100.0 * (logs / 4.0).exp()

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
