//! What the tutor asks of the learner's model, and what comes back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lesson::exercise::Failure;

/// What the learner's model is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Translate.
    Translate {
        /// A built-in model, or a path.
        model: String,
        /// Each is one sentence.
        lines: Vec<String>,
    },
    /// Train on the copy task.
    Train {
        /// How many updates.
        steps: usize,
        /// Of weights and sentences.
        seed: u64,
    },
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It has translated.
    Translated(Translated),
    /// It has trained.
    Trained(Trained),
    /// A function stopped, or what it gave could not be used.
    Failed(Box<Failure>),
}

/// Translations by the learner's functions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Translated {
    /// A sentence each.
    pub lines: Vec<Line>,
    /// How often each function was called for the first sentence.
    pub calls: BTreeMap<String, usize>,
}

/// One sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// As it was given.
    pub source: String,
    /// By the learner's functions.
    pub own: Said,
    /// By the references.
    pub reference: Said,
    /// The largest difference between the log-probabilities of the two, over the learner's translation; `None` if there
    /// is none in numbers: another shape, NaN.
    pub difference: Option<f32>,
    /// The same with one of the learner's functions at a time, the largest first.
    pub by_part: Vec<(String, Option<f32>)>,
}

/// A translation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// As people write it.
    pub text: String,
    /// Its ids, without start and end.
    pub ids: Vec<u32>,
    /// The natural logarithm of its probability, that of the end included; `None` if it is not finite.
    pub log_prob: Option<f64>,
}

/// A training by the learner's functions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The loss of every step, nats a token. It ends where it is no longer finite.
    pub losses: Vec<f64>,
    /// The same by the references.
    pub reference: Vec<f64>,
    /// The proportion of tokens that each then copies rightly: the learner's, the reference.
    pub right: [f64; 2],
    /// The parameters that got no finite gradient in the first step.
    pub without_gradient: Vec<String>,
    /// How often each function was called in the first step.
    pub calls: BTreeMap<String, usize>,
}

impl Trained {
    /// The first step whose losses differ in any bit, from 1.
    pub fn parts_at(&self) -> Option<usize> {
        let pairs = self.losses.iter().zip(&self.reference);
        let mut pairs = pairs.map(|(a, b)| a.to_bits() == b.to_bits());
        pairs
            .position(|same| !same)
            .or_else(|| (self.losses.len() != self.reference.len()).then_some(self.losses.len()))
            .map(|at| at + 1)
    }
}
