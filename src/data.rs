//! Files of numbers.

pub mod annotated;
pub mod batch;
pub mod batches;
pub mod copy;
pub mod corpus;
pub mod file;
pub mod marian;
pub mod markup;
mod numbers;
pub mod output;
pub mod pairs;
mod pickle;
pub mod pytorch;
pub mod safetensors;
pub mod seal;
pub mod signature;
pub mod variation;
pub mod weights;
mod zip;
