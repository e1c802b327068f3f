//! The knobs of the lesson.

use serde::{Deserialize, Deserializer};
use transformer_tutor::transformer::heads::AttentionKind;

/// The lesson's knobs except `model` and `back`, which choose the model. The playground shares this struct and has
/// further knobs, so unknown fields are allowed.
#[derive(Deserialize)]
pub struct Knobs {
    pub sentence: String,
    pub kind: AttentionKind,
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
