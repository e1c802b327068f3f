//! Lesson 07: the position-wise feed-forward layer.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::Trace;
use crate::lesson;
use crate::lesson::measure::{count, parameters, zeros};
use crate::lesson::{Bar, Lesson, Picture, Run, Series, Settings, Stage, batch};
use crate::nn::activation::Activation;
use crate::nn::feed_forward::FeedForward;
use crate::nn::linear::Bias;
use crate::params::Params;
use crate::text::sample::{self, Language};
use crate::transformer::{Config, count as counted};
use crate::typeset::number::grouped;

pub mod check;
mod experiments;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use check::FeedForwardFn;

const D_MODEL: usize = 512;
const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("07-feed-forward", FeedForwardStage, check::TASK);

struct FeedForwardStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    activation: Activation,
    d_ff: usize,
    poke: usize,
    dropout: f32,
    seed: u64,
}

fn record(knobs: &Knobs, layer: FeedForwardFn) -> Trace {
    let &Knobs { dropout, seed, .. } = knobs;
    let (d_ff, activation) = (knobs.d_ff, knobs.activation);
    let mut params = Params::new(seed);
    let maps = FeedForward::new(
        &mut params,
        D_MODEL,
        d_ff,
        Bias::Uniform,
        activation,
        dropout,
    );
    let tape = batch::tape(&params, dropout, seed);
    layer(
        &maps,
        &batch::vectors(&tape, ("x", Language::English), (TARGET, D_MODEL), seed),
    );
    let words = sample::all_words(TARGET, Language::English);
    tape.trace().label("t", words)
}

fn moves_picture(knobs: &Knobs, layer: FeedForwardFn) -> Picture {
    let [ffn, attention] = experiments::moves(layer, knobs.poke, knobs.seed);
    let words = sample::words(0, TARGET, Language::English);
    let still = |moved: &[f64]| moved.iter().filter(|m| **m == 0.0).count();
    // Rows that do not move share a bar, because a screen of 24 lines has no room for twenty.
    let bars = |what: &str, moved: &[f64]| -> Vec<Bar> {
        let rows = words.iter().zip(moved).filter(|(_, by)| **by != 0.0);
        let bar = |(word, by): (&String, &f64)| Bar::moved(format!("{what}: {word}"), *by);
        let others = match still(moved) {
            0 => None,
            n => Some(Bar::moved(format!("{what}: {n} others"), 0.0)),
        };
        rows.map(bar).chain(others).collect()
    };
    let title = format!(
        "Change the vector of '{}': which rows change?",
        words[knobs.poke]
    );
    let says = format!(
        "Feed-forward: {} of {TARGET} rows stay the same to the last bit. Attention: {} do.",
        still(&ffn),
        still(&attention)
    );
    let bars = [bars("ffn", &ffn), bars("attention", &attention)].concat();
    Picture::bars("moves", title, says, "RMS of the change of each row", bars)
}

fn activation_pictures() -> [Picture; 2] {
    // The functions differ below 0 and slightly above; from 2 on their curves would coincide.
    let points: Vec<f32> = (-40..=40).map(|i| i as f32 / 10.0).collect();
    let (all, left) = (points.len(), points.partition_point(|x| *x <= 2.0));
    let of = |a| experiments::activated(a, &points);
    let line = |name: &str, ys: Vec<f32>, shown: usize| {
        let points = points.iter().zip(&ys).take(shown);
        Series::new(name, points.map(|(x, y)| (f64::from(*x), f64::from(*y))))
    };
    let (gelu, sigmoid, swish) = (Activation::Gelu, Activation::GeluSigmoid, Activation::Silu);
    let gap = |other| of(gelu).iter().zip(of(other)).map(|(a, b)| a - b).collect();
    let functions = vec![
        line("ReLU", of(Activation::Relu), left),
        line("GELU", of(gelu), left),
        line("Swish", of(swish), left),
    ];
    let gaps = vec![
        line("GELU − its sigmoid form", gap(sigmoid), all),
        line("GELU − Swish", gap(swish), all),
    ];
    let [sigmoid, swish] = [sigmoid, swish].map(|other| experiments::apart(gelu, other));
    let cut = "ReLU is 0 for every negative x. GELU and Swish are slightly negative there, so their derivative is not 0.";
    let apart = format!(
        "GELU and its sigmoid form are {:.4} apart at most, at x = {:.2}; GELU and Swish {:.3}, at x = {:.3}.",
        sigmoid.0, sigmoid.1, swish.0, swish.1
    );
    let axes = ("x", "y");
    [
        Picture::curves(
            "activations",
            "Three activation functions",
            cut,
            axes,
            functions,
        ),
        Picture::curves(
            "gaps",
            "Differences of the activation functions",
            apart,
            axes,
            gaps,
        ),
    ]
}

