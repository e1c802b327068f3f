//! The knobs of the lesson.

use serde::Deserialize;
use transformer_tutor::decode::options::Sampling;

/// The lesson's knobs except `model` and `back`, which choose the model. The playground shares this struct and has
/// further knobs, so unknown fields are allowed.
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
    /// Settings for sampling.
    pub fn sampling(&self) -> Sampling {
        Sampling {
            temperature: self.temperature,
            top_k: self.top_k,
            top_p: self.top_p,
            seed: self.seed,
        }
    }
}
