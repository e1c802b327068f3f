//! From words to ids.

pub mod bpe;
pub mod phrasebook;
pub mod pipeline;
pub mod sample;
pub mod tokenize;
pub mod vocabulary;
