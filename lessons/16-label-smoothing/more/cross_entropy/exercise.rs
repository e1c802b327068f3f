//! Write cross-entropy with its gradient. Save, and the check runs.

use transformer_tutor::tensor::Tensor;

/// The mean cross-entropy of a batch of predictions, in nats, and its gradient by the logits.
///
/// - `logits [n, vocabulary]`: a row of scores for each position; softmax turns a row into probabilities
/// - `targets`: `n` ids, the right token of each position; `padding` is an id that counts nothing
/// - the loss: the mean of `-ln p(target)` over the positions whose target is not `padding`
/// - the gradient `[n, vocabulary]`: how the loss changes with each logit; 0 at positions that do not count
///
/// Where no position counts, both are 0. Logits may be as large as 1,000, and a target's probability as small as
/// `exp(-1000)`: the loss must be right there, too.
///
/// What you can use:
///
/// - `logits.data() -> &[f32]`, row after row; `logits.last() -> usize`, the length of a row
/// - `Tensor::new(&[n, vocabulary], cells: Vec<f32>)`, and `slice.chunks(width)`
/// - `x.exp()`, `x.ln()`, `f32::max`, and the iterators
///
/// An example: logits `[[0, 0, ln 2]]`, target 2, no padding among them: the loss is 0.693 and the gradient
/// `[[0.25, 0.25, -0.5]]`.
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let _ = (logits, targets, padding);
    todo!("write cross_entropy")
}
