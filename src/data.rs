//! Files of numbers.

pub mod annotated;
pub mod safetensors;
pub mod weights;
