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
    /// Every cross-attention gives all source tokens the same weight.
    Average,
    /// Every head of every cross-attention has the weights softmax(Y Xᵀ / √d_model), where Y and X are the embeddings of
    /// target and source, times √d_model and without positions.
    Similar,
    /// In encoder layer 0, softmax(X Xᵀ) X replaces self-attention with all its matrices; X is the layer's input.
    Mirror,
    /// As [`Flaw::Mirror`], but no token may attend to itself.
    OthersOnly,
    /// No position encoding is added to source tokens.
    NoSourcePosition,
    /// All heads of an encoder layer's self-attention, and of each cross-attention, have the mean of their weights.
    OneTable,
    /// The feed-forward layer of the last decoder layer adds nothing.
    NoLastFeedForward,
    /// Each sublayer's output replaces its input instead of being added to it.
    NoResidual,
    /// No sum is normalised.
    NoNorm,
    /// The encoder's self-attention adds only its bias.
    NoEncoderAttention,
    /// The decoder's self-attention adds only its bias.
    NoDecoderAttention,
    /// The cross-attention of the first decoder layer adds only its bias.
    NoFirstCross,
    /// The cross-attention of the last decoder layer adds only its bias.
    NoLastCross,
    /// Each LayerNorm divides all rows of a tensor by one number, the mean of their standard deviations.
    OneScale,
    /// No LayerNorm subtracts the mean of a row.
    NoMean,
}

impl Flaw {
    /// The flaws of the tour's switches, in their order.
    pub const TOUR: [Self; 7] = [
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
            Self::Average => "with equal weights in cross-attention",
            Self::Similar => "with cross-attention by similarity",
            Self::Mirror => "with softmax(XXᵀ)X in encoder layer 0",
            Self::OthersOnly => {
                "with softmax(XXᵀ)X in encoder layer 0, where no token attends to itself,"
            }
            Self::NoSourcePosition => "without positions on the German side",
            Self::OneTable => "with one table of weights for all heads",
            Self::NoLastFeedForward => "without the last feed-forward layer",
            Self::NoResidual => "without residual connections",
            Self::NoNorm => "without LayerNorm",
            Self::NoEncoderAttention => "without self-attention in the encoder",
            Self::NoDecoderAttention => "without self-attention in the decoder",
            Self::NoFirstCross => "without the first cross-attention",
            Self::NoLastCross => "without the last cross-attention",
            Self::OneScale => "with one divisor for all rows in LayerNorm",
            Self::NoMean => "with a LayerNorm that leaves each row's mean",
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
            Self::Average | Self::Similar => "the learned weights of cross-attention",
            Self::Mirror | Self::OthersOnly => "the learned self-attention of encoder layer 0",
            Self::NoSourcePosition => "the positions on the German side",
            Self::OneTable => "the heads' own tables",
            Self::NoLastFeedForward => "the last feed-forward layer",
            Self::NoResidual => "the residual connections",
            Self::NoNorm => "LayerNorm",
            Self::NoEncoderAttention => "the encoder's self-attention",
            Self::NoDecoderAttention => "the decoder's self-attention",
            Self::NoFirstCross => "the first cross-attention",
            Self::NoLastCross => "the last cross-attention",
            Self::OneScale => "the divisor of each row in LayerNorm",
            Self::NoMean => "the mean of a row in LayerNorm",
        }
    }
}
