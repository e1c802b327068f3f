//! Write the feed-forward layer. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

/// The feed-forward layer: every token on its own goes up to `d_ff` channels, through the activation function, and back
/// down. A training run drops some of the inner cells, after the activation function.
///
/// - `x [batch, length, d_model]`; the result has the same shape
/// - `maps`: `w_1` from d_model to d_ff channels, `w_2` back, `activation`, `dropout: f32`
///
/// An example, d_model 1 and d_ff 2, ReLU, no dropout: w_1 = `[[1], [-1]]` without bias and w_2 = `[[2, 3]]` with
/// bias 0.5 make 4.5 of x = 2, and 6.5 of x = −2.
///
/// # Guidance
///
/// In the example, x = 2 becomes 2 and −2 in the middle, of which ReLU leaves 2 and 0, and 2 · 2 + 3 · 0 + 0.5 is 4.5.
///
/// What you can use:
///
/// - `maps.w_1.forward(&x) -> Var` and `maps.w_2.forward(&x) -> Var`, which add their biases
/// - `maps.activation.forward(&x) -> Var`, cell by cell
/// - `x.dropout(p: f32) -> Var`
pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let _ = (maps, x);
    todo!("write feed_forward")
}
