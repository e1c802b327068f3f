//! The layers, one file each: a struct of parameters and a `forward` that reads like the paper.

pub mod additive;
pub mod attention;
pub mod embeddings;
pub mod linear;
pub mod masks;
pub mod positional_encoding;
