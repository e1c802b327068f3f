//! Write a decoder layer. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;

/// A decoder layer: masked self-attention, cross-attention to the memory, and feed-forward, each inside its residual
/// connection.
///
/// - `x [batch, target, d_model]`; the result has the same shape
/// - `memory [batch, source, d_model]`: the encoder's output
/// - `src_mask [batch, 1, source]`, `tgt_mask [batch, target, target]`: 1 may be seen, 0 is blocked
/// - `layer`: `self_attn`, `src_attn`, `feed_forward`, and `sublayer`, the three residual connections in order. A
///   residual connection adds the sublayer's output to x, and takes care of LayerNorm and dropout.
///
/// An example of the shapes: 3 target and 5 source tokens give self-attention weights `[batch, heads, 3, 3]` and
/// cross-attention weights `[batch, heads, 3, 5]`.
///
/// # Guidance
///
/// What you can use:
///
/// - `layer.self_attn.forward(&query, &key, &value, mask: Option<&Var>) -> MultiHead`, with a field `output`;
///   `layer.src_attn` likewise
/// - `layer.feed_forward.forward(&x) -> Var`
/// - `layer.sublayer[0].forward(&x, |y| …) -> Var`: calls the closure with the sublayer's input, and adds what it
///   returns to x
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let _ = (layer, x, memory, src_mask, tgt_mask);
    todo!("write decoder_layer")
}
