//! Understand the Transformer by running it. In reading order:

/// Reverse-mode differentiation and the recorded run.
pub mod autograd;
/// The small language of explanations and claims.
pub mod expr;
/// The layers.
pub mod nn;
/// The operations, one file each.
pub mod ops;
/// Parameters: one flat, named list.
pub mod params;
/// The shared array of f32 and the one door to the BLAS.
pub mod tensor;
