//! From words to ids.

pub mod vocabulary;
