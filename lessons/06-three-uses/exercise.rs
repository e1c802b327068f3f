//! Write the three uses of attention. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

/// Attends in the three places of a Transformer: the encoder over itself, the decoder over itself, and
/// the decoder over what the encoder returned.
///
/// source `[batch, source, d_model]`, target `[batch, target, d_model]`, src_mask
/// `[batch, 1, source]`, tgt_mask `[batch, target, target]`.
///
/// What you can use: `maps.encoder`, `maps.decoder` and `maps.cross`, each with
/// `forward(query, key, value, Some(mask))`, which returns `output` and `weights`.
pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let _ = (maps, source, target, src_mask, tgt_mask);
    todo!("memory, own, crossed")
}
