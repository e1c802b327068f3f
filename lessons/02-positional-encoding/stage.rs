//! Lesson 02: the position table at the standard sizes.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::Tape;
use crate::lesson;
use crate::lesson::measure::flag;
use crate::lesson::{Lesson, Picture, Run, Settings, Stage};
use crate::nn::positional_encoding::{PositionalEncoding, positional_encoding};
use crate::ops::Layout;
use crate::params::{Init, Params};
use crate::tensor::{Tensor, random};

pub mod check;
mod experiments;
mod moved;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

pub static LESSON: LazyLock<Lesson> = lesson!("02-positional-encoding", PositionStage, check::TASK);

/// Number of rows of the table.
const MAX_LEN: usize = 5000;

struct PositionStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    d_model: usize,
    layout: Layout,
    length: usize,
    seed: u64,
}

/// The mistake that is switched on.
fn broken(settings: &Settings) -> Option<check::TableFn> {
    if settings.broken("no-position") {
        return Some(|length, d_model| Tensor::zeros(&[length, d_model]));
    }
    check::TASK.broken(settings)
}

/// Layout of the table; the mistakes exist only in the paper's layout.
fn layout(knobs: &Knobs, settings: &Settings) -> Layout {
    broken(settings).map_or(knobs.layout, |_| Layout::Interleaved)
}

impl Stage for PositionStage {
    fn exclude(&self, one: &str, other: &str) -> bool {
        [one, other].contains(&"no-position")
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let (d_model, length) = (knobs.d_model, knobs.length);
        // The real table refuses an odd width; call it so that a mistake refuses it too.
        let _ = positional_encoding(1, d_model);
        let tape = Tape::eval(&Params::default());
        let words = random::normal(&[30, length, d_model], 1.0, knobs.seed, "words");
        let x = tape.input("embedded", words, &["b", "t", "d"]);
        let layout = layout(&knobs, settings);
        let table = match broken(settings) {
            Some(table) => {
                let table = table(100, d_model);
                let whole = table.reshape(&[1, 100, d_model]);
                let whole = tape.constant("table", whole, &["", "p", "d"]);
                let _ = x
                    .add(&whole.rows(length).named("pe"))
                    .named("with_position");
                table
            }
            None => {
                PositionalEncoding {
                    max_len: MAX_LEN,
                    d_model,
                    layout,
                    first: 0,
                }
                .forward(&x);
                let trace = tape.trace();
                let table = trace.tensor("sinusoid").cloned();
                table.ok_or("the table was not recorded")?
            }
        };
        let gram = Picture::drawn("gram", experiments::gram(&table));
        let run = Run::new(tape.trace(), vec![gram, moved::picture()]);
        Ok(run.telling(experiments::facts(&table, layout)))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let (trace, d_model) = (&run.trace, knobs.d_model);
        // A mistake records its own table in place of the correct one.
        let table = trace.tensor("sinusoid").or(trace.tensor("table"))?;
        let table = &table.reshape(&[table.len() / d_model, d_model]);
        let wave = |pair: usize| experiments::wavelengths(table, layout(&knobs, settings))[pair];
        if let Some(rest) = name.strip_prefix("dot_") {
            let (a, b) = rest.split_once('_')?;
            return Some(experiments::dot(table, a.parse().ok()?, b.parse().ok()?));
        }
        if let Some(by) = name.strip_prefix("moved_") {
            let moved = moved::MOVED.iter().find(|m| m.by.to_string() == by)?;
            return Some(moved.loss);
        }
        Some(match name {
            "norm" => experiments::dot(table, 3, 3).sqrt(),
            "pairs" => (d_model / 2) as f64,
            "shortest_wave" => wave(0),
            "longest_wave" => wave(d_model / 2 - 1),
            "rotation_error" => experiments::rotation_error(&positional_encoding(200, d_model), 7),
            "blind" => experiments::BLINDNESS.0,
            "seeing" => experiments::BLINDNESS.1,
            "probe_width" => experiments::PROBED as f64,
            "probe_word" => experiments::PROBES.word,
            "probe_position" => experiments::PROBES.position,
            "probe_position_many" => experiments::PROBES.position_of_many,
            "probe_many" => experiments::MANY as f64,
            "learned_parameters" => learned(d_model) as f64,
            "gradients_kept" => gradients_kept(d_model),
            _ => return None,
        })
    }
}

/// Number of parameters that a learned table of the same size would add.
fn learned(d_model: usize) -> usize {
    let (mut params, shape) = (Params::new(0), [MAX_LEN, d_model]);
    params.add("positions", &shape, &["p", "d"], Init::Constant(0.0));
    params.count()
}

/// Number of gradients that the backward pass keeps for the fixed table: none.
fn gradients_kept(d_model: usize) -> f64 {
    let tape = Tape::eval(&Params::default());
    let x = tape.input("x", Tensor::ones(&[1, 4, d_model]), &["b", "t", "d"]);
    let table = tape.sinusoid(4, d_model, Layout::Interleaved);
    flag(x.add(&table).sum().backward().get(&table).is_some())
}
