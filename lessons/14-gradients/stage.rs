//! Lesson 14: gradients, and how to know that they are right.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::{Lesson, Picture, Run, Settings, Stage};
use crate::text::sample::{self, Language};

mod by_hand;
pub mod check;
mod differences;
#[path = "more/layer_norm_backward/check.rs"]
pub mod layer_norm_backward;
#[path = "more/linear/check.rs"]
pub mod linear;
mod networks;
mod pictures;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
#[path = "more/tiny_tape/check.rs"]
pub mod tiny_tape;

use differences::{Cell, Probe};
use networks::{Head, Tiny, WORDS};

pub static LESSON: LazyLock<Lesson> = lesson!("14-gradients", GradientStage, check::TASK; "linear" => linear::TASK, "tiny_tape" => tiny_tape::TASK, "layer_norm_backward" => layer_norm_backward::TASK);

struct GradientStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    network: Network,
    of: Cell,
    step: f64,
    room: f32,
    seed: u64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Network {
    Tiny,
    Attention,
}

impl Knobs {
    fn probe(&self) -> Probe {
        Probe {
            cell: self.of,
            room: self.room,
            seed: self.seed,
        }
    }
}

/// The trace of the run, and the largest difference between the backward pass by hand and the tape's.
fn record(knobs: &Knobs, settings: &Settings) -> (Trace, f64) {
    if matches!(knobs.network, Network::Tiny) {
        let tiny = Tiny::new(knobs.room);
        let tape = Tape::eval(&tiny.params);
        let run = tiny.run(&tape);
        let wrong = by_hand::Wrong {
            overwrite: settings.broken("overwrite"),
            open: settings.broken("open"),
        };
        let apart = by_hand::tiny(&run, &run.loss.backward(), wrong);
        return (tape.trace(), apart);
    }
    let head = Head::new(knobs.seed);
    let tape = Tape::eval(&head.params);
    let run = head.run(&tape);
    let softmax = check::TASK.chosen(settings);
    let apart = by_hand::head(&run, &run.loss.backward(), softmax);
    // A short sentence of five tokens, which attends to itself.
    let words = vec![sample::words(7, WORDS, Language::English)];
    let trace = tape.trace();
    (trace.label("t", words.clone()).label("s", words), apart)
}

/// How far attention weights move when every cell of the key's bias moves by `by`.
fn weights_moved(seed: u64, by: f32) -> f64 {
    let weights = |by: f32| {
        let mut head = Head::new(seed);
        let bias = head.params.find("key.bias").expect("the keys have a bias");
        let cells = head.params.get_mut(bias).data_mut();
        cells.iter_mut().for_each(|cell| *cell += by);
        head.run(&Tape::eval(&head.params)).weights.value()
    };
    let moved = weights(0.0).zip(&weights(by), |a, b| (a - b).abs());
    f64::from(moved.data().iter().copied().fold(0.0, f32::max))
}

/// Largest cell of the tape's gradient with respect to a parameter of the attention network.
fn largest(seed: u64, name: &str) -> Option<f64> {
    let head = Head::new(seed);
    let grads = head.run(&Tape::eval(&head.params)).loss.backward();
    let grad = grads.param(head.params.find(name)?)?;
    let sizes = grad.data().iter().map(|g| f64::from(g.abs()));
    Some(sizes.fold(0.0, f64::max))
}

/// How often operations up to the loss use a tensor.
fn uses(trace: &Trace, name: &str) -> Option<f64> {
    let (step, loss) = (trace.find(name)?, trace.find("loss")?);
    let inputs = trace.steps()[..=loss].iter().flat_map(|s| s.inputs());
    Some(inputs.filter(|i| **i == step).count() as f64)
}

impl Stage for GradientStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let (trace, _) = record(&knobs, settings);
        let (tape, facts) = pictures::tape(&trace);
        let facts = pictures::measured(knobs.probe(), knobs.step, facts);
        let tape = Picture::drawn("tape", tape);
        Ok(Run::new(trace, vec![tape]).telling(facts))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let (probe, seed) = (knobs.probe(), knobs.seed);
        match name {
            "relative_hundredth" => Some(probe.relative(0.01)),
            "relative_millionth" => Some(probe.relative(0.000_001)),
            "hand_apart" => Some(record(&knobs, settings).1),
            "key_bias" => largest(seed, "key.bias"),
            "query_bias" => largest(seed, "query.bias"),
            "weights_moved" => Some(weights_moved(seed, 10.0)),
            "uses_of_x" => uses(&run.trace, "x"),
            "uses_of_error" => uses(&run.trace, "error"),
            "parameters" => {
                let steps = run.trace.steps().iter();
                let leaves = steps.filter(|s| s.op() == "parameter");
                Some(leaves.map(|s| s.value.len()).sum::<usize>() as f64)
            }
            _ => None,
        }
    }
}
