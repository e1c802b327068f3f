//! Write cross-entropy with its gradient. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// The mean cross-entropy of a batch of predictions, in nats, and its gradient with respect to the logits.
///
/// - `logits [n, vocabulary]`: one row of scores per position; softmax turns a row into probabilities
/// - `targets`: `n` ids, the right token of each position; positions with the id `padding` do not count
/// - the loss: the mean of how surprising each target was, over the positions whose target is not `padding`. A target
///   with the probability 1 has the surprise 0, one with the probability 1/e has 1.
/// - the gradient `[n, vocabulary]`: how the loss changes with each logit; 0 at positions that do not count
///
/// If no position counts, both are 0. Logits may be anywhere between −1,000 and 1,000, so a target's probability may be
/// as small as e to the power of −2,000: the loss must be right there, too.
///
/// An example: logits `[[0, 0, ln 2]]`, target 2, no padding among them: the loss is 0.693 and the gradient
/// `[[0.25, 0.25, -0.5]]`.
///
/// # Guidance
///
/// The loss is the mean of `-ln p(target)`, and `ln p` must not be computed from a `p` that has become 0.
///
/// What you can use:
///
/// - `logits.data() -> &[f32]`, row by row; `logits.last() -> usize`, the length of a row
/// - `Tensor::new(&[n, vocabulary], cells: Vec<f32>)`, and `slice.chunks(width)`
/// - `x.exp()`, `x.ln()`, `f32::max`, and the iterators
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let _ = (logits, targets, padding);
    todo!("write cross_entropy")
}
