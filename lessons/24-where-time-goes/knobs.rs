//! The knobs of the lesson.

use serde::Deserialize;

/// Heads of every attention.
pub const HEADS: usize = 4;

/// What is recorded: a training step forward, or one word of a decoder.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pass {
    Training,
    Word,
}

/// Whether every operation is a step, or those that belong together are one.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    Steps,
    Fused,
}

/// How sentences are put into batches: as they were drawn, or sorted by length first, as the program trains.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    Drawn,
    Sorted,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knobs {
    pub pass: Pass,
    pub form: Form,
    pub order: Order,
    pub sentences: usize,
    pub width: usize,
    pub layers: usize,
}
