//! Write the mask that hides the future. Save, and the check runs.

use transformer_tutor::tensor::Tensor;

/// Who may see whom in a sentence of `length` words: a tensor [1, length, length] with 1 where the
/// word of the row may see the word of the column, and 0 where it may not. A word sees itself and the
/// words before it. The leading axis of size 1 stretches over the batch.
///
/// `Tensor::from_fn(&[rows, columns], |i| …)` makes a tensor from the value of each cell; `i[0]` is
/// the first index, `i[1]` the second, and so on.
pub fn subsequent_mask(_length: usize) -> Tensor {
    todo!("1 where the column is not in the row's future, 0 elsewhere")
}
