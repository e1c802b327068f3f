//! The classic mistakes in BLEU, each with the reference's signature.

use std::collections::HashMap;

use transformer_tutor::decode::by_hand;

/// The signature of BLEU by hand.
pub type BleuFn = fn(&[&str], &[&str]) -> f64;

/// Mistakes in computing BLEU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// Lets an n-gram of the reference match as often as the hypothesis repeats it.
    NoClip,
    /// Takes the mean of the lines' scores.
    SentenceMean,
    /// Takes the mean of the precisions instead of that of their logarithms.
    Arithmetic,
    /// Does not penalise short hypotheses.
    NoBrevity,
    /// Penalises long hypotheses instead of short ones.
    BrevityTurned,
    /// Divides matches by the number of n-grams in the reference.
    Recall,
    /// Counts every distinct n-gram once.
    Distinct,
}

/// Every mistake, by the name of the switch that turns it on, which is also that of its [`Flaw`].
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

/// Count of each run of `n` words in a line.
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

fn words_of(lines: &[&str]) -> f64 {
    let words = lines.iter().map(|line| line.split_whitespace().count());
    words.sum::<usize>() as f64
}

/// The correct brevity penalty.
fn brevity(hyps: &[&str], refs: &[&str]) -> f64 {
    let [c, r] = [hyps, refs].map(words_of);
    (1.0 - r / c).min(0.0).exp()
}

/// BLEU recombined by `make` from the geometric mean of the precisions, the brevity penalty, and c / r; 0 where BLEU is
/// 0.
fn remade(hyps: &[&str], refs: &[&str], make: fn(f64, f64, f64) -> f64) -> f64 {
    let sound = by_hand::bleu(hyps, refs);
    if sound == 0.0 {
        return 0.0;
    }
    let [c, r] = [hyps, refs].map(words_of);
    let brevity = brevity(hyps, refs);
    100.0 * make(sound / 100.0 / brevity, brevity, c / r)
}

/// BLEU with different precisions.
fn of_precisions(hyps: &[&str], refs: &[&str], precisions: &[f64]) -> f64 {
    let logs: f64 = precisions.iter().map(|p| p.ln()).sum();
    100.0 * brevity(hyps, refs) * (logs / precisions.len().max(1) as f64).exp()
}

/// Precision of each n-gram length, with `more` added to the matches and to the total.
fn precisions(hyps: &[&str], refs: &[&str], more: fn(usize) -> usize) -> [f64; 4] {
    [1, 2, 3, 4].map(|n| {
        let (mut matched, mut total) = (more(n), more(n));
        for (hyp, reference) in hyps.iter().zip(refs) {
            let allowed = ngrams(reference, n, Flaw::Arithmetic);
            for (ngram, count) in ngrams(hyp, n, Flaw::Arithmetic) {
                matched += count.min(*allowed.get(&ngram).unwrap_or(&0));
                total += count;
            }
        }
        matched as f64 / total.max(1) as f64
    })
}

