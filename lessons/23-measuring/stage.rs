//! Lesson 23: BLEU, chrF, averaged checkpoints, and an error analysis.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::autograd::{Tape, Trace, Var};
use crate::decode::bleu::{BleuCounts, BleuOptions, Smooth, corpus_bleu, sentence_bleu};
use crate::decode::chrf::{ChrfOptions, corpus_chrf};
use crate::decode::tokenize::Tokenize;
use crate::lesson;
use crate::lesson::knob::both;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::params::Params;
use crate::tensor::Tensor;

mod averaging;
pub mod check;
mod errors;
mod knobs;
mod pictures;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use knobs::Knobs;

pub static LESSON: LazyLock<Lesson> = lesson!("23-measuring", MeasuringStage, check::TASK);

/// Mistakes in computing BLEU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Flaw {
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

struct MeasuringStage;

/// sacreBLEU's own examples: hypotheses with two reference sets, and a sentence.
const HYPS: [&str; 3] = [
    "The dog bit the man.",
    "It wasn't surprising.",
    "The man had just bitten him.",
];
const REFS: [[&str; 3]; 2] = [
    [
        "The dog bit the man.",
        "It was not unexpected.",
        "The man bit him first.",
    ],
    [
        "The dog had bit the man.",
        "No one was surprised.",
        "The man had bitten the dog.",
    ],
];
const ROMANIAN: [&str; 2] = [
    "Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;",
    "producţia de zahăr brut se exprimă în zahăr alb;",
];

/// Words of the lines, separated by single blanks, as the selected tokenizer splits them.
fn cut(knobs: &Knobs) -> Vec<[String; 2]> {
    let options = knobs.options();
    let words = |line: &str| {
        let line = if options.lowercase {
            line.to_lowercase()
        } else {
            line.to_owned()
        };
        options.tokenize.words(&line).join(" ")
    };
    knobs.lines().map(|line| line.map(words)).to_vec()
}

/// Axes of the n-grams.
const GRAMS: [&str; 4] = ["1-gram", "2-gram", "3-gram", "4-gram"];

