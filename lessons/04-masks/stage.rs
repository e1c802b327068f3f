//! Lesson 04: batches and masks at the standard sizes.

use std::sync::LazyLock;

use crate::lesson;
use crate::lesson::measure::flag;
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
        let numbers = |name| run.facts.numbers(name);
        let weights = || run.trace.tensor("self.weights");
        Some(match name {
            "leak" => run.leak?.into(),
            "blocked_share" => experiments::blocked_share(weights()?, &made()?.rules),
            "pads_in_the_past" => experiments::pads_in_the_past(&made()?) as f64,
            "whole_row" => numbers("replaced_whole")?[0],
            "whole_row_nan" => flag(numbers("replaced_infinite")?.iter().all(|x| x.is_nan())),
            "open_in_20" => ops::subsequent_mask(20).sum(),
            // Attention of sentence 0's first token to tokens that it must not see.
            "future_of_first" => {
                let row = &weights()?.data()[1..weights()?.last()];
                row.iter().map(|&x| f64::from(x)).sum()
            }
            _ => return None,
        })
    }
}
