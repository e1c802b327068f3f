//! Write the positional encoding. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// The table `[length, d_model]` of sines and cosines of Vaswani et al. (2017, section 3.5): one row per position, one
/// wave per pair of channels. The even column of a pair holds the sine of an angle, the odd one its cosine.
///
/// - The angle is the position, counted from 0, divided by a number that is 1 for the first pair and grows from pair to
///   pair by the same factor. One pair after the last it would be 10,000.
/// - `d_model` is even. Angles are in radians.
///
/// An example: `positional_encoding(2, 4)` is `[[0, 1, 0, 1], [0.8415, 0.5403, 0.01, 0.99995]]`.
///
/// # Guidance
///
/// The example has two pairs, which divide by 1 and by 100, so its last two cells are the sine and the cosine of
/// 1 / 100. With `d_model` 8, the four pairs divide by 1, 10, 100 and 1,000.
///
/// What you can use:
///
/// - `Tensor::from_fn(shape: &[usize], cell: impl FnMut(&[usize]) -> f32) -> Tensor`: calls `cell` with each
///   index, here `[row, column]`
/// - `powf`, `sin` and `cos` of `f32` or `f64`
pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    let _ = (length, d_model);
    todo!("write positional_encoding")
}
