//! One training step in the fewest steps: what [`super::trainer`] does without shards, smoothing and accumulation.

use crate::autograd::Tape;
use crate::data::batch::{Batch, PAD};
use crate::params::Params;
use crate::train::adam::Adam;
use crate::train::loss::cross_entropy;
use crate::transformer::Transformer;

crate::reference! { "training_step";
// ANCHOR: forward
/// Forward pass, loss, backward pass, update. Returns the mean loss over the target tokens before
/// the update.
pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let real = tape.constant("real", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&real));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}
// ANCHOR_END: forward
}
