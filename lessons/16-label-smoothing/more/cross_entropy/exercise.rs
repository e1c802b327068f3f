//! Write cross-entropy with its gradient. Save, and the check runs.

use transformer_tutor::tensor::Tensor;

/// The mean cross-entropy of a batch of predictions, in nats, and its gradient with respect to the logits.
///
/// - `logits [n, vocabulary]`: one row of scores per position; softmax turns a row into probabilities
/// - `targets`: `n` ids, the right token of each position; positions with the id `padding` do not count
/// - the loss: the mean of `-ln p(target)` over the positions whose target is not `padding`
/// - the gradient `[n, vocabulary]`: how the loss changes with each logit; 0 at positions that do not count
///
/// If no position counts, both are 0. Logits may be as large as 1,000, and a target's probability as small as
/// `exp(-1000)`: the loss must be right there, too.
///
/// What you can use:
///
/// - `logits.data() -> &[f32]`, row by row; `logits.last() -> usize`, the length of a row
/// - `Tensor::new(&[n, vocabulary], cells: Vec<f32>)`, and `slice.chunks(width)`
/// - `x.exp()`, `x.ln()`, `f32::max`, and the iterators
///
/// An example: logits `[[0, 0, ln 2]]`, target 2, no padding among them: the loss is 0.693 and the gradient
/// `[[0.25, 0.25, -0.5]]`.
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let _ = (logits, targets, padding);
    todo!("write cross_entropy")
}
