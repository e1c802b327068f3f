//! How the trained model can be broken.

use serde::Deserialize;

/// How the trained model is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// No position is added to any token.
    NoPositions,
    /// Scores are not divided by √d_k.
    NoScale,
    /// A token that is written may see those behind it.
    NoFutureMask,
    /// The decoder does not see the sentence.
    NoCross,
    /// The feed-forward layers add nothing.
    NoFeedForward,
    /// Embeddings are not multiplied by √d_model.
    NoEmbeddingScale,
    /// The weights are those of the first update: random.
    Untrained,
}

impl Flaw {
    /// What the model is without: `without positions`.
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
}
