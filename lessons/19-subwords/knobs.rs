//! The knobs of the lesson.

use serde::Deserialize;

/// The text from which merges are learned.
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
    /// Minimum count of a word to be kept, and maximum number of words kept.
    pub limit: usize,
    pub size: usize,
}
