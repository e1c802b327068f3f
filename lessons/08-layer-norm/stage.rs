//! Lesson 08: layer normalisation.

use crate::autograd::{Tape, Trace, Var};
use crate::lesson;
use crate::lesson::{Bar, Body, Lesson, Picture, Run, Settings, Stage};
use crate::nn::layer_norm::layer_norm;
use crate::ops::Deviation;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, BATCH, Language};
use std::sync::LazyLock;

pub mod check;
mod experiments;
pub mod mistakes;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

const D_MODEL: usize = 512;
const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("08-layer-norm", NormStage, check::TASK);

struct NormStage;

fn record(settings: &Settings) -> Trace {
    let seed = settings.whole("seed") as u64;
    let x = if settings.text("example") == "four" {
        Tensor::new(&[1, 1, 4], vec![1.0, 0.0, 0.0, 0.0])
    } else {
        let edit = settings.real("edit") as f32;
        let x = random::normal(&[BATCH, TARGET, D_MODEL], 1.0, seed, "x");
        // Every word has another size and another mean, as in a real residual stream.
        Tensor::from_fn(x.shape(), |i| {
            let word = x.at(i) * (1.0 + i[1] as f32 / 5.0) + i[1] as f32 / 10.0;
            if i[0] == 1 { word * edit } else { word }
        })
    };
    let width = x.last();
    let moved = settings.real("learned") as f32;
    let tape = Tape::eval(&Params::default());
    let learned = |name: &str, from: f32| {
        let steps = random::normal(&[width], moved, seed, name);
        tape.input(name, steps.map(|s| from + s), &["d"])
    };
    let (scale, bias) = (learned("scale", 1.0), learned("bias", 0.0));
    let x = tape.input("x", x, &["b", "t", "d"]);
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    let norm = on.map_or(layer_norm as mistakes::NormFn, |(_, mistake)| mistake);
    norm(&x, &scale, &bias, settings.real("epsilon") as f32);
    let trace = tape.trace();
    if width == D_MODEL {
        trace.label("t", sample::all_words(TARGET, Language::English))
    } else {
        trace
    }
}

fn bars(name: &'static str, title: &str, says: String, bars: Vec<(String, f64)>) -> Picture {
    let bars = bars.into_iter().map(|(label, value)| Bar {
        label,
        value,
        note: if value == 0.0 {
            "0 to the last bit".to_owned()
        } else {
            format!("{value:.3}")
        },
    });
    Picture {
        name,
        title: title.to_owned(),
        says,
        body: Body::Bars {
            unit: "rms of the change".to_owned(),
            bars: bars.collect(),
            log: false,
        },
    }
}

fn batch_picture(settings: &Settings) -> Picture {
    let edit = settings.real("edit") as f32;
    let [layer, batch] = experiments::edited(edit, settings.whole("seed") as u64);
    let moved = |all: &[f64]| all.iter().filter(|m| **m > 0.0).count();
    let label = |what: &str, n: usize| format!("{what}, sentence {}", n + 1);
    let rows = layer
        .iter()
        .enumerate()
        .map(|(n, m)| (label("layer norm", n), *m));
    let more = batch
        .iter()
        .enumerate()
        .map(|(n, m)| (label("batch norm", n), *m));
    bars(
        "batch",
        "Edit the second sentence: who moves?",
        format!(
            "Of 8 sentences {} move under layer normalisation and {} under batch normalisation.",
            moved(&layer),
            moved(&batch)
        ),
        rows.chain(more).collect(),
    )
}

fn company_picture(settings: &Settings) -> Picture {
    let seed = settings.whole("seed") as u64;
    let (padded, alone) = (experiments::padded(seed), experiments::alone(seed));
    bars(
        "company",
        "What the first sentence notices of its company",
        "Layer normalisation notices neither padding in other sentences nor whether there are any."
            .to_owned(),
        vec![
            ("layer norm: others get padding".to_owned(), padded[0]),
            ("batch norm: others get padding".to_owned(), padded[1]),
            ("layer norm: it comes alone".to_owned(), alone[0]),
            ("batch norm: it comes alone".to_owned(), alone[1]),
        ],
    )
}

/// [1, 0, 0, 0] in both forms.
fn four(deviation: Deviation) -> Tensor {
    let tape = Tape::eval(&Params::default());
    let x: Var = tape.input(
        "x",
        Tensor::new(&[1, 4], vec![1.0, 0.0, 0.0, 0.0]),
        &["t", "d"],
    );
    x.normalize(deviation, 1e-6).value()
}

/// The ratio of the two forms for a row of `d` numbers, measured.
fn ratio(d: usize) -> f64 {
    let tape = Tape::eval(&Params::default());
    let x = tape.input("x", random::normal(&[1, d], 1.0, 1, "ratio"), &["t", "d"]);
    let of = |deviation| f64::from(x.normalize(deviation, 0.0).value().data()[0]);
    of(Deviation::Population) / of(Deviation::Unbiased)
}

impl Stage for NormStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        Ok(Run {
            trace: record(settings),
            pictures: vec![batch_picture(settings), company_picture(settings)],
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let seed = settings.whole("seed") as u64;
        let edit = settings.real("edit") as f32;
        let moved = |n: usize| {
            let moves = &experiments::edited(edit, seed)[n];
            Some(moves.iter().filter(|m| **m > 0.0).count() as f64)
        };
        let used = |name: &str| {
            let step = run.trace.find(name)?;
            let users = run
                .trace
                .steps()
                .iter()
                .filter(|s| s.inputs().contains(&step));
            Some(users.count() as f64)
        };
        match name {
            "means" => Some(run.trace.tensor("mean")?.len() as f64),
            "scales" => Some(used("scale").unwrap_or(0.0)),
            "biases" => Some(used("bias").unwrap_or(0.0)),
            "parameters" => {
                Some((run.trace.tensor("scale")?.len() + run.trace.tensor("bias")?.len()) as f64)
            }
            "layer_moved" => moved(0),
            "batch_moved" => moved(1),
            "pads_layer" => Some(experiments::padded(seed)[0]),
            "pads_batch" => Some(experiments::padded(seed)[1]),
            "alone_layer" => Some(experiments::alone(seed)[0]),
            "alone_batch" => Some(experiments::alone(seed)[1]),
            "four_population" => Some(f64::from(four(Deviation::Population).data()[0])),
            "four_population_rest" => Some(f64::from(four(Deviation::Population).data()[1])),
            "ratio_512" => Some(ratio(512)),
            "ratio_8" => Some(ratio(8)),
            _ => None,
        }
    }
}
