//! The knobs of the lesson.

use serde::Deserialize;

/// What merges are learned from.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    Paper,
    Letters,
    English,
    German,
    Both,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knobs {
    pub corpus: Source,
    pub merges: usize,
    pub sentence: String,
    /// How often a word must occur at least to be kept, and the most words that are.
    pub limit: usize,
    pub size: usize,
}
