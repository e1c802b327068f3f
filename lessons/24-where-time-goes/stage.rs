//! Lesson 24: where the time of a training step goes, and why a decoder waits for memory.

use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::transformer::cost::{Cost, attention_cost};
use std::sync::LazyLock;

pub mod check;
mod counts;
mod hand;
mod loops;
pub mod mistakes;
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
use padding::Cut;

pub static LESSON: LazyLock<Lesson> = lesson!("24-where-time-goes", TimeStage, check::TASK);

struct TimeStage;

/// The count by hand under the settings, with the mistake that is on.
fn by_hand(settings: &Settings) -> Cost {
    let batch = record::counted_batch(settings);
    mistakes::cost(
        hand::sizes(&batch, record::width(settings)),
        hand::flaw(settings),
    )
}

impl Stage for TimeStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        settings.mistake::<mistakes::Flaw>()?;
        let trace = record::record(settings);
        let pictures = pictures::all(settings, &trace);
        Ok(Run::new(trace, pictures))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let trace = &run.trace;
        let flag = |is: bool| f64::from(is);
        let recorded = || counts::products(trace, |name| name.starts_with(hand::COUNTED));
        let for_words = || counts::products(trace, counts::for_every_word);
        let all = || counts::all_flops(trace) as f64;
        if let Some((what, kind)) = name.split_once('_')
            && let Some(kind) = Kind::ALL.into_iter().find(|k| k.name() == kind)
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
            "by_hand_flops" => by_hand(settings).flops as f64,
            "by_hand_bytes" => by_hand(settings).bytes as f64,
            "recorded_flops" => recorded().flops as f64,
            "recorded_bytes" => recorded().bytes as f64,
            "flops_of_8_heads" => {
                let batch = record::counted_batch(settings);
                let sizes = hand::sizes(&batch, record::width(settings));
                attention_cost(sizes.b, sizes.t, sizes.s, sizes.d, 8).flops as f64
            }
            "word_intensity" => for_words().intensity(),
            "word_flops" => for_words().flops as f64,
            "word_bytes" => for_words().bytes as f64,
            "kept" => counts::kept(trace) as f64,
            "pad_cells" => {
                let batch = record::batch(settings);
                let zeros =
                    |x: &crate::tensor::Tensor| x.data().iter().filter(|&&id| id == 0.0).count();
                (zeros(&batch.src) + zeros(&batch.tgt)) as f64
            }
            "wasted_drawn" => padding::cells(Cut::Drawn).wasted(),
            "wasted_sorted" => padding::cells(Cut::Sorted).wasted(),
            "batches_drawn" => padding::cells(Cut::Drawn).batches as f64,
            "batches_sorted" => padding::cells(Cut::Sorted).batches as f64,
            "pool" => record::POOL as f64,
            "fingerprints" => shards::FOUND.0 as f64,
            "fingerprints_of_both" => shards::FOUND.1 as f64,
            "same_bits" => flag(shards::FOUND.0 == 1),
            "other_shards_differ" => flag(shards::FOUND.1 > shards::FOUND.0),
            _ => return None,
        })
    }
}
