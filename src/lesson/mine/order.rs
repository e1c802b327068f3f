//! Messages between the tutor and the learner's model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lesson::exercise::Failure;

/// A task for the learner's model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Translate sentences.
    Translate {
        /// Name of a built-in model, or a path.
        model: String,
        /// Sentences to translate.
        lines: Vec<String>,
    },
    /// Train on the copy task.
    Train {
        /// Number of updates.
        steps: usize,
        /// Seed of weights and sentences.
        seed: u64,
    },
}

/// Result of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It has translated.
    Translated(Translated),
    /// It has trained.
    Trained(Trained),
    /// A function panicked, or its result could not be used.
    Failed(Box<Failure>),
}

/// Translations with the learner's functions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Translated {
    /// One entry per sentence.
    pub lines: Vec<Line>,
    /// Number of calls of each function for the first sentence.
    pub calls: BTreeMap<String, usize>,
}

/// One sentence and its translations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The sentence as given.
    pub source: String,
    /// Translation with the learner's functions.
    pub own: Said,
    /// Translation with the references.
    pub reference: Said,
    /// Largest difference between the two sets of log-probabilities over the learner's translation; `None` if it is not
    /// a number, because of a different shape or NaN.
    pub difference: Option<f32>,
    /// The same with only one of the learner's functions at a time, largest first.
    pub by_part: Vec<(String, Option<f32>)>,
}

/// A translation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// Text of the translation.
    pub text: String,
    /// Token ids, without the start and end tokens.
    pub ids: Vec<u32>,
    /// Natural logarithm of its probability, including the end token; `None` if it is not finite.
    pub log_prob: Option<f64>,
}

/// A training run with the learner's functions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// Loss at every step, in nats per token. Ends before the first loss that is not finite.
    pub losses: Vec<f64>,
    /// Losses with the references.
    pub reference: Vec<f64>,
    /// Share of tokens copied correctly after training, by the learner's model and by the reference.
    pub right: [f64; 2],
    /// Parameters without a finite gradient in the first step.
    pub without_gradient: Vec<String>,
    /// Number of calls of each function in the first step.
    pub calls: BTreeMap<String, usize>,
}

impl Trained {
    /// The first step, from 1, whose losses differ in any bit.
    pub fn parts_at(&self) -> Option<usize> {
        let pairs = self.losses.iter().zip(&self.reference);
        let mut pairs = pairs.map(|(a, b)| a.to_bits() == b.to_bits());
        pairs
            .position(|same| !same)
            .or_else(|| (self.losses.len() != self.reference.len()).then_some(self.losses.len()))
            .map(|at| at + 1)
    }
}
