//! Write an encoder layer. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;

/// Self-attention, then feed-forward, each inside its residual connection.
///
/// x `[batch, source, d_model]`, mask `[batch, 1, source]`; the result has x's shape.
///
/// What you can use: `layer.sublayer[0].forward(x, |x| …)` and `layer.sublayer[1]`, which normalise,
/// run the function that you pass, and add its result to x; `layer.self_attn.forward(x, x, x, Some(mask)).output`;
/// `layer.feed_forward.forward(x)`.
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let _ = (layer, x, mask);
    todo!("attention, then feed-forward")
}
