//! What the learner can turn.

use serde::Deserialize;

/// A kind of attention, in the order of the heads' names.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Encoder,
    Decoder,
    Cross,
}

/// Without `model` and `back`, which choose the model; and the playground, which shares these, has more.
#[derive(Deserialize)]
pub struct Knobs {
    pub sentence: String,
    pub kind: Kind,
    /// From 1; 0 is the last.
    pub layer: usize,
    /// From 1; 0 is the mean of all.
    pub head: usize,
    /// The heads that are switched off.
    pub off: String,
    /// From 1.
    pub word: usize,
}
