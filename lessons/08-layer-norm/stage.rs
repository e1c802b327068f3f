//! Lesson 08: layer normalisation.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::measure::count;
use crate::lesson::{Bar, Lesson, Picture, Run, Settings, Stage, batch};
use crate::ops::Deviation;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, Language};

pub mod check;
mod experiments;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

const D_MODEL: usize = 512;
const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("08-layer-norm", NormStage, check::TASK);

struct NormStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    example: Example,
    edit: f32,
    epsilon: f32,
    learned: f32,
    seed: u64,
}

/// Input of the normalisation: a batch, or [1, 0, 0, 0].
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Example {
    Standard,
    Four,
}

fn record(knobs: &Knobs, norm: check::NormFn) -> Trace {
    let seed = knobs.seed;
    let x = match knobs.example {
        Example::Four => Tensor::new(&[1, 1, 4], FOUR.to_vec()),
        Example::Standard => {
            let x = batch::embedded(Language::English, (TARGET, D_MODEL), seed);
            // Give every token a different standard deviation and mean, as in a real residual stream.
            Tensor::from_fn(x.shape(), |i| {
                let token = x.at(i) * (1.0 + i[1] as f32 / 5.0) + i[1] as f32 / 10.0;
                if i[0] == 1 { token * knobs.edit } else { token }
            })
        }
    };
    let width = x.last();
    let tape = Tape::eval(&Params::default());
    let learned = |name: &str, from: f32| {
        let steps = random::normal(&[width], knobs.learned, seed, name);
        tape.input(name, steps.map(|s| from + s), &["d"])
    };
    let (scale, bias) = (learned("scale", 1.0), learned("bias", 0.0));
    let x = tape.input("x", x, &["b", "t", "d"]);
    norm(&x, &scale, &bias, knobs.epsilon);
    let trace = tape.trace();
    match knobs.example {
        Example::Four => trace,
        Example::Standard => trace.label("t", sample::all_words(TARGET, Language::English)),
    }
}

/// Number of sentences that moved.
fn moved(all: &[f64]) -> usize {
    all.iter().filter(|m| **m > 0.0).count()
}

fn batch_picture(knobs: &Knobs) -> Picture {
    let [layer, batch] = experiments::edited(knobs.edit, knobs.seed);
    // Sentences that do not move share a bar, because a screen of 24 lines has no room for sixteen.
    let bars = |what: &str, all: &[f64]| -> Vec<Bar> {
        let rows = all.iter().enumerate().filter(|(_, by)| **by != 0.0);
        let bar = |(n, by): (usize, &f64)| Bar::moved(format!("{what}: sentence {n}"), *by);
        let others = match all.len() - moved(all) {
            0 => None,
            n => Some(Bar::moved(format!("{what}: {n} others"), 0.0)),
        };
        rows.map(bar).chain(others).collect()
    };
    let says = format!(
        "Number of the 8 sentences that change: {} under layer normalisation, {} under batch normalisation.",
        moved(&layer),
        moved(&batch)
    );
    let bars = [bars("layer", &layer), bars("batch", &batch)].concat();
    let title = "Edit sentence 1: which sentences change?";
    Picture::bars("batch", title, says, "RMS of the change", bars)
}

fn company_picture(seed: u64) -> Picture {
    let (padded, alone) = (experiments::padded(seed), experiments::alone(seed));
    let bars = vec![
        Bar::moved("layer norm: the others get padding", padded[0]),
        Bar::moved("batch norm: the others get padding", padded[1]),
        Bar::moved("layer norm: it comes alone", alone[0]),
        Bar::moved("batch norm: it comes alone", alone[1]),
    ];
    let title = "Does sentence 0 depend on the other sentences?";
    let says = "Under layer normalisation, sentence 0 doesn't depend on padding in other sentences, or on whether there are other sentences.";
    Picture::bars("company", title, says, "RMS of the change", bars)
}

fn erased_picture(seed: u64) -> Picture {
    let bar = |change: &experiments::Change| {
        let by = experiments::moved_by(change, seed);
        Bar::new(change.label, by, format!("{by:.3}"))
    };
    let bars = experiments::CHANGES.iter().map(bar).collect();
    let title = "Change a vector: how much does its normalised form change?";
    let says = format!(
        "One random vector of {} channels. A shift or a positive factor that all channels share disappears; other changes do not.",
        experiments::CHANNELS
    );
    Picture::bars("erased", title, says, "RMS of the change", bars)
}

const FOUR: [f32; 4] = [1.0, 0.0, 0.0, 0.0];

/// [1, 0, 0, 0], normalised with this form of the deviation.
fn four(deviation: Deviation) -> Tensor {
    let tape = Tape::eval(&Params::default());
    let x = tape.input("x", Tensor::new(&[1, 4], FOUR.to_vec()), &["t", "d"]);
    x.normalize(deviation, 1e-6).value()
}

/// Measured ratio of the two forms for a row of `d` numbers.
fn ratio(d: usize) -> f64 {
    let tape = Tape::eval(&Params::default());
    let x = tape.input("x", random::normal(&[1, d], 1.0, 1, "ratio"), &["t", "d"]);
    let of = |deviation| f64::from(x.normalize(deviation, 0.0).value().data()[0]);
    of(Deviation::Population) / of(Deviation::Unbiased)
}

impl Stage for NormStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let trace = record(&knobs, check::TASK.chosen(settings));
        let pictures = vec![
            batch_picture(&knobs),
            company_picture(knobs.seed),
            erased_picture(knobs.seed),
        ];
        Ok(Run::new(trace, pictures))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let (knobs, trace): (Knobs, _) = (settings.knobs(), &run.trace);
        let seed = knobs.seed;
        let moves = |which: usize| moved(&experiments::edited(knobs.edit, seed)[which]) as f64;
        let used = |name: &str| {
            let users = |step| count(trace, |s| s.inputs().contains(&step));
            trace.find(name).map_or(0.0, users)
        };
        if let Some(name) = name.strip_prefix("erased_") {
            let change = experiments::CHANGES.iter().find(|c| c.name == name)?;
            return Some(experiments::moved_by(change, seed));
        }
        let four = |n: usize| f64::from(four(Deviation::Population).data()[n]);
        Some(match name {
            "means" => trace.tensor("mean")?.len() as f64,
            "scales" => used("scale"),
            "biases" => used("bias"),
            "parameters" => (trace.tensor("scale")?.len() + trace.tensor("bias")?.len()) as f64,
            "layer_moved" => moves(0),
            "batch_moved" => moves(1),
            "pads_layer" => experiments::padded(seed)[0],
            "pads_batch" => experiments::padded(seed)[1],
            "alone_layer" => experiments::alone(seed)[0],
            "alone_batch" => experiments::alone(seed)[1],
            "four_population" => four(0),
            "four_population_rest" => four(1),
            "ratio_512" => ratio(512),
            "ratio_8" => ratio(8),
            _ => return None,
        })
    }
}
