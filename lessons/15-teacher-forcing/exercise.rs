//! Write the shift that makes a training batch of target sentences. In the course,
//! or under `exercise watch`, every save is checked.

use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

/// The decoder's input and what it must predict at each position, from padded `ids [batch, length]` in which each row
/// is start, tokens, end, padding. Which ids are read, which are predicted and which of them count is for you to decide.
///
/// An example is `[[1, 5, 6, 2, 0]]`, with start 1, end 2 and padding 0. Four functions made these batches of it:
///
/// - tgt `[[5, 6, 2, 0]]`, tgt_y `[[5, 6, 2, 0]]` and ntokens 3
/// - tgt `[[5, 6, 2, 0]]`, tgt_y `[[1, 5, 6, 2]]` and ntokens 4
/// - tgt `[[1, 5, 6, 2]]`, tgt_y `[[5, 6, 2, 0]]` and ntokens 4
/// - tgt `[[1, 5, 6, 2]]`, tgt_y `[[5, 6, 2, 0]]` and ntokens 3
///
/// One is right: with it, a model learns to begin with nothing but the start token and to write until the end token, and
/// padding doesn't change the loss, which is divided by ntokens.
///
/// You return `Shifted { tgt, tgt_y, ntokens }`: `tgt [batch, length − 1]` is what the decoder reads, `tgt_y [batch,
/// length − 1]` what it must predict, and `ntokens: usize` how many predictions count. The id of padding is `PAD`, an
/// `f32`.
///
/// # Guidance
///
/// With which batch would a model be right by copying what it reads? Which one asks it for the token before?
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
