//! Write cross-entropy with its gradient. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// The mean cross-entropy of a batch of predictions, in nats, and its gradient with respect to the logits.
///
/// - `logits [n, vocabulary]`: one row of scores per position; softmax turns a row into probabilities
/// - `targets`: `n` ids, the right token of each position; positions with the id `padding` do not count
/// - the loss: the mean of how surprising the targets were. A target with the probability 1 has the surprise 0, one with
///   the probability 1/e has 1.
/// - the gradient `[n, vocabulary]`: how the loss changes with each logit
///
/// What the two are divided by, and what each logit does to the loss, is for you to decide. In five runs, each with one
/// mistake, these things were seen, and none of them in the right run:
///
/// - A position with padding was appended, and the loss fell. In another run, its gradient was not 0.
/// - Every position came twice. The loss stayed the same, and so did the gradient of each position.
/// - There was one position, and its gradient added up to 1.
/// - A small step against the gradient raised the loss.
///
/// If no position counts, both are 0. Logits may be anywhere between −1,000 and 1,000, so a target's probability may be
/// as small as e to the power of −2,000: the loss must be right there, too.
///
/// An example: logits `[[0, 0, ln 2]]`, target 2, no padding among them: the loss is 0.693 and the gradient
/// `[[0.25, 0.25, -0.5]]`.
///
/// # Guidance
///
/// If all logits of a row rise by the same amount, what becomes of the loss? Which sum must a row of the gradient have,
/// then? And what is the logarithm of a probability that was rounded to 0?
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
