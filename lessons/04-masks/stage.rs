//! Lesson 04: batches and masks at the standard sizes.

use std::sync::LazyLock;

use crate::lesson;
use crate::lesson::measure::{flag, largest_difference};
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::ops;

mod board;
pub mod check;
mod experiments;
mod pictures;
mod record;
mod sentences;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

pub static LESSON: LazyLock<Lesson> = lesson!("04-masks", Masks, check::TASK);

struct Masks;

impl Stage for Masks {
    fn exclude(&self, one: &str, other: &str) -> bool {
        let fills = ["weak-fill", "times-zero"];
        fills.contains(&one) && fills.contains(&other)
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        pictures::run(record::record(settings)?)
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let made = || record::record(settings).ok();
        let scramble = || Some(experiments::scramble(&made()?));
        let sunk = |fill| Some(experiments::sunk(&made()?, fill, 1e5));
        let seed = settings.knobs::<record::Knobs>().seed;
        let five = |open, fill, size| experiments::five(open, fill, size, seed);
        let apart = |open, fill, size| {
            let (replaced, added) = five(open, fill, size);
            largest_difference(&replaced, &added)
        };
        let weights = || run.trace.tensor("self.weights");
        Some(match name {
            "leak" => run.leak?.into(),
            "pad_share" => sentences::pad_share(&made()?.pairs[..sentences::BATCH]),
            "pad_share_all" => sentences::pad_share(&made()?.pairs),
            "blocked_share" => experiments::blocked_share(weights()?, &made()?.rules),
            "scrambled_encoder" => scramble()?.encoder.into(),
            "scrambled_decoder" => scramble()?.decoder.into(),
            "scrambled_pad" => scramble()?.pad.into(),
            "pad_loss_weight" => scramble()?.loss_weight.into(),
            "pads_in_the_past" => experiments::pads_in_the_past(&made()?) as f64,
            "whole_row" => five(pictures::NONE, -1e9, 1.0).0.data()[0].into(),
            "whole_row_nan" => {
                let row = five(pictures::NONE, f32::NEG_INFINITY, 1.0).0;
                flag(row.data().iter().all(|x| x.is_nan()))
            }
            "apart_open" => apart(pictures::PART, -1e9, 1.0),
            "apart_whole" => apart(pictures::NONE, -1e9, 1.0),
            "apart_whole_weak" => apart(pictures::NONE, -1e4, 1.0),
            "apart_whole_large" => apart(pictures::NONE, -1e9, 1000.0),
            "open_in_20" => ops::subsequent_mask(20).sum(),
            "sunk_weak" => sunk(-1e4)?,
            "sunk_low" => sunk(-1e9)?,
            // Attention of sentence 0's first token to tokens that it must not see.
            "future_of_first" => {
                let row = &weights()?.data()[1..weights()?.last()];
                row.iter().map(|&x| f64::from(x)).sum()
            }
            _ => return None,
        })
    }
}
