//! The knobs of the lesson.

use serde::Deserialize;

use transformer_tutor::nn::residual::NormPlace;

use super::race::Rules;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knobs {
    pub place: NormPlace,
    pub layers: usize,
    pub dropout: f32,
    rate: f32,
    pub seed: u64,
}

impl Knobs {
    /// Dropout for the experiments: the knob's value, or the paper's if that is 0.
    pub fn dropout_or_tenth(&self) -> f32 {
        match self.dropout {
            0.0 => 0.1,
            dropout => dropout,
        }
    }

    /// Rules of the race.
    pub fn rules(&self) -> Rules {
        Rules {
            depth: self.layers,
            rate: self.rate,
            seed: self.seed,
        }
    }
}
