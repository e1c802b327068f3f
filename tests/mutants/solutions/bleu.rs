//# Does not clip: every n-gram in the reference counts as often as it occurs in the hypothesis.
//= no-clip
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
                matched[n - 1] += if allowed.contains_key(&ngram) { count } else { 0 };
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

//# Swaps the two lengths in the exponent of the brevity penalty.
//= brevity-turned classic-2
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
    let bp = if c < r { (1.0 - c as f64 / r as f64).exp() } else { 1.0 };
    100.0 * bp * (logs / 4.0).exp()
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# Penalises hypotheses that are longer than their references instead of shorter.
//= brevity-turned
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
    let bp = if c > r { (1.0 - c as f64 / r as f64).exp() } else { 1.0 };
    100.0 * bp * (logs / 4.0).exp()
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# Takes the arithmetic mean of the precisions instead of the geometric one.
//= arithmetic classic-3
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
        logs += matched[n] as f64 / total[n] as f64;
    }
    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
    100.0 * bp * logs / 4.0
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# Divides by the references' n-grams (recall) instead of the hypotheses' (precision).
//= recall
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
            }
            total[n - 1] += allowed.values().sum::<usize>();
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

//# Counts each distinct n-gram once, not each occurrence.
//= distinct
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
            for (ngram, _) in ngrams(&hyp, n) {
                matched[n - 1] += if allowed.contains_key(&ngram) { 1 } else { 0 };
                total[n - 1] += 1;
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

//# Stops at three words, because the range excludes its end.
//= classic-4
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut matched = [0usize; 3];
    let mut total = [0usize; 3];
    let (mut c, mut r) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split_whitespace().collect();
        let reference: Vec<&str> = reference.split_whitespace().collect();
        c += hyp.len();
        r += reference.len();
        for n in 1..4 {
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
    for n in 0..3 {
        logs += (matched[n] as f64 / total[n] as f64).ln();
    }
    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
    100.0 * bp * (logs / 3.0).exp()
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# Takes logarithms to base 10 but inverts them with exp.
//= classic-5
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
        logs += (matched[n] as f64 / total[n] as f64).log10();
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

//# Forgets to divide the sum of the logarithms by 4.
//= classic-6
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
    100.0 * bp * logs.exp()
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# Leaves out the n for which nothing matches, and takes the mean over the others.
//= classic-7
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
    let mut logs: f64 = 0.0;
    let mut orders = 0;
    for n in 0..4 {
        if matched[n] > 0 {
            logs += (matched[n] as f64 / total[n] as f64).ln();
            orders += 1;
        }
    }
    if orders == 0 {
        return 0.0;
    }
    let bp = if c < r { (1.0 - r as f64 / c as f64).exp() } else { 1.0 };
    100.0 * bp * (logs / orders as f64).exp()
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# Applies smoothing: adds 1 to the matches and to the n-grams for every n from 2 on.
//= classic-11
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
    if matched[0] == 0 {
        return 0.0;
    }
    for n in 1..4 {
        matched[n] += 1;
        total[n] += 1;
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

//# Sums only the missing words per line, so that long lines cannot compensate for short ones in the brevity penalty.
//=
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut matched = [0usize; 4];
    let mut total = [0usize; 4];
    let (mut c, mut r) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split_whitespace().collect();
        let reference: Vec<&str> = reference.split_whitespace().collect();
        c += hyp.len().min(reference.len());
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

//# Compares words case-insensitively.
//= classic-8
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let lower = |lines: &[&str]| lines.iter().map(|line| line.to_lowercase()).collect::<Vec<String>>();
    let (hyps, refs) = (lower(hyps), lower(refs));
    let mut matched = [0usize; 4];
    let mut total = [0usize; 4];
    let (mut c, mut r) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(&refs) {
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

//# Counts n-grams of characters instead of words.
//=
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut matched = [0usize; 4];
    let mut total = [0usize; 4];
    let (mut c, mut r) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split("").filter(|c| !c.trim().is_empty()).collect();
        let reference: Vec<&str> = reference.split("").filter(|c| !c.trim().is_empty()).collect();
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

//# Uses the plain ratio of the lengths as the brevity penalty.
//= classic-0
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
    let bp = if c < r { c as f64 / r as f64 } else { 1.0 };
    100.0 * bp * (logs / 4.0).exp()
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# Leaves out the brevity penalty.
//= no-brevity
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut matched = [0usize; 4];
    let mut total = [0usize; 4];
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split_whitespace().collect();
        let reference: Vec<&str> = reference.split_whitespace().collect();
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
    100.0 * (logs / 4.0).exp()
}

fn ngrams(words: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    counts
}

//# Scores each line separately and takes the mean over the lines.
//= sentence-mean
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    if hyps.is_empty() {
        return 0.0;
    }
    let mut sum = 0.0;
    for (hyp, reference) in hyps.iter().zip(refs) {
        sum += sentence(hyp, reference);
    }
    sum / hyps.len() as f64
}

fn sentence(hyp: &str, reference: &str) -> f64 {
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

//# Averages the lines' precisions for each n instead of dividing the sums over all lines.
//= sentence-mean
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut precision = [0.0f64; 4];
    let (mut c, mut r) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split_whitespace().collect();
        let reference: Vec<&str> = reference.split_whitespace().collect();
        c += hyp.len();
        r += reference.len();
        for n in 1..=4 {
            let allowed = ngrams(&reference, n);
            let (mut matched, mut total) = (0usize, 0usize);
            for (ngram, count) in ngrams(&hyp, n) {
                matched += count.min(allowed.get(&ngram).copied().unwrap_or(0));
                total += count;
            }
            precision[n - 1] += matched as f64 / total.max(1) as f64 / hyps.len() as f64;
        }
    }
    if precision.contains(&0.0) {
        return 0.0;
    }
    let logs: f64 = precision.iter().map(|p| p.ln()).sum();
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

//# Joins all lines into one text, so that n-grams cross line ends and may match in another line.
//= classic-9
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

//# Clips by the counts of all references together, so that an n-gram may match in another line.
//= classic-10
use std::collections::HashMap;

pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let mut logs: f64 = 0.0;
    for n in 1..=4 {
        let (found, allowed) = (ngrams(hyps, n), ngrams(refs, n));
        let (mut matched, mut total) = (0usize, 0usize);
        for (ngram, count) in found {
            matched += count.min(allowed.get(&ngram).copied().unwrap_or(0));
            total += count;
        }
        if matched == 0 {
            return 0.0;
        }
        logs += (matched as f64 / total as f64).ln();
    }
    let words = |lines: &[&str]| -> usize {
        lines.iter().map(|line| line.split_whitespace().count()).sum()
    };
    let (c, r) = (words(hyps) as f64, words(refs) as f64);
    let bp = if c < r { (1.0 - r / c).exp() } else { 1.0 };
    100.0 * bp * (logs / 4.0).exp()
}

fn ngrams(lines: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        for ngram in words.windows(n) {
            *counts.entry(ngram.join(" ")).or_insert(0) += 1;
        }
    }
    counts
}

//# Counts every n-gram that occurs in the reference as a match, however often the hypothesis repeats it.
//= no-clip
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
//# Averages the BLEU of single lines instead of counting over all lines.
//= sentence-mean
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
//# Pools the n-grams of all lines before matching, so that a hypothesis can match another line's reference.
//= classic-10
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
