//! Lesson 15: teacher forcing, and why the target is shifted.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::Trace;
use crate::lesson;
use crate::lesson::{Fact, Facts, Lesson, Run, Settings, Stage};
use crate::tensor::Tensor;
use crate::transformer::config::Shift;

pub mod check;
mod passes;
mod race;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use passes::{LENGTH, Loop, Reader};

pub static LESSON: LazyLock<Lesson> = lesson!("15-teacher-forcing", ForcingStage, check::TASK);

struct ForcingStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    form: Shift,
    steps: usize,
    seed: u64,
}

/// The words for a row of ids.
fn words_of(ids: &[f32], names: &[String], sentence: &Tensor) -> String {
    let name = |id: &f32| {
        let row = &sentence.data()[..names.len()];
        let at = row.iter().position(|other| other == id);
        at.map_or_else(|| id.to_string(), |at| names[at].clone())
    };
    ids.iter().map(name).collect::<Vec<_>>().join(" ")
}

struct Recorded {
    trace: Trace,
    looped: Loop,
    ntokens: usize,
    words: Vec<Vec<String>>,
    sentence: Tensor,
}

fn make(knobs: &Knobs, settings: &Settings) -> Recorded {
    let (sentence, words) = passes::targets(!settings.broken("no-start"));
    let batch = check::TASK.chosen(settings)(&sentence);
    let masked = !settings.broken("no-mask");
    let ntokens = batch.ntokens;
    let trace = Reader::new(knobs.seed, masked, knobs.form).record(&sentence, batch);
    let first = &sentence.data()[..words[0].len()];
    let length = first.iter().take_while(|&&id| id != 0.0).count();
    // The loop is that of the pseudo-code, which shifts ids.
    let reader = Reader::new(knobs.seed, masked, Shift::Ids);
    let looped = passes::looped(&reader, &first[..length.min(LENGTH)]);
    Recorded {
        trace,
        looped,
        ntokens,
        words,
        sentence,
    }
}

/// The sentence prefix by prefix, and the losses of the loop over them.
fn facts(made: &Recorded) -> Facts {
    let words = |ids: &[f32]| words_of(ids, &made.words[0], &made.sentence);
    let looped = &made.looped;
    let last = |says: &[f32]| says.last().copied().unwrap_or_default();
    let (reads, says) = looped.prefixes.last().cloned().unwrap_or_default();
    let prefixes = || looped.prefixes.iter();
    let each = |ids: &[f32]| Fact::words(ids.iter().map(|id| words(&[*id])));
    Facts::default()
        .with(
            "prefixes",
            Fact::words(prefixes().map(|(reads, _)| words(reads))),
        )
        .with(
            "predicted",
            Fact::words(prefixes().map(|(_, says)| words(&[last(says)]))),
        )
        .with(
            "predicted_ids",
            Fact::numbers(prefixes().map(|(_, says)| last(says))),
        )
        .with("read", each(&reads[..looped.counts.len()]))
        .with("predicts", each(&says[..looped.counts.len()]))
        .with("loop_losses", looped.losses.clone())
        .with("loop_counts", Fact::numbers(looped.counts.iter().copied()))
        .with("ntokens", made.ntokens)
        .with("loop_apart", looped.apart)
        .with("loop_reads", looped.counts.iter().sum::<usize>())
        .with("pass_reads", looped.counts.len())
        .with("loop_loss", looped.total)
}

/// Words that the decoder reads, for the axis of its positions.
fn read_words(made: &Recorded) -> Vec<Vec<String>> {
    let known = made.sentence.data().iter().zip(made.words.iter().flatten());
    let known: std::collections::BTreeMap<u32, &String> =
        known.map(|(id, word)| (*id as u32, word)).collect();
    let Some(tgt) = made.trace.tensor("tgt") else {
        return Vec::new();
    };
    let name = |id: &f32| {
        known
            .get(&(*id as u32))
            .map_or_else(String::new, ToString::to_string)
    };
    let rows = tgt.data().chunks(tgt.last());
    rows.map(|row| row.iter().map(name).collect()).collect()
}

impl Stage for ForcingStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let made = make(&knobs, settings);
        let jobs = vec![
            race::picture(knobs.steps, knobs.seed),
            race::starts(knobs.steps, knobs.seed),
        ];
        let facts = facts(&made);
        let prefix = read_words(&made);
        let trace = made.trace.label("n", made.words).label("t", prefix);
        Ok(Run::new(trace, jobs).telling(facts))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let ended = |lane: usize| race::finish(lane, knobs.steps, knobs.seed);
        let numbers = |name| run.facts.numbers(name);
        if let Some(position) = name.strip_prefix("count_") {
            return numbers("loop_counts")?
                .get(position.parse::<usize>().ok()?)
                .copied();
        }
        if let Some(start) = name.strip_prefix("start_") {
            let (what, id) = start.split_once('_')?;
            let first = ended(0);
            let starts = &first.starts;
            let start = starts.get(id.parse::<usize>().ok()?)?;
            return Some(if what == "first" {
                start.first
            } else {
                start.right
            });
        }
        match name {
            "weighted_loss" => {
                let pairs = numbers("loop_losses")?.iter().zip(numbers("loop_counts")?);
                Some(pairs.map(|(loss, n)| loss * n).sum())
            }
            "first_word_asked" => {
                let (sentence, _) = passes::targets(true);
                let asked = run.trace.tensor("tgt_y")?;
                let row = &asked.data()[..asked.last()];
                let contained = row.contains(&sentence.at(&[0, 1]));
                Some(f64::from(contained))
            }
            // shifted_loss, unshifted_right_most, …
            _ => {
                let (lane, rest) = name.split_once('_')?;
                let lane = ["shifted", "unshifted"].iter().position(|w| *w == lane)?;
                let (what, which) = rest.split_once('_').unwrap_or((rest, "mean"));
                let what = ["loss", "right"].iter().position(|w| *w == what)?;
                race::ends(knobs.steps, knobs.seed)[lane][what].get(which)
            }
        }
    }
}
