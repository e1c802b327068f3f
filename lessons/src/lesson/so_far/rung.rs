//! How far the reader's own translator is built, and what can be wrong with it.

use serde::{Deserialize, Serialize};

/// A number of parts. Every rung has those of the rungs before it, and one more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// The embeddings and the generator, with nothing between them.
    Echo,
    /// Cross-attention with equal weights: the decoder adds the average of the German rows.
    Average,
    /// Positions on both sides.
    Positions,
    /// Cross-attention without matrices: similar rows get more weight.
    Similar,
    /// Cross-attention with one head: queries, keys and values.
    OneHead,
    /// Self-attention on both sides, in the decoder with the mask.
    SelfAttention,
    /// Four heads in every attention.
    FourHeads,
    /// The feed-forward layers, which make the model complete.
    #[default]
    Complete,
}

impl Rung {
    /// All rungs, from the first.
    pub const ALL: [Self; 8] = [
        Self::Echo,
        Self::Average,
        Self::Positions,
        Self::Similar,
        Self::OneHead,
        Self::SelfAttention,
        Self::FourHeads,
        Self::Complete,
    ];

    /// Their names in settings, in the same order.
    pub const NAMES: [&str; 8] = [
        "echo",
        "average",
        "positions",
        "similar",
        "one-head",
        "self-attention",
        "four-heads",
        "complete",
    ];

    /// The rung with this name: `one-head`.
    pub fn named(name: &str) -> Option<Self> {
        let at = Self::NAMES.iter().position(|other| *other == name)?;
        Some(Self::ALL[at])
    }

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// What it has that the rung before it lacks.
    pub fn adds(self) -> &'static str {
        match self {
            Self::Echo => "embedding, generator",
            Self::Average => "+ average of the German",
            Self::Positions => "+ positions",
            Self::Similar => "+ similar tokens attend",
            Self::OneHead => "+ queries, keys, values",
            Self::SelfAttention => "+ self-attention",
            Self::FourHeads => "+ four heads",
            Self::Complete => "+ feed-forward layers",
        }
    }
}

/// A mistake in such a translator or in its training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Every row has to predict the token that it reads.
    NoShift,
    /// The decoder sees the tokens that it has to predict.
    NoMask,
    /// Each sublayer replaces its input.
    NoResidual,
    /// Nothing is normalised.
    NoNorm,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::NoShift, Self::NoMask, Self::NoResidual, Self::NoNorm];

    /// Its name as a mistake: `no-shift`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoShift => "no-shift",
            Self::NoMask => "no-mask",
            Self::NoResidual => "no-residual",
            Self::NoNorm => "no-norm",
        }
    }

    /// The fault with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }

    /// What it takes away: `without the shift`.
    pub fn words(self) -> &'static str {
        match self {
            Self::NoShift => "without the shift",
            Self::NoMask => "without the mask",
            Self::NoResidual => "without residual connections",
            Self::NoNorm => "without LayerNorm",
        }
    }
}
