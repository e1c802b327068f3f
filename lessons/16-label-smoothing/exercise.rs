//! Write label smoothing. Save, and the check runs.

use transformer_tutor::tensor::Tensor;

/// What the model should predict: a distribution over the vocabulary for every target.
///
/// targets `[…]`, token ids as whole numbers; the result `[…, vocabulary]`. The right token keeps
/// `1 − smoothing`. All tokens but that one and padding get equal parts of the rest; padding gets nothing.
/// Where the target is `padding`, the whole row is 0.
///
/// What you can use: `targets.data()`, all ids in order; `targets.shape()`; and
/// `Tensor::new(&shape, numbers)`, numbers row by row.
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let _ = (targets, vocabulary, smoothing, padding);
    todo!("one row of `vocabulary` numbers for every target")
}
