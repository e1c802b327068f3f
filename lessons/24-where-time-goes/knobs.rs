//! The knobs of the lesson.

use serde::Deserialize;

/// Heads of every attention.
pub const HEADS: usize = 4;

/// What is recorded: the forward half of a training step, or one token of a decoder.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pass {
    Training,
    Word,
}

/// Whether every operation is a step, or related operations are fused into one.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    Steps,
    Fused,
}

/// How sentences are batched: in the order drawn, or sorted by length first, as the program trains.
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
