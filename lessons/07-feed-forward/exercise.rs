//! Write the feed-forward layer. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

/// Two linear maps with an activation function between them: up from d_model to d_ff channels, the activation,
/// dropout, and down again.
///
/// x `[batch, length, d_model]`; the result has the same shape.
///
/// What you can use: `maps.w_1.forward(&x)` and `maps.w_2.forward(&x)`, which add their biases;
/// `maps.activation.forward(&x)`; `x.dropout(maps.dropout)`.
pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let _ = (maps, x);
    todo!("up, activate, drop, down")
}
