//! Lesson 16: the loss, and label smoothing in three forms.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::ops::Spread;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, BATCH, Language};
use crate::train::loss::{normaliser, smoothed_mean};

pub mod check;
#[path = "more/cross_entropy/check.rs"]
pub mod cross_entropy;
mod experiments;
mod pictures;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use experiments::{FORMS, Form, counted};

/// Target positions per sentence.
const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("16-label-smoothing", SmoothingStage, check::TASK; "cross_entropy" => cross_entropy::TASK);

struct SmoothingStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    example: Example,
    epsilon: f32,
    form: Form,
    sure: f32,
    vocab: usize,
    guard: Guard,
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Example {
    Batch,
    Five,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Guard {
    None,
    Clamp,
}

/// Records targets, predictions, and the loss in the chosen form.
fn record(knobs: &Knobs, settings: &Settings) -> Trace {
    let (smoothing, spread) = (knobs.epsilon, FORMS[knobs.form as usize].1);
    let five = knobs.example == Example::Five;
    let tape = Tape::eval(&Params::default());
    let ids = match knobs.example {
        Example::Five => Tensor::new(&[1, 5], vec![2.0, 1.0, 0.0, 3.0, 3.0]),
        Example::Batch => sample::ids(TARGET, Language::English),
    };
    let tgt_y = tape.ids("tgt_y", ids.clone(), &["b", "t"]);
    let log_probs = if five {
        let least = match knobs.guard {
            Guard::Clamp => 1e-9,
            Guard::None => 0.0,
        };
        let log = experiments::impossible().map(|p| p.max(least).ln());
        tape.input("log_probs", log, &["b", "t", "v"])
    } else {
        let logits = random::normal(&[BATCH, TARGET, knobs.vocab], 1.0, knobs.seed, "logits");
        let logits = Tensor::from_fn(logits.shape(), |i| {
            let right = ids.at(&i[..2]) as usize == i[2];
            logits.at(i) + if right { knobs.sure } else { 0.0 }
        });
        let logits = tape.input("logits", logits, &["b", "t", "v"]);
        logits.log_softmax().named("log_probs")
    };
    let words = log_probs.value().last();
    let targets = match check::TASK.broken(settings) {
        None => {
            let smooth = tgt_y.smooth_targets(words, smoothing, spread, 0.0);
            smooth.named("targets")
        }
        Some(targets) => {
            let made = targets(&ids, words, smoothing, 0);
            tape.constant("targets", made, &["b", "t", "v"])
        }
    };
    let counted = if settings.broken("count-padding") {
        ids.len() as f64
    } else {
        counted(&ids)
    };
    smoothed_mean(&log_probs, &targets, smoothing, spread, counted);
    let trace = tape.trace().label("v", vec![spelled(words, five)]);
    match knobs.example {
        Example::Five => trace,
        Example::Batch => trace.label("t", sample::all_words(TARGET, Language::English)),
    }
}

/// Tokens of the vocabulary by id: padding, three reserved tokens, then the words of the sentences.
fn spelled(words: usize, five: bool) -> Vec<String> {
    if five {
        let others = (1..words).map(|id| format!("token {id}"));
        return ["<pad>".to_owned()].into_iter().chain(others).collect();
    }
    let mut all: Vec<String> = ["<pad>", "<s>", "</s>", "<unk>"].map(String::from).to_vec();
    for word in sample::all_words(TARGET, Language::English).concat() {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    all.truncate(words);
    all
}

impl Stage for SmoothingStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let words = knobs.vocab;
        let ids = sample::ids(TARGET, Language::English);
        let most = ids.data().iter().fold(0.0_f32, |m, id| m.max(*id)) as usize;
        if words <= most {
            return Err(format!(
                "the sentences of the batch have token ids up to {most}, so a vocabulary of {words} has no row for some targets"
            ));
        }
        let trace = record(&knobs, settings);
        let facts = pictures::facts(knobs.epsilon, &trace);
        Ok(Run::new(trace, Vec::new()).telling(facts))
    }

    fn fact(&self, name: &str, _: &Run, settings: &Settings) -> Option<f64> {
        let smoothing = settings.knobs::<Knobs>().epsilon;
        Some(match name {
            "uniform_33708" => experiments::uniform(33_708),
            "normaliser_33708" => normaliser(33_708, 0.1),
            "normaliser_10" => normaliser(10, 0.1),
            "row_divergence" => experiments::one_row(2.0, Spread::NoPadding),
            "row_tensorflow" => experiments::one_row(2.0, Spread::Others),
            "row_fairseq" => experiments::one_row(2.0, Spread::All),
            _ => match name.split_once('_')? {
                ("sure", x) => experiments::confidence(x.parse().ok()?, smoothing),
                ("pull", x) => experiments::pull(x.parse().ok()?, smoothing),
                _ => return None,
            },
        })
    }
}
