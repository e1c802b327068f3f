//! The knobs of the lesson.

use serde::Deserialize;

/// Size of the learner's own run.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    Phrasebook,
    Small,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knobs {
    pub update: usize,
    /// Counted from 1.
    pub sentence: usize,
    /// Counted from 0.
    pub head: usize,
    pub preset: Preset,
    pub corpus: String,
    pub rate: f64,
    pub dropout: f32,
}
