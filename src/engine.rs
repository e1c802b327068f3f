//! The engine under the lessons: tensors, automatic differentiation, layers, the model, training and decoding.

#[cfg(any(
    all(feature = "blis", feature = "openblas"),
    all(feature = "blis", feature = "accelerate"),
    all(feature = "openblas", feature = "accelerate")
))]
compile_error!(
    "choose one BLAS: with --no-default-features, one of the features blis, openblas and accelerate"
);

/// Reverse-mode automatic differentiation and the tape that records a run.
pub mod autograd;
/// Corpora, batches, and files of weights.
pub mod data;
/// Decoding: from the trained model's probabilities to sentences.
pub mod decode;
/// The arithmetic language in which operations explain cells and lessons make claims.
pub mod expr;
/// The layers, one file each.
pub mod nn;
/// The operations, one file each.
pub mod ops;
/// The parameters of a model: one flat, named list.
pub mod params;
/// The shared array of f32 and its kernels, the only code that calls the BLAS.
pub mod tensor;
/// Text to token ids.
pub mod text;
/// The loss and the optimizer.
pub mod train;
/// The complete model.
pub mod transformer;
