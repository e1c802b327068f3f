//! Write the function that makes a batch of the copy task. In the course,
//! or under `exercise watch`, every save is checked.

use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

/// Everything that one training step reads, made from random `words [batch, length]`, whose short rows are padded with
/// `PAD`. You return a `CopyBatch` with these fields:
///
/// - `src [batch, length]`: the words, but the first column is `START`
/// - `src_mask [batch, 1, length]`: 1 where `src` is not padding, else 0
/// - `tgt [batch, length − 1]`: what the decoder reads
/// - `tgt_y [batch, length − 1]`: what it must predict, the same words as `src`
/// - `tgt_mask [batch, length − 1, length − 1]`: 1 where the row's position may see the column's token, else 0
/// - `ntokens: usize`: how many predictions count
///
/// `START` and `PAD` are ids as `f32`. What is read, seen and counted is for you to decide. In six runs, each with one
/// mistake, these things were seen, and none of them in the right run:
///
/// - `tgt` and `tgt_y` were the same.
/// - The decoder's position 0 could see position 1. In another run, it could see nothing.
/// - A position could see padding. In another run, a position whose own token was padding saw nothing.
/// - `ntokens` grew when a column of padding was appended to the words.
///
/// An example: the words `[[7, 8, 2], [9, 2, 0]]` give src `[[1, 8, 2], [1, 2, 0]]`, src_mask
/// `[[[1, 1, 1]], [[1, 1, 0]]]`, tgt `[[1, 8], [1, 2]]`, tgt_y `[[8, 2], [2, 0]]`, tgt_mask
/// `[[[1, 0], [1, 1]], [[1, 0], [1, 1]]]` and ntokens 3.
///
/// # Guidance
///
/// When the decoder writes column 1 of `src`, what has it read? Does what a row of `tgt_mask` may see depend on its own
/// token?
///
/// What you can use:
///
/// - `words.shape() -> &[usize]`, `words.at(&[row, column]) -> f32`, `tensor.data() -> &[f32]`, all cells
/// - `Tensor::from_fn(shape: &[usize], cell: impl FnMut(&[usize]) -> f32) -> Tensor`: calls `cell` with each
///   index
/// - `transformer_tutor::nn::masks::shift(&src) -> Shifted`, with the fields `tgt`, `tgt_y` and `ntokens`
pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let _ = (words, START, PAD, Tensor::zeros);
    todo!("write copy_batch")
}
