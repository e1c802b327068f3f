//! Write the mask that hides the future. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// Which token may see which in a sentence of `length` tokens: `[1, length, length]`, with 1 where the row's token may
/// see the column's token, and 0 where it may not. The leading axis of size 1 broadcasts over the batch.
///
/// Which cells are 1 is for you to decide. An example is `subsequent_mask(3)`, for which four functions returned:
///
/// - `[[[1, 1, 1], [0, 1, 1], [0, 0, 1]]]`
/// - `[[[0, 0, 0], [1, 0, 0], [1, 1, 0]]]`
/// - `[[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]`
/// - `[[[1, 1, 0], [1, 1, 1], [1, 1, 1]]]`
///
/// Attention ran with each of them. In the three wrong runs, the output for token 0 changed with token 1; in one of these,
/// it was the mean of all three tokens.
///
/// # Guidance
///
/// Which row shows what token 0 may see? And what does softmax make of a row of scores that are all blocked?
///
/// What you can use:
///
/// - `Tensor::from_fn(shape: &[usize], cell: impl FnMut(&[usize]) -> f32) -> Tensor`: calls `cell` with each index,
///   here `[0, row, column]`
pub fn subsequent_mask(length: usize) -> Tensor {
    let _ = length;
    todo!("write subsequent_mask")
}
