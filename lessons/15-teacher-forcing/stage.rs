//! Lesson 15: teacher forcing, and why the target is shifted.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::Trace;
use crate::lesson;
use crate::lesson::{Lesson, Picture, Run, Settings, Stage};
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

fn prefixes_picture(made: &Recorded) -> Picture {
    let words = |ids: &[f32]| words_of(ids, &made.words[0], &made.sentence);
    let row = |(reads, says): &(Vec<f32>, Vec<f32>)| {
        let last = says.last().copied().unwrap_or_default();
        vec![words(reads), words(&[last]), last.to_string()]
    };
    Picture::table(
        "prefixes",
        "After these tokens, what comes next?",
        format!(
            "One sentence of {} ids contains {} questions.",
            made.looped.counts.len() + 1,
            made.looped.counts.len()
        ),
        &["reads", "should predict", "id"],
        made.looped.prefixes.iter().map(row).collect(),
    )
}

fn loop_picture(made: &Recorded) -> Picture {
    let counts = &made.looped;
    let (reads, says) = counts.prefixes.last().cloned().unwrap_or_default();
    let words = |id: f32| words_of(&[id], &made.words[0], &made.sentence);
    let row = |j: usize| {
        vec![
            words(reads[j]),
            words(says[j]),
            format!("{:.3}", counts.losses[j]),
            counts.counts[j].to_string(),
        ]
    };
    Picture::table(
        "loop",
        "The loss of each position, and how often the loop counts it",
        format!(
            "The logits of a prefix and of the single run {}. The loop reads {} positions, the single run {}.",
            match counts.apart {
                0.0 => "are equal to the last bit".to_owned(),
                apart => format!("differ by at most {apart:.1e}"),
            },
            counts.counts.iter().sum::<usize>(),
            counts.counts.len()
        ),
        &["reads", "predicts", "loss", "counted"],
        (0..counts.counts.len()).map(row).collect(),
    )
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
        let pictures = vec![
            prefixes_picture(&made),
            loop_picture(&made),
            race::picture(knobs.steps, knobs.seed),
            race::starts(knobs.steps, knobs.seed),
        ];
        let prefix = read_words(&made);
        Ok(Run::new(
            made.trace.label("n", made.words).label("t", prefix),
            pictures,
        ))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let made = || make(&knobs, settings);
        let looped = || made().looped;
        let ended = |lane: usize| race::finish(lane, knobs.steps, knobs.seed);
        if let Some(position) = name.strip_prefix("count_") {
            let position: usize = position.parse().ok()?;
            return looped().counts.get(position).map(|n| *n as f64);
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
            "ntokens" => Some(made().ntokens as f64),
            "loop_apart" => Some(looped().apart),
            "loop_reads" => Some(looped().counts.iter().sum::<usize>() as f64),
            "pass_reads" => Some(looped().counts.len() as f64),
            "loop_loss" => Some(looped().total),
            "weighted_loss" => {
                let counts = looped();
                let pairs = counts.losses.iter().zip(&counts.counts);
                Some(pairs.map(|(loss, n)| loss * *n as f64).sum())
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
