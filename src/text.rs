//! From words to ids.

pub mod bpe;
pub mod sample;
pub mod tokenize;
pub mod vocabulary;
