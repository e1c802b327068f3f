//! Lesson 03: batches and masks at the standard sizes.

use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::ops;
use std::sync::LazyLock;

mod board;
pub mod check;
mod experiments;
pub mod mistakes;
mod pictures;
mod record;
mod sentences;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

pub static LESSON: LazyLock<Lesson> = lesson!("03-masks", Masks, check::TASK);

struct Masks;

impl Stage for Masks {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        pictures::run(record::record(settings)?, settings)
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let made = || record::record(settings).ok();
        let scramble = || Some(experiments::scramble(&made()?, settings));
        let five = |open, fill, size| {
            let seed = settings.whole("seed") as u64;
            experiments::five(open, fill, size, seed)
        };
        let apart =
            |open, fill, size| f64::from(experiments::largest_difference(&five(open, fill, size)));
        let share = |of: fn(&[sentences::Pair]) -> f64| Some(of(&made()?.pairs));
        match name {
            "leak" => run.leak.map(f64::from),
            "pad_share" => share(|pairs| sentences::pad_share(&pairs[..sentences::BATCH])),
            "pad_share_all" => Some(pictures::total_pad_share(&made()?)),
            "blocked_share" => {
                let made = made()?;
                let weights = run.trace.tensor("self.weights")?;
                Some(experiments::blocked_share(weights, &made.rules))
            }
            "scrambled_encoder" => Some(scramble()?.encoder.into()),
            "scrambled_decoder" => Some(scramble()?.decoder.into()),
            "scrambled_pad" => Some(scramble()?.pad.into()),
            "pad_loss_weight" => Some(scramble()?.loss_weight.into()),
            "pads_in_the_past" => Some(experiments::pads_in_the_past(&made()?) as f64),
            "whole_row" => Some(five(pictures::NONE, -1e9, 1.0).0.data()[0].into()),
            "whole_row_nan" => {
                let row = five(pictures::NONE, f32::NEG_INFINITY, 1.0).0;
                Some(f64::from(u8::from(row.data().iter().all(|x| x.is_nan()))))
            }
            "apart_open" => Some(apart(pictures::PART, -1e9, 1.0)),
            "apart_whole" => Some(apart(pictures::NONE, -1e9, 1.0)),
            "apart_whole_weak" => Some(apart(pictures::NONE, -1e4, 1.0)),
            "apart_whole_large" => Some(apart(pictures::NONE, -1e9, 1000.0)),
            "open_in_20" => Some(ops::subsequent_mask(20).sum()),
            "sunk_weak" => Some(experiments::sunk(
                &made()?,
                -1e4,
                1e5,
                settings.whole("seed") as u64,
            )),
            "sunk_low" => Some(experiments::sunk(
                &made()?,
                -1e9,
                1e5,
                settings.whole("seed") as u64,
            )),
            // What the first word of sentence 0 gives to words that it must not see.
            "future_of_first" => {
                let weights = run.trace.tensor("self.weights")?;
                let row = &weights.data()[1..weights.last()];
                Some(row.iter().map(|&x| f64::from(x)).sum())
            }
            _ => None,
        }
    }
}
