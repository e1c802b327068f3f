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

//# [lines-joined] Joins all lines into one text, so that n-grams reach over the ends of lines and may match in another line.
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

//# [clipped-by-all] Pools the n-grams of all lines before it matches them, so that a hypothesis matches another line's reference.
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
