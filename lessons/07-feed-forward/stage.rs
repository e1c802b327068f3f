//! Lesson 07: the position-wise feed-forward layer.

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::{Bar, Body, Lesson, Picture, Run, Series, Settings, Stage};
use crate::nn::activation::Activation;
use crate::nn::feed_forward::{FeedForward, feed_forward};
use crate::nn::linear::Bias;
use crate::params::Params;
use crate::tensor::random;
use crate::text::sample::{self, BATCH, Language};
use crate::transformer::{Config, count};
use std::sync::LazyLock;

pub mod check;
mod experiments;
pub mod mistakes;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use mistakes::FeedForwardFn;

const D_MODEL: usize = 512;
const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("07-feed-forward", FeedForwardStage, check::TASK);

struct FeedForwardStage;

/// The sound function, or the first mistake that is on.
fn implementation(settings: &Settings) -> FeedForwardFn {
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    on.map_or(feed_forward, |(_, mistake)| mistake)
}

fn activation(settings: &Settings) -> Activation {
    let name = settings.text("activation");
    let found = Activation::ALL.iter().find(|(n, _)| *n == name);
    found.expect("the knob offers these alone").1
}

fn record(settings: &Settings) -> Trace {
    let seed = settings.whole("seed") as u64;
    let dropout = settings.real("dropout") as f32;
    let mut params = Params::new(seed);
    let ffn = FeedForward::new(
        &mut params,
        D_MODEL,
        settings.whole("d_ff"),
        Bias::Uniform,
        activation(settings),
        dropout,
    );
    let tape = if dropout > 0.0 {
        Tape::train(&params, seed)
    } else {
        Tape::eval(&params)
    };
    let x = random::normal(&[BATCH, TARGET, D_MODEL], 1.0, seed, "x");
    implementation(settings)(&ffn, &tape.input("x", x, &["b", "t", "d"]));
    tape.trace()
        .label("t", sample::all_words(TARGET, Language::English))
}

fn moves_picture(settings: &Settings) -> Picture {
    let poked = settings.whole("poke");
    let [ffn, attention] = experiments::moves(
        implementation(settings),
        poked,
        settings.whole("seed") as u64,
    );
    let words = sample::words(0, TARGET, Language::English);
    let bar = |what: &str, (word, moved): (&String, &f64)| Bar {
        label: format!("{what}: {word}"),
        value: *moved,
        note: if *moved == 0.0 {
            "0 to the last bit".to_owned()
        } else {
            format!("{moved:.3}")
        },
    };
    let still = ffn.iter().filter(|m| **m == 0.0).count();
    let bars = words.iter().zip(&ffn).map(|pair| bar("ffn", pair));
    let others = words
        .iter()
        .zip(&attention)
        .map(|pair| bar("attention", pair));
    Picture {
        name: "moves",
        title: format!("Nudge '{}': which rows move?", words[poked]),
        says: format!(
            "Feed-forward: {still} of {TARGET} rows do not move by a bit. Attention: {} do not.",
            attention.iter().filter(|m| **m == 0.0).count()
        ),
        body: Body::Bars {
            unit: "rms of the change of each row".to_owned(),
            bars: bars.chain(others).collect(),
            log: false,
        },
    }
}

fn curves(
    name: &'static str,
    title: &str,
    says: String,
    lines: &[(&str, Vec<f32>)],
    points: &[f32],
) -> Picture {
    let series = lines.iter().map(|(name, ys)| Series {
        name: (*name).to_owned(),
        points: points
            .iter()
            .zip(ys)
            .map(|(x, y)| (f64::from(*x), f64::from(*y)))
            .collect(),
    });
    Picture {
        name,
        title: title.to_owned(),
        says,
        body: Body::Curves {
            x: "x".to_owned(),
            y: "y".to_owned(),
            log: false,
            series: series.collect(),
        },
    }
}

