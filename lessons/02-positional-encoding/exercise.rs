//! Write the positional encoding. Save, and the check runs.

use transformer_tutor::tensor::Tensor;

/// The table `[length, d_model]` of sines and cosines. In row `position`, column 2i holds the sine and
/// column 2i + 1 the cosine of `position / 10000^(2i / d_model)`, in radians.
///
/// Positions count from 0; `d_model` is even.
///
/// What you can use:
///
/// - `Tensor::from_fn(shape: &[usize], cell: impl FnMut(&[usize]) -> f32) -> Tensor`: calls `cell` with each
///   index, here `[row, column]`
/// - `powf`, `sin` and `cos` of `f32` or `f64`
///
/// An example: `positional_encoding(2, 4)` is `[[0, 1, 0, 1], [0.8415, 0.5403, 0.01, 0.99995]]`.
pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    let _ = (length, d_model);
    todo!("write positional_encoding")
}
