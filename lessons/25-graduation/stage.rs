//! Lesson 25: what has changed since 2017, and how a model gets to PyTorch.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::Tape;
use crate::lesson;
use crate::lesson::copying::{self, Lane as _};
use crate::lesson::race::last;
use crate::lesson::{Lesson, Picture, Run, Settings, Stage};
use crate::params::Params;
use crate::tensor::Tensor;

mod attending;
mod bert_and_vit;
pub mod check;
mod model;
mod pictures;
#[path = "more/repeat_heads/check.rs"]
pub mod repeat_heads;
#[path = "more/rotary/check.rs"]
pub mod rotary;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
mod training;

use bert_and_vit::Visibility;
use model::{BASE, Choice, NormKind, Positions, SMALL, Stack};
use training::{LANES, Lane, STEPS};

pub static LESSON: LazyLock<Lesson> = lesson!("25-graduation", GraduationStage, check::TASK; "rotary" => rotary::TASK, "repeat_heads" => repeat_heads::TASK);

struct GraduationStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    norm: NormKind,
    positions: Positions,
    groups: usize,
    stack: Form,
    step: usize,
    epsilon: f32,
    seed: u64,
}

/// The stacks of the model that copies, or an heir of its encoder.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    Two,
    One,
    Bert,
    Vit,
}

impl Form {
    /// The stacks of the model that takes part in the race; beside an heir, that of 2017.
    fn stack(self) -> Stack {
        match self {
            Self::One => Stack::One,
            Self::Two | Self::Bert | Self::Vit => Stack::Two,
        }
    }

    /// True for an heir of the encoder, which is not trained here.
    fn is_heir(self) -> bool {
        matches!(self, Self::Bert | Self::Vit)
    }
}

fn lane(knobs: &Knobs, settings: &Settings) -> Lane {
    Lane {
        choice: Choice {
            norm: knobs.norm,
            positions: knobs.positions,
            groups: knobs.groups,
            stack: knobs.stack.stack(),
        },
        mistake: settings.mistakes().next(),
        epsilon: knobs.epsilon,
        seed: knobs.seed,
    }
}

fn record(lane: Lane, params: &Params) -> Run {
    let model = lane.model(&mut Params::layout());
    let tape = Tape::eval(params);
    let batch = training::shown();
    let (hidden, _) = model.hidden(&tape, &batch);
    let logits = tape.scoped("generator", || model.generator.forward(&hidden));
    let _ = logits.named("logits").log_softmax().named("log_probs");
    let words = |x: &Tensor| -> Vec<Vec<String>> {
        let rows = x.data().chunks(x.last());
        rows.map(|row| row.iter().map(ToString::to_string).collect())
            .collect()
    };
    let trace = tape.trace();
    let row = trace.tensor("ids").cloned();
    let inputs = row.unwrap_or(batch.tgt);
    Run::new(
        trace
            .label("s", words(&batch.src))
            .label("t", words(&inputs)),
        Vec::new(),
    )
}

impl Stage for GraduationStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        settings.at_most_one(LESSON.mistakes.iter().map(|m| m.name))?;
        let knobs: Knobs = settings.knobs();
        if knobs.stack.is_heir() && settings.mistakes().next().is_some() {
            return Err(
                "The mistakes of this lesson are in the models that copy. Set stack to two or one to make one."
                    .to_owned(),
            );
        }
        let lane = lane(&knobs, settings);
        let recorded = match knobs.stack {
            Form::Two | Form::One => record(lane, &copying::weights(lane, knobs.step)),
            Form::Bert => Run::new(bert_and_vit::bert(knobs.seed), Vec::new()),
            Form::Vit => Run::new(bert_and_vit::vit(knobs.seed), Vec::new()),
        };
        let (names, shown) = pictures::names();
        Ok(Run {
            facts: pictures::costs().with("shown_names", shown),
            pictures: vec![
                Picture::drawn("names", names),
                pictures::race(lane.seed),
                training::RECORD.picture(LANES.iter().map(|(name, word, _)| (*name, *word))),
            ],
            ..recorded
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let lane = lane(&knobs, settings);
        let gap_moved = |sight, tensor| Some(bert_and_vit::gap_moved(knobs.seed, sight, tensor));
        match name {
            "gap_moved" => return gap_moved(Visibility::BothSides, "memory"),
            "gap_moved_in_layer_0" => {
                return gap_moved(
                    Visibility::BothSides,
                    "encoder.layers.0.feed_forward.residual",
                );
            }
            "gap_moved_by_the_future" => return gap_moved(Visibility::Past, "memory"),
            "parameters" => return Some(pictures::count(lane.choice, SMALL) as f64),
            "turned" => {
                let steps = run.trace.steps().iter();
                let first = "encoder.layers.0.self_attn.turned";
                return Some(steps.filter(|s| s.name.starts_with(first)).count() as f64);
            }
            _ => {}
        }
        let (what, rest) = name.split_once('_')?;
        if let Some(fact) = training::RECORD.fact(what, rest) {
            return Some(fact);
        }
        let number = LANES.iter().position(|(_, fact, _)| *fact == rest)?;
        let choice = LANES[number].2;
        match what {
            "count" => Some(pictures::count(choice, SMALL) as f64),
            "base" => Some(pictures::count(choice, BASE) as f64),
            "cached" => Some(pictures::cached(choice, BASE) as f64),
            "loss" => Some(last(&training::all(lane.seed)[number].losses)),
            "right" => {
                training::all(lane.seed);
                Some(copying::right(training::lane(number, lane.seed), STEPS))
            }
            _ => None,
        }
    }
}
