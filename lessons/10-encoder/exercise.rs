//! Write an encoder layer. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;

/// An encoder layer: self-attention, then feed-forward, each inside its residual connection.
///
/// - `x [batch, source, d_model]`; the result has the same shape
/// - `mask [batch, 1, source]`: 1 may be seen, 0 is padding
/// - `layer`: `self_attn`, `feed_forward`, and `sublayer`, the two residual connections in order
///
/// What you can use:
///
/// - `layer.self_attn.forward(&query, &key, &value, mask: Option<&Var>) -> MultiHead`, with a field `output`
/// - `layer.feed_forward.forward(&x) -> Var`
/// - `layer.sublayer[0].forward(&x, |y| …) -> Var`: calls the closure with the sublayer's input, adds what it returns
///   to x, and takes care of LayerNorm and dropout
///
/// An example, pre-norm: if attention returns 0.5 for every cell, and feed-forward 2, a cell of x that is 1 becomes
/// 3.5.
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let _ = (layer, x, mask);
    todo!("write encoder_layer")
}
