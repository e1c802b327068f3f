//! Files of numbers.

pub mod safetensors;