/// Count of each run of `n` words in all lines.
fn ngrams_of_all(lines: &[&str], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for (ngram, count) in lines.iter().flat_map(|l| ngrams(l, n, Flaw::Arithmetic)) {
        *counts.entry(ngram).or_insert(0) += count;
    }
    counts
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, BleuFn); 19] = [
    (
        "Your brevity penalty is c / r. It is exp(1 − r / c) where the hypotheses are shorter.",
        |hyps, refs| remade(hyps, refs, |mean, _, ratio| mean * ratio.min(1.0)),
    ),
    (
        "You add 1 to the matches, a smoothing. Here a length without a match makes the whole score 0, and the others are as they are.",
        |hyps, refs| of_precisions(hyps, refs, &precisions(hyps, refs, |_| 1)),
    ),
    (
        "The two lengths have changed places in your brevity penalty. It is exp(1 − r / c): c counts the words of the hypotheses, r those of the references.",
        |hyps, refs| {
            remade(hyps, refs, |mean, _, ratio| {
                mean * (1.0 - ratio).max(0.0).exp()
            })
        },
    ),
    (
        "You take the arithmetic mean of the precisions. Take the geometric one: exp of the mean of their logarithms.",
        |hyps, refs| {
            if by_hand::bleu(hyps, refs) > 0.0 {
                bleu(hyps, refs, Flaw::Arithmetic)
            } else {
                0.0
            }
        },
    ),
    (
        "You count n-grams of up to three words. n goes from 1 to 4: a range leaves its end out.",
        |hyps, refs| of_precisions(hyps, refs, &precisions(hyps, refs, |_| 0)[..3]),
    ),
    (
        "You take logarithms to base 10, and exp undoes natural ones. Take ln.",
        |hyps, refs| {
            remade(hyps, refs, |mean, brevity, _| {
                brevity * mean.powf(std::f64::consts::LOG10_E)
            })
        },
    ),
    (
        "You add up the logarithms of the four precisions. Take their mean: divide by 4.",
        |hyps, refs| remade(hyps, refs, |mean, brevity, _| brevity * mean.powi(4)),
    ),
    (
        "You leave out lengths for which nothing matches. Such a length makes the whole score 0.",
        |hyps, refs| {
            let all = precisions(hyps, refs, |_| 0);
            let some: Vec<f64> = all.into_iter().filter(|&p| p > 0.0).collect();
            of_precisions(hyps, refs, &some)
        },
    ),
    (
        "You compare words without regard to capitals. \"The\" and \"the\" are two words here.",
        |hyps, refs| {
            let [hyps, refs] = [hyps, refs].map(|lines| lines.join("\n").to_lowercase());
            let [hyps, refs] = [&hyps, &refs].map(|text| text.split('\n').collect::<Vec<_>>());
            by_hand::bleu(&hyps, &refs)
        },
    ),
    (
        "You join all lines, so n-grams reach over the ends of lines. Count them in each line, then add up.",
        |hyps, refs| by_hand::bleu(&[&hyps.join(" ")], &[&refs.join(" ")]),
    ),
    (
        "You let an n-gram match where the reference of another line has it. Clip in each line by the counts of its own reference.",
        |hyps, refs| {
            let all = [1, 2, 3, 4].map(|n| {
                let (found, allowed) = (ngrams_of_all(hyps, n), ngrams_of_all(refs, n));
                let most = |ngram: &String| *allowed.get(ngram).unwrap_or(&0);
                let matched: usize = found.iter().map(|(g, &count)| count.min(most(g))).sum();
                matched as f64 / found.values().sum::<usize>().max(1) as f64
            });
            of_precisions(hyps, refs, &all)
        },
    ),
    (
        "You add 1 to the matches from two words on, a smoothing. Here a length without a match makes the whole score 0, and the others are as they are.",
        |hyps, refs| {
            let all = precisions(hyps, refs, |n| usize::from(n > 1));
            of_precisions(hyps, refs, &all)
        },
    ),
    (
        "Your factor exp(1 − r / c) is more than 1 where the hypotheses are longer. There it must be 1: long output gets no bonus.",
        |hyps, refs| {
            remade(hyps, refs, |mean, _, ratio| {
                mean * (1.0 - 1.0 / ratio).exp()
            })
        },
    ),
    (
        "Your comparison of c and r is the wrong way round: the factor exp(1 − r / c) is for hypotheses that are shorter than their references.",
        |hyps, refs| {
            remade(hyps, refs, |mean, _, ratio| {
                mean * (1.0 - 1.0 / ratio).max(0.0).exp()
            })
        },
    ),
    (
        "Your score goes from 0 to 1. BLEU is 100 times that.",
        |hyps, refs| by_hand::bleu(hyps, refs) / 100.0,
    ),
    (
        "You compare each line's length on its own. c and r count the words of all lines: a line that is too long makes up for one that is too short.",
        |hyps, refs| {
            let mean = bleu(hyps, refs, Flaw::NoBrevity) / 100.0;
            let count = |line: &&str| line.split_whitespace().count();
            let c: usize = hyps.iter().map(count).sum();
            let lines = hyps.iter().zip(refs);
            let short = lines.map(|(h, r)| count(r).saturating_sub(count(h)));
            let missing: usize = short.sum();
            100.0 * mean * (-(missing as f64) / c as f64).exp()
        },
    ),
    (
        "You take the mean of the lines' precisions. Add up matches and n-grams over all lines, then divide once for each n.",
        |hyps, refs| {
            let mut lines = vec![];
            for (h, r) in hyps.iter().zip(refs) {
                lines.push(precisions(&[h], &[r], |_| 0));
            }
            let mean = |n: usize| lines.iter().map(|p| p[n]).sum::<f64>() / lines.len() as f64;
            of_precisions(hyps, refs, &[0, 1, 2, 3].map(mean))
        },
    ),
    (
        "You divide the two lengths as integers, so the brevity penalty sees only whole ratios. Convert both to f64 before you divide.",
        |hyps, refs| {
            let words = |lines: &[&str]| {
                lines
                    .iter()
                    .flat_map(|line| line.split_whitespace())
                    .count()
            };
            let (c, r) = (words(hyps), words(refs));
            let sound = by_hand::bleu(hyps, refs);
            if c == 0 || c >= r {
                return sound;
            }
            let penalty = |ratio: f64| (1.0 - ratio).exp();
            sound / penalty(r as f64 / c as f64) * penalty((r / c) as f64)
        },
    ),
    (
        "An empty line counts as one word in yours. Use split_whitespace: split(' ') makes one empty word of it.",
        |hyps, refs| {
            let [hyps, refs] = [hyps, refs].map(|lines| {
                let filled = lines
                    .iter()
                    .map(|line| if line.is_empty() { "(empty)" } else { line });
                filled.collect::<Vec<&str>>()
            });
            by_hand::bleu(&hyps, &refs)
        },
    ),
];
