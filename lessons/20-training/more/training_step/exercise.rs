//! Write one training step. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

/// One update of all weights on one batch, with dropout on. The result is the loss before the update: the mean
/// cross-entropy of the target tokens, in nats, without padding.
///
/// - `batch.src [batch, source]` and `batch.tgt [batch, target + 1]`: ids, padded with `PAD`; targets begin with BOS
///   and end with EOS
/// - `rate`: the learning rate of this step; `seed`: determines the dropout, which drops the same cells for the same
///   seed
/// - `adam` counts its steps itself
///
/// An example: with `rate` 0 no weight moves, and the same batch and seed give the same loss again.
///
/// # Guidance
///
/// What you can use:
///
/// - `Tape::train(params, seed).dropping_by_turn() -> Tape`: a tape with dropout, of the same cells for the same seed
/// - `batch.shifted() -> (Tensor, Tensor)`, each `[batch, target]`: what the decoder reads, and what it must predict
/// - `tape.ids(name, tensor, axes) -> Var` records ids, `tape.constant(name, tensor, axes) -> Var` a tensor without a
///   gradient; the axes are `&["b", "s"]` for sources and `&["b", "t"]` for targets
/// - `model.forward(&src, &tgt) -> Pass`, with `pass.hidden [batch, target, d_model]`; it makes its own masks
/// - `model.generator.logits(&hidden) -> Var`, `[batch, target, vocabulary]`
/// - `cross_entropy(&logits, &targets, Some(&weights)) -> Var`: the mean over the positions, weighted by
///   `weights [batch, target]`
/// - `tensor.map(|id| …) -> Tensor`, and `loss.value().at(&[]) -> f32`
/// - `loss.backward() -> Grads`, and `adam.step(params, &grads, rate)`
pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let _ = (
        model,
        params,
        adam,
        batch,
        rate,
        seed,
        PAD,
        Tape::train,
        cross_entropy,
    );
    todo!("write training_step")
}
