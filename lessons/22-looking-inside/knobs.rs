//! The knobs of the lesson.

use serde::{Deserialize, Deserializer};

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
    /// From 0; none is the last.
    #[serde(deserialize_with = "number")]
    pub layer: Option<usize>,
    /// From 0; none is the mean of all.
    #[serde(deserialize_with = "number")]
    pub head: Option<usize>,
    /// The heads that are switched off.
    pub off: String,
    /// From 0.
    pub word: usize,
}

/// A number, or none where the knob says `last` or `mean`.
fn number<'de, D: Deserializer<'de>>(knob: D) -> Result<Option<usize>, D::Error> {
    Ok(String::deserialize(knob)?.parse().ok())
}
