//! Decoding: from a trained model to sentences.

pub mod align;
pub mod beam;
pub mod bleu;
pub mod bootstrap;
pub mod by_hand;
pub mod cache;
pub mod chrf;
mod encode;
pub mod greedy;
mod kernel;
pub mod next_tokens;
pub mod options;
pub mod sample;
pub mod stepwise;
pub mod tokenize;
pub mod translate;

pub use beam::Hypothesis;
pub use options::DecodeOptions;
pub use translate::{score, translate};
