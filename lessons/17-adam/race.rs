//! Four schedules from one seed.

use std::ops::ControlFlow;

use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::race::{Tell, in_turn, last, smooth};
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::train::schedule::noam_rate;

use super::training::{Rules, VOCABULARY, WIDTH, train};

/// Steps of each lane, and of its warm-up.
pub const STEPS: usize = 240;
pub const WARMUP: usize = 60;

/// How a lane's learning rate goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Schedule {
    /// The paper's: up during the warm-up, then down with the square root.
    Noam,
    /// The highest rate from the first step to the last.
    Constant,
    /// The paper's without the warm-up: the highest rate until the warm-up would end, then down.
    NoWarmup,
    /// A tenth of the highest rate throughout.
    Tenth,
}

pub const LANES: [Schedule; 4] = [
    Schedule::Noam,
    Schedule::Constant,
    Schedule::NoWarmup,
    Schedule::Tenth,
];

impl Schedule {
    pub fn name(self) -> &'static str {
        match self {
            Self::Noam => "warm-up, then falling",
            Self::Constant => "constant",
            Self::NoWarmup => "no warm-up, then falling",
            Self::Tenth => "constant, a tenth",
        }
    }

    /// The learning rate of `step`, from 1, where `highest` is the highest.
    pub fn rate(self, step: usize, highest: f64) -> f64 {
        // The factor that puts the peak of the paper's curve at `highest`.
        let factor = highest / noam_rate(WARMUP, WIDTH, 1.0, WARMUP);
        match self {
            Self::Noam => noam_rate(step, WIDTH, factor, WARMUP),
            Self::NoWarmup => noam_rate(step.max(WARMUP), WIDTH, factor, WARMUP),
            Self::Constant => highest,
            Self::Tenth => highest / 10.0,
        }
    }
}

/// The mean loss of the last twenty steps of a lane. Computed once.
pub fn finish(rules: Rules, schedule: Schedule, highest: f64) -> f64 {
    static DONE: Memo<f64> = Memo::new("adam: finishes");
    let key = format!("{rules:?} {schedule:?} {highest}");
    *DONE.get(key, || {
        let rate = |step| schedule.rate(step, highest);
        last(&train(rules, STEPS, rate, &mut |_| {
            ControlFlow::Continue(())
        }))
    })
}

/// The picture of the race; it is run when the learner starts it.
pub fn picture(rules: Rules, highest: f64) -> Picture {
    let about = format!(
        "Trains four models of {0} + {0} layers, normalisation {1} the sublayer, for {STEPS} steps, highest rate {highest}, warm-up {WARMUP} steps; about {2} s.",
        rules.layers,
        match rules.place {
            NormPlace::Pre => "before",
            NormPlace::Post => "after",
        },
        2 * rules.layers
    );
    Picture::job(
        "race",
        format!("Four schedules, {STEPS} steps, one seed"),
        "A small Transformer learns to copy, four times from the same initial weights and with the same batches. Only the learning rate differs.",
        about,
        move |report| {
            let train = |lane: usize, tell: Tell<'_>| {
                train(rules, STEPS, |step| LANES[lane].rate(step, highest), tell)
            };
            in_turn(LANES.len(), STEPS, 10, report, train, drawing)
        },
    )
}

fn drawing(lanes: &[Vec<f64>], done: f32) -> Progress {
    let named = || LANES.iter().map(|lane| lane.name()).zip(lanes);
    let ends = named().map(|(name, losses)| format!("{name} {:.3}", last(losses)));
    let says = match lanes {
        [] => format!(
            "A model that guesses uniformly has a loss of log {VOCABULARY} = {:.3}.",
            (VOCABULARY as f64).ln()
        ),
        _ => format!(
            "Loss over the last 20 steps: {}.",
            ends.collect::<Vec<_>>().join(", ")
        ),
    };
    let series = named().map(|(name, losses)| Series::new(name, smooth(losses, 10)));
    Progress::new(
        done,
        says,
        Body::curves("step", "loss", series).by_logarithm(),
    )
}
