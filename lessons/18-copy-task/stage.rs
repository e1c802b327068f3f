//! Lesson 18: the copy task, a whole training from beginning to end.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::Tape;
use crate::lesson;
use crate::lesson::copying::{self, Lane as _};
use crate::lesson::race::last;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::nn::residual::NormPlace;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::schedule::noam_rate;

pub mod check;
mod model;
mod pictures;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
mod training;

use model::{Copier, Cut};
use training::{Lane, STEPS, lanes};

pub static LESSON: LazyLock<Lesson> = lesson!("18-copy-task", CopyStage, check::TASK);

struct CopyStage;

/// Sentences of the recorded run: the source's own test, one with repeated words, one with padding.
const SENTENCES: [[u8; copying::LENGTH]; 3] = [
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    [7, 3, 3, 9, 2, 10, 4, 4, 8, 5],
    [6, 2, 9, 5, 8, 3, 10, 0, 0, 0],
];

fn sentences() -> Tensor {
    let cells = SENTENCES.iter().flatten().map(|&id| f32::from(id));
    Tensor::new(&[SENTENCES.len(), copying::LENGTH], cells.collect())
}

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    step: usize,
    place: NormPlace,
    seed: u64,
}

fn lane(knobs: &Knobs, settings: &Settings) -> Lane {
    Lane {
        cut: Cut {
            scale: settings.broken("no-scale"),
            positions: settings.broken("no-positions"),
            residual: settings.broken("no-residual"),
            place: knobs.place,
        },
        batch: check::TASK.on(settings),
        cold: settings.broken("no-warmup"),
        seed: knobs.seed,
    }
}

/// A pass over the three sentences, up to the loss of every token.
fn record(lane: Lane, params: &Params) -> Run {
    let copier = Copier::new(&mut Params::layout(), lane.cut);
    let batch = lane.batch(&sentences());
    let tape = Tape::eval(params);
    // Record the targets first, so that they come beside the decoder's input.
    let targets = tape.ids("tgt_y", batch.tgt_y.clone(), &["b", "t"]);
    let hidden = copier.hidden(&tape, &batch);
    let log_probs = copier.model.generator.forward(&hidden);
    let _ = log_probs.pick(&targets).scale(-1.0).named("losses");
    let words = |x: &Tensor| {
        let rows = x.data().chunks(x.last());
        rows.map(|row| row.iter().map(ToString::to_string).collect())
            .collect()
    };
    let trace = tape.trace();
    Run::new(
        trace
            .label("s", words(&batch.src))
            .label("t", words(&batch.tgt)),
        Vec::new(),
    )
}

impl Stage for CopyStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        training::prepare();
        settings.at_most_one(check::TASK.mistakes.iter().map(|(name, _)| *name))?;
        let knobs: Knobs = settings.knobs();
        let lane = lane(&knobs, settings);
        let params = copying::weights(lane, knobs.step);
        Ok(Run {
            pictures: pictures::all(lane, record),
            ..record(lane, &params)
        })
    }

    fn fact(&self, name: &str, _: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let (lane, step) = (lane(&knobs, settings), knobs.step);
        match name {
            "ntokens" => return Some(lane.batch(&sentences()).ntokens as f64),
            "clueless" => return Some(10_f64.ln()),
            "right" => return Some(copying::right(lane, step)),
            "diagonal" => {
                let weights = pictures::attention(lane, &copying::weights(lane, step));
                return Some(pictures::diagonal(&weights));
            }
            "counted" => {
                let output = pictures::sample(lane, &copying::weights(lane, step));
                let right = output == "1 2 3 4 5 6 7 8 9 10";
                return Some(f64::from(right));
            }
            "small" => return Some(pictures::counts()[0] as f64),
            "full" => return Some(pictures::counts()[1] as f64),
            "norms" => {
                let copier = Copier::new(&mut Params::layout(), lane.cut);
                return Some(copier.norms() as f64);
            }
            // The source's schedule: half of the paper's, with a warm-up of 400 steps.
            "source_first" => return Some(0.5 * noam_rate(1, 512, 1.0, 400)),
            "source_last" => return Some(0.5 * noam_rate(400, 512, 1.0, 400)),
            _ => {}
        }
        if let Some(length) = name.strip_prefix("length_") {
            let length = length.parse().ok()?;
            return Some(copying::right_among(lane, step, length, length));
        }
        if let Some(length) = name.strip_prefix("begins_") {
            let length = length.parse().ok()?;
            return Some(copying::right_among(lane, step, length, copying::LENGTH));
        }
        let (what, rest) = name.split_once('_')?;
        if let Some(fact) = training::RECORD.fact(what, rest) {
            return Some(fact);
        }
        let place = || {
            lanes(lane.seed)
                .iter()
                .position(|(_, fact, _)| *fact == rest)
        };
        match what {
            "rate" => Some(lane.rate(rest.parse().ok()?)),
            "loss" => Some(last(&training::finish(lane.seed, place()?).losses)),
            "right" => {
                training::finish(lane.seed, place()?);
                Some(copying::right(lanes(lane.seed)[place()?].2, STEPS))
            }
            _ => None,
        }
    }
}
