//! Lesson 08: layer normalisation.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::measure::count;
use crate::lesson::{Facts, Lesson, Run, Settings, Stage, batch};
use crate::ops::Deviation;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, Language};

pub mod check;
mod experiments;
#[path = "exercise.rs"]
mod starter;

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

/// What the normalisations make of changes.
fn facts(knobs: &Knobs) -> Facts {
    let seed = knobs.seed;
    let [layer, batch] = experiments::edited(knobs.edit, seed);
    let (padded, alone) = (experiments::padded(seed), experiments::alone(seed));
    let facts = Facts::default()
        .with("layer_moved", moved(&layer))
        .with("layer_moves", layer)
        .with("batch_moved", moved(&batch))
        .with("batch_moves", batch)
        .with("pads_layer", padded[0])
        .with("pads_batch", padded[1])
        .with("alone_layer", alone[0])
        .with("alone_batch", alone[1]);
    experiments::CHANGES
        .iter()
        .fold(facts, |facts, (name, change)| {
            let by = experiments::moved_by(*change, seed);
            facts.with(format!("erased_{name}"), by)
        })
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
        Ok(Run::new(trace, Vec::new()).telling(facts(&knobs)))
    }

    fn fact(&self, name: &str, run: &Run, _: &Settings) -> Option<f64> {
        let trace = &run.trace;
        let used = |name: &str| {
            let users = |step| count(trace, |s| s.inputs().contains(&step));
            trace.find(name).map_or(0.0, users)
        };
        let four = |n: usize| f64::from(four(Deviation::Population).data()[n]);
        Some(match name {
            "means" => trace.tensor("mean")?.len() as f64,
            "scales" => used("scale"),
            "biases" => used("bias"),
            "parameters" => (trace.tensor("scale")?.len() + trace.tensor("bias")?.len()) as f64,
            "four_population" => four(0),
            "four_population_rest" => four(1),
            "ratio_512" => ratio(512),
            "ratio_8" => ratio(8),
            _ => return None,
        })
    }
}
