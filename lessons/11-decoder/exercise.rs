//! Write a decoder layer. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;

/// Masked self-attention, attention to the memory, feed-forward, each inside its residual connection.
///
/// x `[batch, target, d_model]`, memory `[batch, source, d_model]`, src_mask `[batch, 1, source]`,
/// tgt_mask `[batch, target, target]`; the result has x's shape.
///
/// What you can use: `layer.sublayer[0].forward(x, |x| …)`, and `[1]` and `[2]`;
/// `layer.self_attn.forward(query, key, value, Some(mask)).output` and `layer.src_attn` likewise;
/// `layer.feed_forward.forward(x)`.
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let _ = (layer, x, memory, src_mask, tgt_mask);
    todo!("self-attention, attention to the memory, feed-forward")
}
