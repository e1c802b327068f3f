//! From words to ids.

pub mod added;
pub mod bpe;
pub mod differences;
pub mod marian;
pub mod phrasebook;
pub mod pipeline;
pub mod placeholder;
pub mod published;
pub mod remarks;
pub mod sample;
pub mod sentence;
pub mod sentencepiece;
pub mod spelling;
pub mod tokenize;
pub mod typing;
pub mod vocabulary;
pub mod writing;
