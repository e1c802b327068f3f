//! The engine: the floors below the lessons. In reading order:

#[cfg(any(
    all(feature = "blis", feature = "openblas"),
    all(feature = "blis", feature = "accelerate"),
    all(feature = "openblas", feature = "accelerate")
))]
compile_error!(
    "choose one BLAS: with --no-default-features, one of the features blis, openblas and accelerate"
);

/// Reverse-mode differentiation and the recorded run.
pub mod autograd;
/// Files of numbers.
pub mod data;
/// From a trained model to sentences.
pub mod decode;
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
/// From words to ids.
pub mod text;
/// The loss and the optimizer.
pub mod train;
/// The whole model.
pub mod transformer;