/// Count of each run of `n` words in a line.
fn ngrams(line: &str, n: usize, flaw: Flaw) -> HashMap<String, usize> {
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

fn grams(lines: &[[String; 2]], n: usize) -> Vec<String> {
    let all = lines
        .iter()
        .flatten()
        .flat_map(|line| ngrams(line, n, Flaw::NoClip).into_keys());
    all.collect::<BTreeSet<_>>().into_iter().collect()
}

/// What smoothing adds to the matches and to the totals of each n-gram length.
fn added(counts: &BleuCounts, smooth: Smooth) -> [[f32; 2]; 4] {
    let mut half = 1.0;
    [0, 1, 2, 3].map(|n| match smooth {
        Smooth::AddK(k) if n > 0 => [k as f32; 2],
        Smooth::Exp if counts.counts[n] == 0 => {
            half /= 2.0;
            [half, 0.0]
        }
        Smooth::Floor(value) if counts.counts[n] == 0 => [value as f32, 0.0],
        _ => [0.0; 2],
    })
}

/// BLEU of `lines` (words separated by blanks) as recorded operations.
fn score(tape: &Tape, lines: &[[String; 2]], smooth: Smooth, flaw: Option<Flaw>) -> Var {
    let plain = BleuOptions {
        tokenize: Tokenize::None,
        ..BleuOptions::default()
    };
    let mut counts = BleuCounts::new(4);
    for [hyp, reference] in lines {
        counts.add(&BleuCounts::of(hyp, &[reference], &plain));
    }
    let is = |one| flaw == Some(one);
    let added = added(&counts, smooth);
    let number = |name: &str, x: f32| tape.constant(name, Tensor::scalar(x), &[]);
    let mut sum: Option<Var> = None;
    let orders = (1..=4).filter(|n| counts.totals[n - 1] > 0).count();
    for n in 1..=orders {
        let share = tape.scoped(&format!("order{n}"), || {
            let all = grams(lines, n);
            let table = |side: usize, name: &str| {
                let flaw = flaw.unwrap_or(Flaw::NoClip);
                let count = |i: &[usize]| {
                    let table = ngrams(&lines[i[1]][side], n, flaw);
                    table.get(&all[i[0]]).copied().unwrap_or(0) as f32
                };
                // Put the n-grams on the rows, where there is room for their words.
                let counts = Tensor::from_fn(&[all.len(), lines.len()], count);
                tape.input(name, counts, &[GRAMS[n - 1], "line"])
            };
            let (hyp, reference) = (table(0, "hyp"), table(1, "ref"));
            let clipped = if is(Flaw::NoClip) {
                let occurs = reference.value().map(|x| f32::from(x > 0.0));
                hyp.mul(&tape.constant("there", occurs, &[GRAMS[n - 1], "line"]))
            } else {
                let over = hyp.sub(&reference).named("surplus").relu().named("over");
                hyp.sub(&over)
            };
            let matched = clipped.named("clipped").sum().named("matched");
            let counted = if is(Flaw::Recall) { &reference } else { &hyp };
            let total = counted.sum().named("total");
            let [more, of] = added[n - 1];
            let matched = matched.add(&number("smoothing", more)).named("smoothed");
            let total = total.add(&number("smoothing_total", of));
            let total = total.named("smoothed_total");
            let precision = matched.div(&total).named("precision");
            match flaw {
                Some(Flaw::Arithmetic) => precision,
                _ => precision.log().named("log_p"),
            }
        });
        sum = Some(match sum {
            Some(before) => before.add(&share).named("log_sum"),
            None => share,
        });
    }
    let sum = sum.unwrap_or_else(|| number("no_words", f32::NEG_INFINITY));
    let mean = sum.scale(1.0 / orders.max(1) as f32).named("mean_log");
    let mean = match flaw {
        Some(Flaw::Arithmetic) => mean,
        _ => mean.exp().named("mean"),
    };
    let length = |name: &str, n: usize| tape.input(name, Tensor::scalar(n as f32), &[]);
    let c = length("hyp_len", counts.sys_len);
    let r = length("ref_len", counts.ref_len);
    let ratio = match flaw {
        Some(Flaw::BrevityTurned) => c.div(&r),
        _ => r.div(&c),
    };
    let missing = ratio.named("ratio").sub(&number("one", 1.0));
    let missing = missing.relu().named("missing");
    let strength = if is(Flaw::NoBrevity) { 0.0 } else { -1.0 };
    let bp = missing.scale(strength).exp().named("bp");
    mean.mul(&bp).scale(100.0).named("bleu")
}

fn record(knobs: &Knobs, flaw: Option<Flaw>) -> Trace {
    let tape = Tape::eval(&Params::default());
    let lines = cut(knobs);
    let smooth = knobs.options().smooth;
    if flaw == Some(Flaw::SentenceMean) {
        let [first, second] = [0, 1].map(|n: usize| {
            let line = &lines[n..=n];
            tape.scoped(&format!("line{}", n + 1), || {
                score(&tape, line, smooth, None)
            })
        });
        let _mean = first.add(&second).scale(0.5).named("bleu");
        return tape.trace();
    }
    score(&tape, &lines, smooth, flaw);
    let names = ["first", "second"].map(String::from).to_vec();
    let trace = tape.trace().label("line", vec![names]);
    (1..=4).fold(trace, |trace, n| {
        trace.label(GRAMS[n - 1], vec![grams(&lines, n)])
    })
}

impl Stage for MeasuringStage {
    fn exclude(&self, one: &str, other: &str) -> bool {
        both::<Flaw>(one, other)
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (knobs, flaw): (Knobs, _) = (settings.knobs(), settings.mistake()?);
        let tokenize = knobs.options().tokenize;
        let words = knobs.lines().map(|[hyp, _]| tokenize.words(hyp).len());
        if words.iter().all(|words| *words < 4) {
            return Err("BLEU counts runs of four words, and neither of your lines has as many: there is nothing to divide by.".to_owned());
        }
        let run = Run::new(record(&knobs, flaw), pictures::jobs());
        Ok(run.telling(pictures::facts(&knobs)))
    }

    fn fact(&self, name: &str, _: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let golden = |tokenize| {
            let refs = REFS.map(|set| set.to_vec());
            let options = BleuOptions {
                tokenize,
                ..BleuOptions::default()
            };
            corpus_bleu(&HYPS, &refs, &options).score
        };
        let romanian = |smooth, tokenize| {
            let options = BleuOptions {
                smooth,
                tokenize,
                ..BleuOptions::sentence()
            };
            sentence_bleu(ROMANIAN[0], &[ROMANIAN[1]], &options).score
        };
        let averaged = || &*averaging::AVERAGED;
        Some(match name {
            "first_matched" => {
                let [[hyp, reference], _] = knobs.lines();
                BleuCounts::of(hyp, &[reference], &knobs.options()).counts[0] as f64
            }
            "first_words" => knobs.first_words(knobs.options().tokenize).len() as f64,
            "in_lower_case" => knobs.whole(&BleuOptions {
                lowercase: true,
                ..knobs.options()
            }),
            "golden_13a" => golden(Tokenize::V13a),
            "golden_none" => golden(Tokenize::None),
            "golden_intl" => golden(Tokenize::Intl),
            "romanian_exp" => romanian(Smooth::Exp, Tokenize::V13a),
            "romanian_plain" => romanian(Smooth::None, Tokenize::V13a),
            "romanian_floor" => romanian(Smooth::Floor(0.1), Tokenize::V13a),
            "romanian_add" => romanian(Smooth::AddK(1.0), Tokenize::V13a),
            "romanian_char" => romanian(Smooth::Exp, Tokenize::Char),
            "romanian_chrf" => {
                let [hyp, reference] = ROMANIAN;
                corpus_chrf(&[hyp], &[vec![reference]], &ChrfOptions::default()).score
            }
            "each_mean" => averaged().mean(),
            "each_best" => averaged().each.iter().copied().reduce(f64::min)?,
            "each_last" => *averaged().each.last()?,
            "average" => averaged().average,
            "hard_missed" => errors::hard_missed() as f64,
            "easy_missed" => errors::easy_missed() as f64,
            "perplexity_last" => averaged().each.last()?.exp(),
            "perplexity_average" => averaged().average.exp(),
            _ => return None,
        })
    }
}