fn activation_pictures() -> [Picture; 2] {
    let points: Vec<f32> = (-40..=40).map(|i| i as f32 / 10.0).collect();
    let of = |a| experiments::bend(a, &points);
    let shown = [
        ("ReLU", of(Activation::Relu)),
        ("GELU", of(Activation::Gelu)),
        ("Swish", of(Activation::Silu)),
    ];
    let gap = |a: Vec<f32>, b: Vec<f32>| a.iter().zip(&b).map(|(a, b)| a - b).collect::<Vec<_>>();
    let (sigmoid, swish) = (
        experiments::apart(Activation::Gelu, Activation::GeluSigmoid),
        experiments::apart(Activation::Gelu, Activation::Silu),
    );
    let gaps = [
        (
            "GELU − its sigmoid form",
            gap(of(Activation::Gelu), of(Activation::GeluSigmoid)),
        ),
        (
            "GELU − Swish",
            gap(of(Activation::Gelu), of(Activation::Silu)),
        ),
    ];
    [
        curves(
            "activations",
            "Three bends",
            "ReLU cuts at 0. GELU and Swish dip below 0 first, and have a slope everywhere."
                .to_owned(),
            &shown,
            &points,
        ),
        curves(
            "gaps",
            "How far they are apart",
            format!(
                "GELU and its sigmoid form are {:.4} apart at most, at x = {:.2}; GELU and Swish {:.3}, at x = {:.3}.",
                sigmoid.0, sigmoid.1, swish.0, swish.1
            ),
            &gaps,
            &points,
        ),
    ]
}

impl Stage for FeedForwardStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let [shapes, gaps] = activation_pictures();
        Ok(Run {
            trace: record(settings),
            pictures: vec![moves_picture(settings), shapes, gaps],
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let steps = || run.trace.steps().iter();
        let layer = || {
            let model = count::tree(&Config::annotated(1, 1));
            model.find(&["encoder", "layer"]).cloned()
        };
        let at_one = |a| Some(f64::from(experiments::bend(a, &[1.0])[0]));
        match name {
            "parameters" => Some(
                steps()
                    .filter(|s| s.op() == "parameter")
                    .map(|s| s.value.len())
                    .sum::<usize>() as f64,
            ),
            "layer_share" => {
                let layer = layer()?;
                let ffn = layer.find(&["feed_forward"])?.count;
                Some(ffn as f64 / layer.count as f64)
            }
            "bent" => Some(
                steps()
                    .filter(|s| matches!(s.op(), "relu" | "gelu" | "silu"))
                    .count() as f64,
            ),
            "biases" => Some(steps().filter(|s| s.name.ends_with("bias")).count() as f64),
            "dropouts" => Some(steps().filter(|s| s.op() == "dropout").count() as f64),
            "dropped_width" => Some(
                steps()
                    .find(|s| s.op() == "dropout")
                    .map_or(0, |s| s.value.last()) as f64,
            ),
            "zeros" => {
                let active = run.trace.tensor("active")?;
                let zeros = active.data().iter().filter(|x| **x == 0.0).count();
                Some(zeros as f64 / active.len() as f64)
            }
            "ffn_rows_moved" | "attention_rows_moved" => {
                let poked = settings.whole("poke");
                let moves = experiments::moves(implementation(settings), poked, 7);
                let rows = &moves[usize::from(name.starts_with("attention"))];
                Some(rows.iter().filter(|m| **m > 0.0).count() as f64)
            }
            "convolution_difference" => Some(*experiments::CONVOLUTION),
            "relu_at_1" => at_one(Activation::Relu),
            "gelu_at_1" => at_one(Activation::Gelu),
            "tanh_at_1" => at_one(Activation::GeluTanh),
            "sigmoid_at_1" => at_one(Activation::GeluSigmoid),
            "swish_at_1" => at_one(Activation::Silu),
            "sigmoid_gap" => Some(experiments::apart(Activation::Gelu, Activation::GeluSigmoid).0),
            "sigmoid_gap_at" => {
                Some(experiments::apart(Activation::Gelu, Activation::GeluSigmoid).1)
            }
            "swish_gap" => Some(experiments::apart(Activation::Gelu, Activation::Silu).0),
            "swish_gap_at" => Some(experiments::apart(Activation::Gelu, Activation::Silu).1),
            _ => None,
        }
    }
}
