//! The race of four schedules, from five seeds each.

use std::ops::ControlFlow;

use transformer_tutor::lesson::Picture;
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::lesson::race::record::Curves;
use transformer_tutor::lesson::race::seeds::{self, SEEDS, Spread, Watched};
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::train::schedule::noam_rate;

use super::training::{Rules, VOCABULARY, WIDTH, train};

/// Steps of each lane, and of its warm-up.
pub const STEPS: usize = 240;
pub const WARMUP: usize = 60;

/// Schedule of a lane's learning rate.
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

    /// Learning rate of `step`, from 1, where `highest` is the highest.
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

/// Losses of one lane with the seed of `rules`, step by step. A lane that was trained beforehand gives the mean of each
/// ten steps; any other is trained once, when it is first needed.
fn losses(rules: Rules, schedule: Schedule, highest: f64) -> Vec<f64> {
    static DONE: Memo<Vec<f64>> = Memo::new("adam: trainings");
    let words = words(rules, schedule, highest);
    CURVES.or_trained(&DONE, &words, rules.seed, || {
        trained(rules, schedule, highest)
    })
}

/// Trains one lane and returns its losses.
pub fn trained(rules: Rules, schedule: Schedule, highest: f64) -> Vec<f64> {
    let rate = |step| schedule.rate(step, highest);
    train(rules, STEPS, rate, &mut |_| ControlFlow::Continue(()))
}

/// Key of a lane's training: everything that determines it except the seed.
pub fn words(rules: Rules, schedule: Schedule, highest: f64) -> String {
    let place = match rules.place {
        NormPlace::Pre => "pre-norm",
        NormPlace::Post => "post-norm",
    };
    let correction = if rules.corrected {
        "corrected"
    } else {
        "not corrected"
    };
    format!(
        "{} layers, {place}, beta2 {}, {correction}, highest rate {highest}, {}",
        rules.layers,
        rules.beta2,
        schedule.name()
    )
}

/// The races quoted in the text, trained beforehand.
pub static CURVES: Lazy<Curves> =
    Lazy::new(|| Curves::read(include_str!("curves.toml")).expect("a test wrote it"));

/// Mean loss of a lane's last twenty steps, over five seeds from that of `rules` on.
pub fn finish(rules: Rules, schedule: Schedule, highest: f64) -> Spread {
    seeds::finish(rules.seed, |seed| {
        losses(Rules { seed, ..rules }, schedule, highest)
    })
}

/// The picture of the race, which runs when the learner starts it.
pub fn picture(rules: Rules, highest: f64) -> Picture {
    let about = format!(
        "Trains models of {0} + {0} layers, normalisation {1} the sublayer, for {STEPS} steps: four schedules from {SEEDS} seeds each, highest rate {highest}, warm-up {WARMUP} steps; about {2} s on four cores.",
        rules.layers,
        match rules.place {
            NormPlace::Pre => "before",
            NormPlace::Post => "after",
        },
        3 * rules.layers
    );
    Picture::job(
        "race",
        format!("Four schedules, {STEPS} steps, {SEEDS} seeds each"),
        "A small Transformer learns to copy. For each seed the four schedules have the same initial weights and the same batches. Each curve is the mean of its seeds.",
        about,
        move |report| {
            Watched::new(&LANES.map(Schedule::name), rules.seed, STEPS, VOCABULARY).run(report, |lane, seed, tell| {
                let rate = |step| LANES[lane].rate(step, highest);
                train(Rules { seed, ..rules }, STEPS, rate, tell);
            })
        },
    )
    .ending(move || {
        Watched::new(&LANES.map(Schedule::name), rules.seed, STEPS, VOCABULARY)
            .end(|lane, seed| losses(Rules { seed, ..rules }, LANES[lane], highest))
    })
}
