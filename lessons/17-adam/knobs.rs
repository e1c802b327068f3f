//! The knobs of the lesson.

use serde::Deserialize;
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::train::schedule::noam_rate;

use super::training::{Rules, Table};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knobs {
    pub step: usize,
    pub table: Table,
    pub beta2: f32,
    pub epsilon: f32,
    pub decay: f32,
    pub d_model: usize,
    pub warmup: usize,
    pub factor: f64,
    pub place: NormPlace,
    pub highest: f64,
    pub layers: usize,
    pub seed: u64,
}

impl Knobs {
    /// Rules of a training in the race.
    pub fn training(&self) -> Rules {
        Rules {
            layers: self.layers,
            place: self.place,
            beta2: self.beta2,
            corrected: true,
            seed: self.seed,
        }
    }

    /// Learning rate of `step` under the learner's own schedule.
    pub fn rate(&self, step: usize) -> f64 {
        noam_rate(step, self.d_model, self.factor, self.warmup)
    }
}
