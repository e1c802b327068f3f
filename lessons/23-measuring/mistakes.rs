//! The classic mistakes of BLEU, each a function of the reference's signature.

use std::collections::HashMap;

use transformer_tutor::decode::by_hand;

/// The signature of BLEU by hand.
pub type BleuFn = fn(&[&str], &[&str]) -> f64;

/// What may be done wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// An n-gram of the reference matches as often as the hypothesis repeats it.
    NoClip,
    /// The mean of the lines' scores.
    SentenceMean,
    /// The mean of the precisions instead of that of their logarithms.
    Arithmetic,
    /// Short hypotheses are not punished.
    NoBrevity,
    /// Long hypotheses are punished instead of short ones.
    BrevityTurned,
    /// Matches are divided by the n-grams of the reference.
    Recall,
    /// Every n-gram counts once, however often it stands there.
    Distinct,
}

/// Every mistake by the name of its switch, which its [`Flaw`] has too.
pub static ALL: [(&str, BleuFn); 7] = [
    ("no-clip", |h, r| bleu(h, r, Flaw::NoClip)),
    ("sentence-mean", |h, r| bleu(h, r, Flaw::SentenceMean)),
    ("arithmetic", |h, r| bleu(h, r, Flaw::Arithmetic)),
    ("no-brevity", |h, r| bleu(h, r, Flaw::NoBrevity)),
    ("brevity-turned", |h, r| bleu(h, r, Flaw::BrevityTurned)),
    ("recall", |h, r| bleu(h, r, Flaw::Recall)),
    ("distinct", |h, r| bleu(h, r, Flaw::Distinct)),
];

/// BLEU with one flaw.
pub fn bleu(hyps: &[&str], refs: &[&str], flaw: Flaw) -> f64 {
    if flaw == Flaw::SentenceMean {
        let lines = hyps.iter().zip(refs);
        let sum: f64 = lines.map(|(h, r)| by_hand::bleu(&[h], &[r])).sum();
        return sum / hyps.len().max(1) as f64;
    }
    let (mut matched, mut total) = ([0; 4], [0; 4]);
    let (mut hyp_words, mut ref_words) = (0, 0);
    for (hyp, reference) in hyps.iter().zip(refs) {
        hyp_words += hyp.split_whitespace().count();
        ref_words += reference.split_whitespace().count();
        for n in 1..=4 {
            let (mine, allowed) = (ngrams(hyp, n, flaw), ngrams(reference, n, flaw));
            for (ngram, count) in &mine {
                let most = *allowed.get(ngram).unwrap_or(&0);
                matched[n - 1] += match flaw {
                    Flaw::NoClip if most > 0 => *count,
                    _ => most.min(*count),
                };
            }
            let counted = if flaw == Flaw::Recall {
                &allowed
            } else {
                &mine
            };
            total[n - 1] += counted.values().sum::<usize>();
        }
    }
    let shares = [0, 1, 2, 3].map(|n: usize| matched[n] as f64 / total[n].max(1) as f64);
    let mean = match flaw {
        Flaw::Arithmetic => shares.iter().sum::<f64>() / 4.0,
        _ => (shares.iter().map(|p| p.ln()).sum::<f64>() / 4.0).exp(),
    };
    let (c, r) = (hyp_words as f64, ref_words as f64);
    let brevity = match flaw {
        Flaw::NoBrevity => 1.0,
        Flaw::BrevityTurned => (1.0 - c / r).min(0.0).exp(),
        _ => (1.0 - r / c).min(0.0).exp(),
    };
    100.0 * brevity * mean
}

/// How often each run of `n` words occurs in a line.
pub fn ngrams(line: &str, n: usize, flaw: Flaw) -> HashMap<String, usize> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut counts = HashMap::new();
    for ngram in words.windows(n) {
        *counts.entry(ngram.join(" ")).or_insert(0) += 1;
    }
    if flaw == Flaw::Distinct {
        counts.values_mut().for_each(|count| *count = 1);
    }
    counts
}

/// What else is got wrong, with what the check says of it.
pub static CLASSICS: [(&str, BleuFn); 2] = [
    (
        "Your brevity penalty is c / r. It is exp(1 − r / c) where the hypotheses are shorter.",
        |hyps, refs| {
            let [c, r] = [hyps, refs].map(words_of);
            let sound = by_hand::bleu(hyps, refs);
            match c < r && sound > 0.0 {
                true => sound / (1.0 - r / c).exp() * (c / r),
                false => sound,
            }
        },
    ),
    (
        "You add 1 to the matches, a smoothing. Here a length without a match makes the whole score 0, and the others are as they are.",
        |hyps, refs| {
            let logs = (1..=4).map(|n| {
                let (mut matched, mut total) = (1, 1);
                for (hyp, reference) in hyps.iter().zip(refs) {
                    let allowed = ngrams(reference, n, Flaw::Arithmetic);
                    for (ngram, count) in ngrams(hyp, n, Flaw::Arithmetic) {
                        matched += count.min(*allowed.get(&ngram).unwrap_or(&0));
                        total += count;
                    }
                }
                (matched as f64 / total as f64).ln()
            });
            let mean = (logs.sum::<f64>() / 4.0).exp();
            let [c, r] = [hyps, refs].map(words_of);
            100.0 * (1.0 - r / c).min(0.0).exp() * mean
        },
    ),
];

fn words_of(lines: &[&str]) -> f64 {
    let words = lines.iter().map(|line| line.split_whitespace().count());
    words.sum::<usize>() as f64
}
