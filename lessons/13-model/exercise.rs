//! Write a forward pass through the whole model. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};

/// A forward pass: from ids to the log-probabilities of the next tokens.
///
/// Which tensor and which mask goes where is for you to decide. In four runs, each with one thing wired wrongly, these
/// things were seen:
///
/// - The log-probabilities at target position 0 changed with the target token at position 2.
/// - The same source, padded from 5 to 8 tokens, was translated differently.
/// - Whatever the source was, the log-probabilities were the same.
/// - The decoder's weights were drawn anew, and the log-probabilities stayed the same.
///
/// The right run shows none of them.
///
/// - `src [batch, source]` and `tgt [batch, target]`: ids, padded with 0
/// - `model`: makes the masks of both sides, encodes, decodes, and has a `generator`
///
/// You return `Pass { memory, hidden, log_probs }`: the encoder's output, `[batch, source, d_model]`; the decoder's,
/// `[batch, target, d_model]`; and `[batch, target, tgt_vocab]`.
///
/// An example of the shapes, d_model 8 and 9 tokens in the vocabulary: 2 sentences of 5 source and 3 target
/// tokens give `[2, 5, 8]`, `[2, 3, 8]` and `[2, 3, 9]`.
///
/// # Guidance
///
/// What you can use:
///
/// - `model.src_mask(&src) -> Var` and `model.tgt_mask(&tgt) -> Var`
/// - `model.encode(&src, mask: &Var) -> Var`
/// - `model.decode(&memory, mask over the memory: &Var, &tgt, mask over the target: &Var) -> Var`
/// - `model.generator.forward(&hidden) -> Var`
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let _ = (model, src, tgt);
    todo!("write pass")
}
