//! Write the mask that hides the future. Save, and the check runs.

use transformer_tutor::tensor::Tensor;

/// Which token may read which in a sentence of `length` tokens: a tensor [1, length, length] with 1 where
/// the token of the row may read the token of the column, and 0 where it may not. A token reads itself and
/// those before it. The leading axis of size 1 is broadcast over the batch.
///
/// `Tensor::from_fn(&[rows, columns], |i| …)` makes a tensor from the value of each cell; `i[0]` is
/// the first index, `i[1]` the second, and so on.
pub fn subsequent_mask(_length: usize) -> Tensor {
    todo!("1 where the column is not in the row's future, 0 elsewhere")
}
