//! Write an encoder layer. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;

/// An encoder layer. Read it from the drawing, bottom to top:
///
/// ```text
///                result
///                  │
///       ┌────────▶ +
///       │          │
///       │     feed_forward
///       │          │
///       │      LayerNorm      sublayer[1]
///       └──────────┤
///                  │
///       ┌────────▶ +
///       │          │
///       │      self_attn ◀── mask
///       │          │
///       │      LayerNorm      sublayer[0]
///       └──────────┤
///                  x
/// ```
///
/// - `x [batch, source, d_model]`; the result has the same shape
/// - `mask [batch, 1, source]`: 1 may be seen, 0 is padding
/// - `layer`: `self_attn`, `feed_forward`, and `sublayer`, the two residual connections. Each of them is an arrow
///   around a sublayer, its `+`, its LayerNorm and its dropout.
///
/// An example: if attention returns 0.5 for every cell, and feed-forward 2, a cell of x that is 1 becomes 3.5.
///
/// # Guidance
///
/// What you can use:
///
/// - `layer.self_attn.forward(&query, &key, &value, mask: Option<&Var>) -> MultiHead`, with a field `output`
/// - `layer.feed_forward.forward(&x) -> Var`
/// - `layer.sublayer[0].forward(&x, |y| …) -> Var`: calls the closure with the sublayer's input, adds what it returns
///   to x, and takes care of LayerNorm and dropout
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let _ = (layer, x, mask);
    todo!("write encoder_layer")
}
