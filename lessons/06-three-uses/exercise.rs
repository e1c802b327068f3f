//! Write the three uses of attention. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

/// Attention in the three places of a Transformer: the encoder's self-attention, the decoder's self-attention, and the
/// decoder's cross-attention to the encoder's output.
///
/// - `source [batch, source, d_model]`, `target [batch, target, d_model]`
/// - `src_mask [batch, 1, source]` blocks padding, `tgt_mask [batch, target, target]` the future too
/// - `maps`: three multi-head attentions, `encoder`, `decoder` and `cross`
///
/// You return `Used { memory, own, crossed }`, the outputs of the three in that order.
///
/// What you can use:
///
/// - `maps.encoder.forward(&query, &key, &value, mask: Option<&Var>) -> MultiHead`, which has the fields
///   `output [batch, queries, d_model]` and `weights [batch, heads, queries, keys]`; the other two likewise
///
/// An example: 2 source tokens, 3 target tokens and 1 head give weights of the shapes `[batch, 1, 2, 2]`,
/// `[batch, 1, 3, 3]` and `[batch, 1, 3, 2]`.
pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let _ = (maps, source, target, src_mask, tgt_mask);
    todo!("write three_uses")
}
