//! Make a batch of the copy task. Save, and the check runs.

use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

/// From random `words [batch, length]`, whose short rows are padded with `PAD`, everything that one
/// step of training reads:
///
/// - `src [batch, length]`: the words, but the first column is `START`
/// - `src_mask [batch, 1, length]`: 1 where `src` is no padding, else 0
/// - `tgt [batch, length − 1]`: what the decoder reads, `src` without its last column
/// - `tgt_y [batch, length − 1]`: what it is to say, `src` without its first column
/// - `tgt_mask [batch, length − 1, length − 1]`: 1 where the row's position may see the column's word
/// - `ntokens`: how many cells of `tgt_y` are no padding
///
/// What you can use: `words.at(&[row, column])`, and `Tensor::from_fn(&[a, b, c], |i| …)`, which asks
/// for the cell at `i[0]`, `i[1]`, `i[2]`. A tensor's cells in a row are `tensor.data()`.
pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let _ = (words, START, PAD, Tensor::zeros);
    todo!("the source, its mask, two cuts, the mask of what the decoder reads, and a count")
}
