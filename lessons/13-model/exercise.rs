//! Write the forward pass of the whole model. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};

/// Masks, encoder, decoder, generator: from ids to the log-probabilities of the next tokens.
///
/// src `[batch, source]`, tgt `[batch, target]`, both ids. You return the memory `[batch, source,
/// d_model]`, the hidden vectors `[batch, target, d_model]`, and the log-probabilities `[batch, target,
/// tgt_vocab]`.
///
/// What you can use: `model.src_mask(src)`, `model.tgt_mask(tgt)`, `model.encode(src, &src_mask)`,
/// `model.decode(&memory, &src_mask, tgt, &tgt_mask)`, `model.generator.forward(&hidden)`.
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let _ = (model, src, tgt);
    todo!("encode, decode, generate")
}
