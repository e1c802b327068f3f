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
    pub own: Translation,
    /// Translation with the references.
    pub reference: Translation,
    /// Largest difference between the two sets of log-probabilities over the learner's translation; `None` if it is not
    /// a number, because of a different shape or NaN.
    pub difference: Option<f32>,
    /// The same with only one of the learner's functions at a time, largest first.
    pub by_part: Vec<(String, Option<f32>)>,
    /// The translation that the learner's `greedy_decode` writes with the learner's model, and the one of the engine's
    /// greedy search with the references; `None` if the learner has not written it.
    pub greedy: Option<[String; 2]>,
}

/// A translation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Translation {
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
    /// Figures of the trained model from functions that the losses don't depend on.
    pub figures: Vec<Figure>,
    /// What the learner's functions do on their own, if the losses part by more than rounding.
    pub parting: Option<LossDifference>,
}

/// A figure of the learner's trained model, computed by one of their functions and by the reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Name of the function.
    pub name: String,
    /// What is computed.
    pub what: String,
    /// The learner's figure; `None` if it is not finite or the function panicked.
    pub own: Option<f64>,
    /// The reference's figure.
    pub reference: f64,
}

impl Figure {
    /// True if the two figures differ by no more than rounding.
    pub fn agrees(&self) -> bool {
        let far = self.own.map(|own| (own - self.reference).abs());
        far.is_some_and(|far| far <= ROUNDING * self.reference.abs().max(1.0))
    }
}

/// Difference between the losses where they part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossDifference {
    /// The first step, from 1, whose losses differ by more than rounding.
    pub step: usize,
    /// Difference of the losses there with only one of the learner's functions at a time; `None` if it is not a number.
    pub by_part: Vec<(String, Option<f64>)>,
}

impl LossDifference {
    /// Functions that make more than a rounding difference on their own.
    pub fn culprits(&self) -> impl Iterator<Item = &str> {
        let parts = self.by_part.iter();
        let guilty = parts.filter(|(_, far)| far.is_none_or(|far| far > ROUNDING));
        guilty.map(|(name, _)| name.as_str())
    }
}

/// Largest difference between two losses of the first steps that rounding explains.
pub(super) const ROUNDING: f64 = 1e-4;

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
