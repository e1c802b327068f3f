//! From a trained model to sentences.

pub mod bleu;
pub mod by_hand;
pub mod chrf;
pub mod greedy;
pub mod tokenize;
