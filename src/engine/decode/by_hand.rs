//! BLEU in its simplest form: tokenised lines, one reference per line, no smoothing.

use std::collections::HashMap;

crate::reference! { "bleu";
// ANCHOR: forward
/// BLEU of `hyps` against `refs`, line by line, from 0 to 100. Words are split at spaces.
///
/// It is `100 · BP · exp(mean of log p_n)` for n from 1 to 4, where p_n is the proportion of the
/// hypotheses' n-grams that match, over all lines together. In each line, an n-gram matches at most
/// as often as the reference has it. BP is `exp(1 − r / c)` if the c words of all hypotheses are
/// fewer than the r words of all references, and 1 otherwise. If no n-gram of some length matches,
/// the result is 0.
pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let (mut matched, mut total) = ([0; 4], [0; 4]);
    let (mut hyp_words, mut ref_words) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(refs) {
        let hyp: Vec<&str> = hyp.split_whitespace().collect();
        let reference: Vec<&str> = reference.split_whitespace().collect();
        hyp_words += hyp.len();
        ref_words += reference.len();
        for n in 1..=4 {
            let allowed = ngrams(&reference, n);
            for (ngram, count) in ngrams(&hyp, n) {
                matched[n - 1] += count.min(*allowed.get(ngram).unwrap_or(&0));
                total[n - 1] += count;
            }
        }
    }
    if matched.contains(&0) {
        return 0.0;
    }
    let logs: f64 = (0..4)
        .map(|n| (matched[n] as f64 / total[n] as f64).ln())
        .sum();
    let brevity = (1.0 - ref_words as f64 / hyp_words as f64).min(0.0).exp();
    100.0 * brevity * (logs / 4.0).exp()
}

/// Counts how often each run of `n` words occurs.
fn ngrams<'a>(words: &'a [&'a str], n: usize) -> HashMap<&'a [&'a str], usize> {
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram).or_insert(0) += 1;
    }
    counts
}
// ANCHOR_END: forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::bleu::{BleuOptions, Smooth, corpus_bleu};
    use crate::decode::tokenize::Tokenize;

    #[test]
    fn it_gives_what_the_whole_measure_gives() {
        let options = BleuOptions {
            tokenize: Tokenize::None,
            smooth: Smooth::None,
            ..BleuOptions::default()
        };
        let hyps = ["a b c d a b", "the the the the the", "x y", ""];
        let refs = ["a b c d e a", "the cat the the the", "x y z w", "v"];
        for lines in 1..=4 {
            let whole = corpus_bleu(&hyps[..lines], &[refs[..lines].to_vec()], &options).score;
            assert!((bleu(&hyps[..lines], &refs[..lines]) - whole).abs() < 1e-9);
        }
        assert_eq!(bleu(&["a b c"], &["a b c"]), 0.0);
        assert_eq!(bleu(&[], &[]), 0.0);
    }
}
