//! Lesson 07: the position-wise feed-forward layer.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::Trace;
use crate::lesson;
use crate::lesson::measure::{count, parameters, zeros};
use crate::lesson::{Fact, Facts, Lesson, Run, Settings, Stage, batch};
use crate::nn::activation::Activation;
use crate::nn::feed_forward::FeedForward;
use crate::nn::linear::Bias;
use crate::params::Params;
use crate::text::sample::{self, Language};
use crate::transformer::{Config, count as counted};

pub mod check;
mod experiments;
#[path = "exercise.rs"]
mod starter;

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

/// The changes of rows, the activation functions, and the parameters of an encoder layer at the paper's sizes.
fn facts(knobs: &Knobs, layer: FeedForwardFn) -> Facts {
    let [ffn, attention] = experiments::moves(layer, knobs.poke, knobs.seed);
    let still = |moved: &[f64]| moved.iter().filter(|m| **m == 0.0).count();
    let words = sample::words(0, TARGET, Language::English);
    // The functions differ below 0 and slightly above; from 2 on their curves would coincide.
    let points: Vec<f32> = (-40..=40).map(|i| i as f32 / 10.0).collect();
    let to_2 = points.iter().copied().filter(|x| *x <= 2.0);
    let of = |a| experiments::activated(a, &points);
    let gelu = of(Activation::Gelu);
    let minus = |other| Fact::numbers(gelu.iter().zip(of(other)).map(|(a, b)| a - b));
    let model = counted::tree(&Config::annotated(1, 1));
    let layer = model.find(&["encoder", "layer"]);
    let layer = layer.expect("a model has encoder layers");
    let label = |part: &counted::Part| match &part.name[..] {
        "self_attn" => "self-attention".to_owned(),
        "feed_forward" => "feed-forward".to_owned(),
        "norm" => "norms".to_owned(),
        other => other.to_owned(),
    };
    let parameters = layer.parts.iter().map(|part| part.times * part.count);
    Facts::default()
        .with("poked", words[knobs.poke].clone())
        .with("tokens", words)
        .with("ffn_still", still(&ffn))
        .with("ffn_moved", ffn)
        .with("attention_still", still(&attention))
        .with("attention_moved", attention)
        .with("points_to_2", Fact::numbers(to_2))
        .with("relu", Fact::numbers(of(Activation::Relu)))
        .with("gelu", Fact::numbers(gelu.iter().copied()))
        .with("swish", Fact::numbers(of(Activation::Silu)))
        .with("gelu_minus_sigmoid", minus(Activation::GeluSigmoid))
        .with("gelu_minus_swish", minus(Activation::Silu))
        .with("points", Fact::numbers(points.iter().copied()))
        .with("parts", Fact::words(layer.parts.iter().map(label)))
        .with("part_parameters", Fact::numbers(parameters))
        .with("layer_parameters", layer.count)
}

impl Stage for FeedForwardStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (knobs, layer): (Knobs, _) = (settings.knobs(), check::TASK.chosen(settings));
        let run = Run::new(record(&knobs, layer), Vec::new());
        Ok(run.telling(facts(&knobs, layer)))
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
