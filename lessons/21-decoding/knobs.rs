//! The knobs of the lesson.

use serde::Deserialize;
use transformer_tutor::decode::sample::Sampling;

/// Without `model` and `back`, which choose the model; and the playground, which shares these, has more.
#[derive(Deserialize)]
pub struct Knobs {
    pub sentence: String,
    pub beam: usize,
    pub alpha: f64,
    pub step: usize,
    pub limit: usize,
    pub temperature: f64,
    pub top_k: usize,
    pub top_p: f64,
    pub length: usize,
    pub seed: u64,
}

impl Knobs {
    /// How to draw.
    pub fn sampling(&self) -> Sampling {
        Sampling {
            temperature: self.temperature,
            top_k: self.top_k,
            top_p: self.top_p,
            seed: self.seed,
        }
    }
}
