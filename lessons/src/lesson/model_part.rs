//! The parts of a Transformer, as a small map of it names them.

use serde::Deserialize;

/// A part of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelPart {
    /// From tokens to vectors.
    Embed,
    /// The order of the tokens.
    Position,
    Encoder,
    /// The encoder's output, which cross-attention reads.
    Memory,
    Decoder,
    /// From vectors to the probabilities of the next token.
    Next,
}

impl ModelPart {
    /// All parts, in the order in which data goes through them.
    pub const ALL: [Self; 6] = [
        Self::Embed,
        Self::Position,
        Self::Encoder,
        Self::Memory,
        Self::Decoder,
        Self::Next,
    ];
}
