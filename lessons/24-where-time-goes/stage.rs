//! Lesson 24: where the time of a training step goes, and why a decoder waits for memory.

use crate::lesson;
use crate::lesson::knob::both;
use crate::lesson::{Lesson, Picture, Run, Settings, Stage};
use crate::transformer::cost::attention_cost;
use std::sync::LazyLock;

#[path = "more/attend_block/check.rs"]
pub mod attend_block;
pub mod check;
mod counts;
mod hand;
mod knobs;
mod loops;
mod padding;
mod pictures;
mod races;
mod record;
mod shards;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use counts::Kind;
use knobs::{Knobs, Order};

pub static LESSON: LazyLock<Lesson> =
    lesson!("24-where-time-goes", TimeStage, check::TASK; "attend_block" => attend_block::TASK);

struct TimeStage;

impl Stage for TimeStage {
    fn exclude(&self, one: &str, other: &str) -> bool {
        both::<hand::Flaw>(one, other)
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (knobs, flaw): (Knobs, _) = (settings.knobs(), settings.mistake()?);
        let trace = record::record(&knobs, flaw);
        let facts = pictures::facts(settings, &trace);
        let timed = [
            races::times(knobs),
            races::products(),
            races::rows(),
            races::shards(),
        ];
        Ok(Run::new(trace, timed.map(Picture::measuring).into()).telling(facts))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let by_hand = || record::by_hand(&knobs, check::TASK.chosen(settings));
        let trace = &run.trace;
        let recorded = || counts::products(trace, |name| name.starts_with(hand::COUNTED));
        let for_words = || counts::products(trace, counts::for_every_word);
        let all = || counts::all_flops(trace) as f64;
        if let Some((what, kind)) = name.split_once('_')
            && let Some((kind, ..)) = Kind::ALL.into_iter().find(|(_, name, _)| *name == kind)
        {
            let (steps, flops) = counts::kind(trace, kind);
            match what {
                "flops" => return Some(flops as f64),
                "steps" => return Some(steps as f64),
                "share" => return Some(flops as f64 / all()),
                _ => {}
            }
        }
        if let Some(op) = name.strip_prefix("times_") {
            return Some(counts::steps(trace).filter(|s| s.op() == op).count() as f64);
        }
        Some(match name {
            "all_operations" => all(),
            "steps" => counts::steps(trace).count() as f64,
            "by_hand_flops" => by_hand().flops as f64,
            "by_hand_bytes" => by_hand().bytes as f64,
            "recorded_flops" => recorded().flops as f64,
            "recorded_bytes" => recorded().bytes as f64,
            "flops_of_8_heads" => {
                let sizes = hand::sizes(&record::counted_batch(&knobs), knobs.width);
                attention_cost(sizes.b, sizes.t, sizes.s, sizes.d, 8).flops as f64
            }
            "word_intensity" => for_words().intensity(),
            "word_flops" => for_words().flops as f64,
            "word_bytes" => for_words().bytes as f64,
            "kept" => counts::kept(trace) as f64,
            "pad_cells" => {
                let batch = record::batch(&knobs);
                let ids = batch.src.data().iter().chain(batch.tgt.data());
                ids.filter(|&&id| id == 0.0).count() as f64
            }
            "wasted_drawn" => padding::cells(Order::Drawn).wasted(),
            "wasted_sorted" => padding::cells(Order::Sorted).wasted(),
            "batches_drawn" => padding::cells(Order::Drawn).batches as f64,
            "batches_sorted" => padding::cells(Order::Sorted).batches as f64,
            "pool" => record::POOL as f64,
            "fingerprints" => shards::FOUND.0 as f64,
            "fingerprints_of_both" => shards::FOUND.1 as f64,
            "same_bits" => f64::from(shards::FOUND.0 == 1),
            "other_shards_differ" => f64::from(shards::FOUND.1 > shards::FOUND.0),
            _ => return None,
        })
    }
}
