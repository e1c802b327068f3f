//! Write the mask that hides the future. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// Which token may see which in a sentence of `length` tokens: `[1, length, length]`, with 1 where the row's token may
/// see the column's token, and 0 where it may not. A token sees itself and the tokens before it. The leading axis of
/// size 1 broadcasts over the batch.
///
/// An example: `subsequent_mask(3)` is `[[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]`.
///
/// # Guidance
///
/// What you can use:
///
/// - `Tensor::from_fn(shape: &[usize], cell: impl FnMut(&[usize]) -> f32) -> Tensor`: calls `cell` with each index,
///   here `[0, row, column]`
pub fn subsequent_mask(length: usize) -> Tensor {
    let _ = length;
    todo!("write subsequent_mask")
}
