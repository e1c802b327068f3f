//! Write the shift that makes a training batch of target sentences. Save, and the check runs.

use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

/// The decoder's input and what it must predict at each position, from padded `ids [batch, length]` in which each row
/// is start, tokens, end, padding.
///
/// You return `Shifted { tgt, tgt_y, ntokens }`: `tgt [batch, length − 1]` is what the decoder reads, `tgt_y [batch,
/// length − 1]` what it must predict, and `ntokens: usize` how many predictions are not padding. The id of padding is
/// `PAD`, an `f32`.
///
/// An example: `[[1, 5, 6, 2, 0]]` gives tgt `[[1, 5, 6, 2]]`, tgt_y `[[5, 6, 2, 0]]` and ntokens 3.
///
/// # Guidance
///
/// What you can use:
///
/// - `ids.shape() -> &[usize]`, `ids.at(&[row, column]) -> f32`, `tensor.data() -> &[f32]`, all cells
/// - `Tensor::from_fn(shape: &[usize], cell: impl FnMut(&[usize]) -> f32) -> Tensor`: calls `cell` with each
///   index
pub fn shift(ids: &Tensor) -> Shifted {
    let _ = (ids, PAD, Tensor::zeros);
    todo!("write shift")
}
