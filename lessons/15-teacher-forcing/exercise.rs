//! Make a training batch of target sentences. Save, and the check runs.

use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

/// From padded `ids [batch, length]`, each row start, tokens, end, padding: what the decoder reads,
/// `tgt [batch, length − 1]`, what it should predict at each position, `tgt_y [batch, length − 1]`, and
/// `ntokens`, how many of those are no padding.
///
/// What you can use: `ids.shape()`, `ids.at(&[row, column])`, and
/// `Tensor::from_fn(&[rows, columns], |i| …)`, which asks for the cell at row `i[0]`, column `i[1]`.
/// `PAD` is the id of padding; a tensor's cells in a row are `tensor.data()`.
pub fn shift(ids: &Tensor) -> Shifted {
    let _ = (ids, PAD, Tensor::zeros);
    todo!("all but the last column, all but the first, and count")
}
