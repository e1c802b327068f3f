//! Corpora, batches, dictionaries, and files of weights.

pub mod annotated;
pub mod batch;
pub mod batches;
pub mod copy;
pub mod corpus;
pub mod dictionary;
pub mod disk;
pub mod file;
pub mod marian;
pub mod markup;
mod numbers;
pub mod output;
pub mod pairs;
pub mod patterns;
mod pickle;
pub mod pytorch;
pub mod safetensors;
pub mod scratch;
pub mod seal;
pub mod signature;
pub mod state_dict;
pub mod supplement;
mod swap;
pub mod variation;
pub mod weights;
mod zip;
