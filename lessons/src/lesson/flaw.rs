//! Ways to break the trained model.

use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};

/// A way to break the trained model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// No position encoding is added.
    NoPositions,
    /// Scores are not divided by √d_k.
    NoScale,
    /// Each target token may attend to those after it.
    NoFutureMask,
    /// The decoder cannot see the source sentence.
    NoCross,
    /// The feed-forward layers add nothing.
    NoFeedForward,
    /// Embeddings are not multiplied by √d_model.
    NoEmbeddingScale,
    /// Untrained: the weights are random.
    Untrained,
}

impl Flaw {
    /// All flaws, in the order of the tour's switches.
    pub const ALL: [Self; 7] = [
        Self::NoPositions,
        Self::NoScale,
        Self::NoFutureMask,
        Self::NoCross,
        Self::NoFeedForward,
        Self::NoEmbeddingScale,
        Self::Untrained,
    ];

    /// The flaw with this name: `no-positions`.
    pub fn named(name: &str) -> Option<Self> {
        Self::deserialize(StrDeserializer::<Error>::new(name)).ok()
    }

    /// The model's handicap in words: `without positions`.
    pub fn words(self) -> &'static str {
        match self {
            Self::NoPositions => "without positions",
            Self::NoScale => "without the division by √d_k",
            Self::NoFutureMask => "without the mask over the future",
            Self::NoCross => "without cross-attention",
            Self::NoFeedForward => "without the feed-forward layers",
            Self::NoEmbeddingScale => "without the factor √d_model",
            Self::Untrained => "with random weights",
        }
    }

    /// What the model lacks: `the positions`.
    pub fn missing(self) -> &'static str {
        match self {
            Self::NoPositions => "the positions",
            Self::NoScale => "the division by √d_k",
            Self::NoFutureMask => "the mask over the future",
            Self::NoCross => "cross-attention",
            Self::NoFeedForward => "the feed-forward layers",
            Self::NoEmbeddingScale => "the factor √d_model",
            Self::Untrained => "the training",
        }
    }
}
