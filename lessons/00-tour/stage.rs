//! Lesson 00: one sentence in the trained model, intact or broken.

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde::Deserialize;

use crate::autograd::{Edit, Nature};
use crate::lesson;
use crate::lesson::picture::{Progress, Report};
use crate::lesson::so_far::{self, Rung};
use crate::lesson::{
    Body, Flaw, Lesson, Picture, Reading, Run, Settings, Stage, damage, model_map, trained_fact,
    trained_run,
};
use crate::train::built_in::BuiltIn;

#[cfg(test)]
mod tests;

pub static LESSON: LazyLock<Lesson> = lesson!("00-tour", TourStage);

/// How long a token is shown as the newest.
const PACE: Duration = Duration::from_millis(280);

/// Id of the token "sleeping" in the trained translator.
const SLEEPING: usize = 2463;

struct TourStage;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    sentence: String,
    step: usize,
}

fn reading(settings: &Settings) -> Result<(Knobs, Arc<Reading>), String> {
    let (knobs, flaw): (Knobs, Option<Flaw>) = (settings.knobs(), settings.mistake()?);
    let reading = Reading::of(&knobs.sentence, flaw);
    Ok((knobs, reading))
}

impl Stage for TourStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (knobs, reading) = reading(settings)?;
        let mut run = trained_run(&reading, Some(knobs.step));
        run.pictures.insert(0, live(&reading));
        run.pictures.push(damage::picture(reading.flaw()));
        run.pictures.push(map(&reading));
        run.pictures.push(so_far::ladder(Rung::Complete, None));
        Ok(run)
    }

    /// There is one model, so only one switch can be on at a time.
    fn exclude(&self, _: &str, _: &str) -> bool {
        true
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let (knobs, reading) = reading(settings).ok()?;
        match name {
            "looked_most" => {
                let looked = reading.cross_attention();
                let row = looked.data().chunks(looked.last()).nth(knobs.step)?;
                row.iter().copied().reduce(f32::max).map(f64::from)
            }
            "written_without_cross" => {
                let blind = Reading::of(&knobs.sentence, Some(Flaw::NoCross));
                Some(blind.written.len() as f64)
            }
            "bleu_intact" => Some(damage::bleu(None)),
            "bleu_without_cross" => Some(damage::bleu(Some(Flaw::NoCross))),
            "bleu_without_scale" => Some(damage::bleu(Some(Flaw::NoScale))),
            "sleeping_without_head_1" => sleeping_without_head_1(run),
            "parameters" => Some(BuiltIn::Everyday.translator().params.count() as f64),
            _ => trained_fact(&reading, name).or_else(|| so_far::fact(name, None)),
        }
    }
}

/// Probability of "sleeping" in the running sentence once head 1 of the last decoder layer no longer reads "schläft".
fn sleeping_without_head_1(run: &Run) -> Option<f64> {
    let edit = Edit {
        step: run.trace.find("decoder.layers.1.src_attn.weights")?,
        index: vec![0, 1, 4, 3],
        value: 0.0,
    };
    let edited = run.trace.replay(&[edit]);
    let log_prob = edited.tensor("generator.log_probs")?.at(&[0, 4, SLEEPING]);
    Some(f64::from(log_prob).exp())
}

/// The translation as it is written, one row per token.
fn live(reading: &Arc<Reading>) -> Picture {
    let reading = reading.clone();
    let about = format!(
        "writes the translation of “{}” token by token",
        reading.read[..reading.read.len() - 1].join(" ")
    );
    Picture::job(
        "live",
        "A sentence being translated",
        "Rows are the tokens being written, columns the tokens being read. The stronger a cell's colour, the more the new token looked there.",
        about,
        move |report| write(&reading, report),
    )
    .paced(PACE)
}

/// Writes the translation token by token: each frame draws the whole heat map with one more row filled in.
fn write(reading: &Reading, report: Report<'_>) -> Progress {
    let (values, chosen) = (reading.cross_attention(), reading.chosen());
    let count = reading.written.len();
    let end = format!(
        "{} It took {count} steps, one for each token and one for the end.",
        reading.sentence()
    );
    let without = reading.flaw().map_or("", Flaw::words);
    let so_far = |n: usize| {
        let says = if n == count {
            end.clone()
        } else {
            format!(
                "Step {n} of {count}: it chose “{}” with probability {:.2}.",
                reading.written[n - 1],
                chosen[n - 1]
            )
        };
        let says = if n == count || without.is_empty() {
            says
        } else {
            format!("The model {without}. {says}")
        };
        let body = Body::matrix(
            values.clone(),
            Nature::Probability,
            ("written", reading.rows()),
            ("read", reading.read.clone()),
        )
        .linking_words();
        Progress::new(n as f32 / count as f32, says, body).written(n, &end)
    };
    for n in 1..count {
        if report(so_far(n)) == ControlFlow::Break(()) {
            return so_far(n);
        }
    }
    so_far(count)
}

fn map(reading: &Reading) -> Picture {
    let trace = &reading.trace;
    let map = model_map::map(reading.layers(), &model_map::names(trace), Some(trace));
    Picture::new(
        "map",
        "The Transformer: encoder left, decoder right, from below",
        "Each box shows the lesson that teaches it and the shape of its result for this sentence.",
        Body::Map(map),
    )
}
