//! Lesson 16: the loss, and label smoothing in three forms.

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::ops::Spread;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, BATCH, Language};
use crate::train::loss::{normaliser, smoothed_mean};
use std::sync::LazyLock;

pub mod check;
mod experiments;
pub mod mistakes;
mod pictures;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use experiments::{FORMS, cost, counted};

/// Target places a sentence.
const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("16-label-smoothing", SmoothingStage, check::TASK);

struct SmoothingStage;

fn form(settings: &Settings) -> Spread {
    let named = FORMS.iter().find(|f| f.0 == settings.text("form"));
    named.map_or(Spread::NoPadding, |f| f.2)
}

/// Records targets, predictions and the loss as the chosen form computes it.
fn record(settings: &Settings) -> Trace {
    let (smoothing, spread) = (settings.real("epsilon") as f32, form(settings));
    let five = settings.text("example") == "five";
    let tape = Tape::eval(&Params::default());
    let ids = if five {
        Tensor::new(&[1, 5], vec![2.0, 1.0, 0.0, 3.0, 3.0])
    } else {
        sample::ids(TARGET, Language::English)
    };
    let tgt_y = tape.ids("tgt_y", ids.clone(), &["b", "t"]);
    let log_probs = if five {
        let least = match settings.text("guard") {
            "clamp" => 1e-9,
            _ => 0.0,
        };
        let log = experiments::impossible().map(|p| p.max(least).ln());
        tape.input("log_probs", log, &["b", "t", "v"])
    } else {
        let (words, seed) = (settings.whole("vocab"), settings.whole("seed") as u64);
        let logits = random::normal(&[BATCH, TARGET, words], 1.0, seed, "logits");
        let sure = settings.real("sure") as f32;
        let logits = Tensor::from_fn(logits.shape(), |i| {
            let right = ids.at(&i[..2]) as usize == i[2];
            logits.at(i) + if right { sure } else { 0.0 }
        });
        let logits = tape.input("logits", logits, &["b", "t", "v"]);
        logits.log_softmax().named("log_probs")
    };
    let words = log_probs.value().last();
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    let targets = match on {
        Some((_, mistake)) => {
            let made = mistake(&ids, words, smoothing, 0);
            tape.constant("targets", made, &["b", "t", "v"])
        }
        None => tgt_y
            .smooth_targets(words, smoothing, spread, 0.0)
            .named("targets"),
    };
    let counted = if settings.broken("count-padding") {
        ids.len() as f64
    } else {
        counted(&ids)
    };
    smoothed_mean(&log_probs, &targets, smoothing, spread, counted);
    let trace = tape.trace().label("v", vec![spelled(words, five)]);
    if five {
        trace
    } else {
        trace.label("t", sample::all_words(TARGET, Language::English))
    }
}

/// The words of the vocabulary, by id: padding, three marks, then the words of the sentences.
fn spelled(words: usize, five: bool) -> Vec<String> {
    if five {
        return (0..words)
            .map(|id| {
                if id == 0 {
                    "<pad>".into()
                } else {
                    format!("word {id}")
                }
            })
            .collect();
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
        let words = settings.whole("vocab");
        let ids = sample::ids(TARGET, Language::English);
        let most = ids.data().iter().fold(0.0_f32, |m, id| m.max(*id)) as usize;
        if words <= most {
            return Err(format!(
                "the sentences of the batch have words up to number {most}, so a vocabulary of {words} has no row for some targets: there would be no right word to aim at"
            ));
        }
        let trace = record(settings);
        let pictures = pictures::all(settings, &trace);
        Ok(Run::new(trace, pictures))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let smoothing = settings.real("epsilon") as f32;
        let (log_probs, ids) = (run.trace.tensor("log_probs")?, run.trace.tensor("tgt_y")?);
        match name {
            "words" => return Some(log_probs.last() as f64),
            "perplexity" => return Some(experiments::nats(log_probs, ids).exp()),
            "nats" => return Some(experiments::nats(log_probs, ids)),
            "lowest" => return Some(experiments::lowest(smoothing)),
            "uniform_33708" => return Some(experiments::uniform(33_708)),
            "normaliser_33708" => return Some(normaliser(33_708, 0.1)),
            "normaliser_10" => return Some(normaliser(10, 0.1)),
            "row_divergence" => return Some(experiments::one_row(2.0, Spread::NoPadding)),
            "row_tensorflow" => return Some(experiments::one_row(2.0, Spread::Others)),
            "row_fairseq" => return Some(experiments::one_row(2.0, Spread::All)),
            _ => {}
        }
        let (what, rest) = name.split_once('_')?;
        let of_form = || {
            let named = FORMS.iter().find(|f| f.0 == rest);
            named.map(|f| cost(log_probs, ids, smoothing, f.2))
        };
        match what {
            "sure" => Some(experiments::confidence(rest.parse().ok()?, smoothing)),
            "pull" => Some(experiments::pull(rest.parse().ok()?, smoothing)),
            "loss" => Some(of_form()?.loss),
            "floor" => Some(of_form()?.floor),
            _ => None,
        }
    }
}
