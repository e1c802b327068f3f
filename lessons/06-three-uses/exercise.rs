//! Write the three uses of attention. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

/// The three attentions of a Transformer: the encoder's, the decoder's own, and the one between them. Which tensor and
/// which mask goes where is for you to decide, and can be checked against the lesson. In six runs, each with one thing
/// wired wrongly, these things were seen:
///
/// - `memory` changed when a word of the target changed, although the encoder never sees the target.
/// - `memory` changed when padding was appended to the source. So did `crossed`, in another run.
/// - `own` changed at position 0 when only the last target token changed.
/// - `crossed` had one row per source token, where the layer above expects one per target token.
/// - `crossed` stayed the same when the weights of `encoder` were drawn anew.
/// - `crossed` stayed the same when the weights of `decoder` were drawn anew.
///
/// The right run shows none of them.
///
/// - `source [batch, source, d_model]`, `target [batch, target, d_model]`
/// - `src_mask [batch, 1, source]` blocks padding, `tgt_mask [batch, target, target]` the future too
/// - `maps`: three multi-head attentions, `encoder`, `decoder` and `cross`
///
/// You return `Used { memory, own, crossed }`, the results of `encoder`, `decoder` and `cross`.
///
/// An example: 2 source tokens, 3 target tokens and 1 head give weights of the shapes `[batch, 1, 2, 2]`,
/// `[batch, 1, 3, 3]` and `[batch, 1, 3, 2]`.
///
/// # Guidance
///
/// Ask for each of the three: whose tokens ask, whose tokens are read, and which of those may not be read?
///
/// What you can use:
///
/// - `maps.encoder.forward(&query, &key, &value, mask: Option<&Var>) -> MultiHead`, which has the fields
///   `output [batch, queries, d_model]` and `weights [batch, heads, queries, keys]`; the other two likewise
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
