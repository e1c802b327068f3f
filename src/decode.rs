//! From a trained model to sentences.

pub mod greedy;
