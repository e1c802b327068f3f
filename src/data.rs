//! Files of numbers.

pub mod annotated;
pub mod batch;
pub mod batches;
pub mod copy;
pub mod corpus;
pub mod file;
pub mod output;
pub mod safetensors;
pub mod weights;
