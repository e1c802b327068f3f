//! Lesson 02: the position table at the standard sizes.

use crate::autograd::Tape;
use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::nn::positional_encoding::{PositionalEncoding, positional_encoding};
use crate::ops::Layout;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use std::sync::LazyLock;

pub mod check;
mod experiments;
pub mod mistakes;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

pub static LESSON: LazyLock<Lesson> = lesson!("02-positional-encoding", PositionStage, check::TASK);

/// The rows of the table.
const MAX_LEN: usize = 5000;

struct PositionStage;

/// The mistakes are mistakes of the paper's layout.
fn layout(settings: &Settings) -> Layout {
    let sound = LESSON.mistakes.iter().all(|m| !settings.broken(m.name));
    if sound && settings.text("layout") == "halves" {
        Layout::Halves
    } else {
        Layout::Interleaved
    }
}

/// The table of the mistake that is on.
fn broken(settings: &Settings, length: usize, d_model: usize) -> Option<Tensor> {
    type Table = fn(usize, usize) -> Tensor;
    let known: [(&str, Table); 6] = [
        ("no-position", |length, d_model| {
            Tensor::zeros(&[length, d_model])
        }),
        ("own-frequency", mistakes::own_frequency),
        ("from-one", mistakes::from_one),
        ("small-base", mistakes::small_base),
        ("swapped", mistakes::swapped),
        ("half-exponent", mistakes::half_exponent),
    ];
    let (_, table) = known.into_iter().find(|(name, _)| settings.broken(name))?;
    Some(table(length, d_model))
}

impl Stage for PositionStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (d_model, length) = (settings.whole("d_model"), settings.whole("length"));
        let seed = settings.whole("seed") as u64;
        // An odd width is refused by the real table, with a mistake on as without.
        let _ = positional_encoding(1, d_model);
        let tape = Tape::eval(&Params::default());
        let words = random::normal(&[30, length, d_model], 1.0, seed, "words");
        let x = tape.input("embedded", words, &["b", "t", "d"]);
        let layout = layout(settings);
        let table = match broken(settings, 100, d_model) {
            Some(table) => {
                let whole =
                    tape.constant("table", table.reshape(&[1, 100, d_model]), &["", "p", "d"]);
                let pe = whole.rows(length).named("pe");
                let _ = x.add(&pe).named("with_position");
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
                tape.trace()
                    .tensor("sinusoid")
                    .cloned()
                    .ok_or("the table was not recorded")?
            }
        };
        Ok(Run {
            trace: tape.trace(),
            pictures: experiments::pictures(&table, layout),
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let (trace, d_model) = (&run.trace, settings.whole("d_model"));
        // A mistake has a table of its own, which it leaves in place of the sound one.
        let table = trace.tensor("sinusoid").or(trace.tensor("table"))?;
        let table = &table.reshape(&[table.len() / d_model, d_model]);
        let wave = |pair: usize| experiments::wavelengths(table, layout(settings))[pair];
        if let Some(rest) = name.strip_prefix("dot_") {
            let (a, b) = rest.split_once('_')?;
            return Some(experiments::dot(table, a.parse().ok()?, b.parse().ok()?));
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
            "probe_word" => experiments::PROBES.0,
            "probe_position" => experiments::PROBES.1,
            "learned_parameters" => learned(d_model) as f64,
            "gradients_kept" => gradients_kept(d_model) as f64,
            _ => return None,
        })
    }
}

/// The parameters that a learned table of the same size would add.
fn learned(d_model: usize) -> usize {
    let mut params = Params::new(0);
    params.add(
        "positions",
        &[MAX_LEN, d_model],
        &["p", "d"],
        crate::params::Init::Constant(0.0),
    );
    params.count()
}

/// How many gradients by the fixed table a backward walk keeps: none.
fn gradients_kept(d_model: usize) -> usize {
    let tape = Tape::eval(&Params::default());
    let x = tape.input("x", Tensor::ones(&[1, 4, d_model]), &["b", "t", "d"]);
    let table = tape.sinusoid(4, d_model, Layout::Interleaved);
    let grads = x.add(&table).sum().backward();
    usize::from(grads.get(&table).is_some())
}
