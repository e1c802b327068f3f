//! Files of numbers.

pub mod annotated;
pub mod batch;
pub mod batches;
pub mod copy;
pub mod corpus;
pub mod disk;
pub mod file;
pub mod marian;
mod numbers;
pub mod output;
pub mod pairs;
mod pickle;
pub mod pytorch;
pub mod safetensors;
pub mod scratch;
mod swap;
pub mod variation;
pub mod weights;
mod zip;