/// Parameters of an encoder layer at the paper's sizes, part by part.
fn parts_picture() -> Picture {
    let model = counted::tree(&Config::annotated(1, 1));
    let layer = model.find(&["encoder", "layer"]);
    let layer = layer.expect("a model has encoder layers");
    let bar = |part: &counted::Part| {
        let label = match &part.name[..] {
            "self_attn" => "self-attention",
            "feed_forward" => "feed-forward",
            "norm" => "norms",
            other => other,
        };
        let count = part.times * part.count;
        Bar::new(label, count as f64, grouped(count as u64))
    };
    let bars = layer.parts.iter().map(bar).collect();
    let says = format!(
        "An encoder layer has {} parameters. Most of them are in its feed-forward layer.",
        grouped(layer.count as u64)
    );
    let title = "Where the parameters of an encoder layer are";
    Picture::bars("parts", title, says, "parameters", bars)
}

impl Stage for FeedForwardStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (knobs, layer): (Knobs, _) = (settings.knobs(), check::TASK.chosen(settings));
        let [shapes, gaps] = activation_pictures();
        let moves = moves_picture(&knobs, layer);
        let pictures = vec![moves, shapes, gaps, parts_picture()];
        Ok(Run::new(record(&knobs, layer), pictures))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let trace = &run.trace;
        let at_one = |a| f64::from(experiments::activated(a, &[1.0])[0]);
        let apart = |other| experiments::apart(Activation::Gelu, other);
        let moved = |which: usize| {
            let poked = settings.knobs::<Knobs>().poke;
            let moves = experiments::moves(check::TASK.chosen(settings), poked, 7);
            moves[which].iter().filter(|m| **m > 0.0).count() as f64
        };
        Some(match name {
            "parameters" => parameters(trace),
            "layer_share" => {
                let model = counted::tree(&Config::annotated(1, 1));
                let layer = model.find(&["encoder", "layer"])?;
                layer.find(&["feed_forward"])?.count as f64 / layer.count as f64
            }
            "bent" => count(trace, |s| matches!(s.op(), "relu" | "gelu" | "silu")),
            "biases" => count(trace, |s| s.name.ends_with("bias")),
            "dropouts" => count(trace, |s| s.op() == "dropout"),
            "dropped_width" => {
                let dropout = trace.steps().iter().find(|s| s.op() == "dropout");
                dropout.map_or(0, |s| s.value.last()) as f64
            }
            "zeros" => zeros(trace.tensor("active")?),
            "ffn_rows_moved" => moved(0),
            "attention_rows_moved" => moved(1),
            "convolution_difference" => *experiments::CONVOLUTION,
            "relu_at_1" => at_one(Activation::Relu),
            "gelu_at_1" => at_one(Activation::Gelu),
            "tanh_at_1" => at_one(Activation::GeluTanh),
            "sigmoid_at_1" => at_one(Activation::GeluSigmoid),
            "swish_at_1" => at_one(Activation::Silu),
            "sigmoid_gap" => apart(Activation::GeluSigmoid).0,
            "sigmoid_gap_at" => apart(Activation::GeluSigmoid).1,
            "swish_gap" => apart(Activation::Silu).0,
            "swish_gap_at" => apart(Activation::Silu).1,
            _ => return None,
        })
    }
}
