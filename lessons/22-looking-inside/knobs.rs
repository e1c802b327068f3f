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

/// The lesson's knobs except `model` and `back`, which choose the model. The playground shares this struct and has
/// further knobs, so unknown fields are allowed.
#[derive(Deserialize)]
pub struct Knobs {
    pub sentence: String,
    pub kind: Kind,
    /// From 0; `None` is the last layer.
    #[serde(deserialize_with = "number")]
    pub layer: Option<usize>,
    /// From 0; `None` is the mean of all heads.
    #[serde(deserialize_with = "number")]
    pub head: Option<usize>,
    /// Heads that are switched off.
    pub off: String,
    /// From 0.
    pub word: usize,
}

/// Parses a number; `last` and `mean` give `None`.
fn number<'de, D: Deserializer<'de>>(knob: D) -> Result<Option<usize>, D::Error> {
    Ok(String::deserialize(knob)?.parse().ok())
}
