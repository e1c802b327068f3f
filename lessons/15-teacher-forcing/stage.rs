//! Lesson 15: teacher forcing, and why the target is shifted.

use crate::autograd::Trace;
use crate::lesson;
use crate::lesson::{Body, Lesson, Picture, Run, Settings, Stage};
use crate::nn::masks::shift;
use crate::tensor::Tensor;
use std::sync::LazyLock;

pub mod check;
pub mod mistakes;
mod passes;
mod race;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use passes::{LENGTH, Loop, Reader};

pub static LESSON: LazyLock<Lesson> = lesson!("15-teacher-forcing", ForcingStage, check::TASK);

struct ForcingStage;

/// Where a drawn row of ids ends.
fn words_of(ids: &[f32], names: &[String], sentence: &Tensor) -> String {
    let name = |id: &f32| {
        let row = &sentence.data()[..names.len()];
        let at = row.iter().position(|other| other == id);
        at.map_or_else(|| id.to_string(), |at| names[at].clone())
    };
    ids.iter().map(name).collect::<Vec<_>>().join(" ")
}

struct Made {
    trace: Trace,
    looped: Loop,
    ntokens: usize,
    words: Vec<Vec<String>>,
    sentence: Tensor,
}

fn make(settings: &Settings) -> Made {
    let (sentence, words) = passes::targets(!settings.broken("no-start"));
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    let batch = on.map_or(shift as mistakes::ShiftFn, |(_, mistake)| mistake)(&sentence);
    let (seed, masked) = (settings.whole("seed") as u64, !settings.broken("no-mask"));
    let ntokens = batch.ntokens;
    let reader = Reader::new(seed, masked, settings.text("form") == "embeddings");
    let trace = reader.record(&sentence, batch);
    let length = sentence.data()[..words[0].len()]
        .iter()
        .take_while(|&&id| id != 0.0)
        .count();
    // The loop is the pseudo-code's, which moves ids.
    let looped = passes::looped(
        &Reader::new(seed, masked, false),
        &sentence.data()[..length.min(LENGTH)],
    );
    Made {
        trace,
        looped,
        ntokens,
        words,
        sentence,
    }
}

fn prefixes_picture(made: &Made) -> Picture {
    let words = |ids: &[f32]| words_of(ids, &made.words[0], &made.sentence);
    let row = |(reads, says): &(Vec<f32>, Vec<f32>)| {
        let last = says.last().copied().unwrap_or_default();
        vec![words(reads), words(&[last]), last.to_string()]
    };
    Picture {
        name: "prefixes",
        title: "After these words, what comes next?".to_owned(),
        says: format!(
            "One sentence of {} ids asks {} questions.",
            made.looped.counts.len() + 1,
            made.looped.counts.len()
        ),
        body: Body::Table {
            header: ["reads", "is to say", "id"].map(String::from).to_vec(),
            rows: made.looped.prefixes.iter().map(row).collect(),
        },
    }
}

fn loop_picture(made: &Made) -> Picture {
    let found = &made.looped;
    let (reads, says) = found.prefixes.last().cloned().unwrap_or_default();
    let words = |id: f32| words_of(&[id], &made.words[0], &made.sentence);
    let row = |j: usize| {
        vec![
            words(reads[j]),
            words(says[j]),
            format!("{:.3}", found.losses[j]),
            found.counts[j].to_string(),
        ]
    };
    Picture {
        name: "loop",
        title: "Each position's loss, and how often it counts".to_owned(),
        says: format!(
            "Between the logits of a prefix and of the one pass there is at most {:.1e}. The loop reads {} positions, the one pass {}.",
            found.apart,
            found.counts.iter().sum::<usize>(),
            found.counts.len()
        ),
        body: Body::Table {
            header: ["reads", "says", "loss", "times"]
                .map(String::from)
                .to_vec(),
            rows: (0..found.counts.len()).map(row).collect(),
        },
    }
}

/// The words of what the decoder reads, for the axis of its positions.
fn read_words(made: &Made) -> Vec<Vec<String>> {
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
        let made = make(settings);
        let pictures = vec![
            prefixes_picture(&made),
            loop_picture(&made),
            race::picture(settings.whole("steps"), settings.whole("seed") as u64),
        ];
        let read = read_words(&made);
        Ok(Run {
            trace: made.trace.label("n", made.words).label("t", read),
            pictures,
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let (seed, steps) = (settings.whole("seed") as u64, settings.whole("steps"));
        let looped = || make(settings).looped;
        let ended = |lane: usize| race::finish(lane, steps, seed);
        if let Some(position) = name.strip_prefix("count_") {
            let position: usize = position.parse().ok()?;
            return looped().counts.get(position).map(|n| *n as f64);
        }
        match name {
            "ntokens" => Some(make(settings).ntokens as f64),
            "loop_apart" => Some(looped().apart),
            "loop_reads" => Some(looped().counts.iter().sum::<usize>() as f64),
            "pass_reads" => Some(looped().counts.len() as f64),
            "loop_loss" => Some(looped().total),
            "weighted_loss" => {
                let found = looped();
                let pairs = found.losses.iter().zip(&found.counts);
                Some(pairs.map(|(loss, n)| loss * *n as f64).sum())
            }
            "first_word_asked" => {
                let (sentence, _) = passes::targets(true);
                let asked = run.trace.tensor("tgt_y")?;
                let row = &asked.data()[..asked.last()];
                let there = row.contains(&sentence.at(&[0, 1]));
                Some(f64::from(u8::from(there)))
            }
            "unshifted_loss" => ended(1).losses.last().copied(),
            "unshifted_right" => Some(ended(1).right),
            "shifted_loss" => ended(0).losses.last().copied(),
            "shifted_right" => Some(ended(0).right),
            _ => None,
        }
    }
}
