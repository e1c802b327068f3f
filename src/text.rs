//! From words to ids.

pub mod sample;
pub mod vocabulary;
