//! Tiers of an exercise: how much the learner's file gives before the learner writes.

use serde::{Deserialize, Serialize};

/// What the learner's file gives at the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Contract, example, guidance, and the operations to use.
    #[default]
    Guided,
    /// Contract and example.
    Open,
    /// Imports and signature, as a comment.
    Blank,
}

impl Tier {
    /// All tiers, from the one that gives most to the one that gives least.
    pub const ALL: [Self; 3] = [Self::Guided, Self::Open, Self::Blank];

    /// The tier that gives less than this one, or the guided one after the last.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Guided => "guided",
            Self::Open => "open",
            Self::Blank => "blank",
        }
    }

    /// What the learner's file begins with: `contract and example`.
    pub fn begins_with(self) -> &'static str {
        match self {
            Self::Guided => "contract, example, guidance and operations",
            Self::Open => "contract and example",
            Self::Blank => "imports and signature, as a comment",
        }
    }
}

impl std::fmt::Display for Tier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
