//! The race of four schedules, from five seeds each.

use transformer_tutor::lesson::Picture;
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::lesson::race::OnState;
use transformer_tutor::lesson::race::lane::{self, Race};
use transformer_tutor::lesson::race::record::Curves;
use transformer_tutor::lesson::race::seeds::{SEEDS, steps};
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::train::schedule::noam_rate;

use super::training::{Learner, Rules, VOCABULARY, WIDTH};

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

/// A lane: a schedule that reaches this highest rate.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    pub rules: Rules,
    pub schedule: Schedule,
    pub highest: f64,
}

/// The lanes of a race.
pub fn lanes(rules: Rules, highest: f64) -> [Lane; 4] {
    let schedules = [
        Schedule::Noam,
        Schedule::Constant,
        Schedule::NoWarmup,
        Schedule::Tenth,
    ];
    schedules.map(|schedule| Lane {
        rules,
        schedule,
        highest,
    })
}

impl lane::Lane for Lane {
    const STEPS: usize = STEPS;
    const DONE: Memo<Vec<f64>> = Memo::new("adam: trainings");

    fn curves() -> &'static Curves {
        static CURVES: Lazy<Curves> =
            Lazy::new(|| Curves::read(include_str!("curves.toml")).expect("a test wrote it"));
        &CURVES
    }

    fn name(&self) -> &'static str {
        self.schedule.name()
    }

    fn words(&self) -> String {
        let place = match self.rules.place {
            NormPlace::Pre => "pre-norm",
            NormPlace::Post => "post-norm",
        };
        let correction = if self.rules.corrected {
            "corrected"
        } else {
            "not corrected"
        };
        format!(
            "{} layers, {place}, beta2 {}, {correction}, highest rate {}, {}",
            self.rules.layers,
            self.rules.beta2,
            self.highest,
            self.schedule.name()
        )
    }

    fn seed(&self) -> u64 {
        self.rules.seed
    }

    fn seeded(mut self, seed: u64) -> Self {
        self.rules.seed = seed;
        self
    }

    fn train(self, tell: OnState<'_, Vec<f64>>) -> Vec<f64> {
        let mut learner = Learner::new(self.rules);
        steps(STEPS, tell, |step| {
            let loss = learner.look();
            learner.step(self.schedule.rate(step + 1, self.highest));
            loss
        })
    }
}

/// The picture of the race.
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
    Race {
        title: format!("Four schedules, {STEPS} steps, {SEEDS} seeds each"),
        says: "A small Transformer learns to copy. For each seed the four schedules have the same initial weights and the same batches. Each curve is the mean of its seeds.",
        about,
        lanes: lanes(rules, highest).into(),
        vocabulary: VOCABULARY,
    }
    .picture()
}
