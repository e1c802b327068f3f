//! Write a forward pass through the whole model. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};

/// A forward pass: from ids to the log-probabilities of the next tokens.
///
/// - `src [batch, source]` and `tgt [batch, target]`: ids, padded with 0
///
/// You return `Pass { memory, hidden, log_probs }`: the encoder's output, `[batch, source, d_model]`; the decoder's,
/// `[batch, target, d_model]`; and `[batch, target, tgt_vocab]`.
///
/// What you can use:
///
/// - `model.src_mask(&src) -> Var` and `model.tgt_mask(&tgt) -> Var`
/// - `model.encode(&src, &src_mask) -> Var`
/// - `model.decode(&memory, &src_mask, &tgt, &tgt_mask) -> Var`
/// - `model.generator.forward(&hidden) -> Var`
///
/// An example of the shapes, d_model 8 and 9 tokens in the vocabulary: 2 sentences of 5 source and 3 target
/// tokens give `[2, 5, 8]`, `[2, 3, 8]` and `[2, 3, 9]`.
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let _ = (model, src, tgt);
    todo!("write pass")
}
