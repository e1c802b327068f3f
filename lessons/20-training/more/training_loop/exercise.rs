//! Write the training loop. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

/// Trains for at most `epochs` epochs and returns the best weights.
///
/// `training` is a model with its data and its optimizer. It offers:
///
/// - `training.batches(epoch) -> Vec<usize>`: the batches of an epoch in the order of that epoch, which counts from 1
/// - `training.step(batch) -> f64`: runs one training step and returns its loss
/// - `training.validate() -> f64`: the validation loss of the current weights
/// - `training.weights() -> Vec<f32>`: a copy of the current weights
///
/// The fields of the result:
///
/// - `weights` and `loss`: the best weights, and their validation loss. Of equal losses the earlier counts; NaN is never
///   the best, unless it is the first and nothing better comes.
/// - `epoch`: the epoch after which that loss was measured; 0 before the first
/// - `losses`: the mean training loss of each epoch that ran; 0 for an epoch without a batch
///
/// Which weights are the best, and when `patience`, at least 1, ends a run early, is for you to decide. Five loops, each
/// with one mistake and patience 2, met these validation losses, the first of them before epoch 1. The training loss fell
/// in every epoch.
///
/// - `[5, 6, 4, 6, 3, 6]` ended after epoch 3, with the weights of epoch 2.
/// - `[5, 6, 4, 6, 3, 6]` ended after epoch 5, with the weights of epoch 5.
/// - `[5, 3, 4.5, 4, 3.5, 1]` ended after epoch 5, with the weights of epoch 5.
/// - `[5, 3, 4, 4, 1]` ended after epoch 4, with the weights of epoch 4.
/// - `[1, 2, 3, 2]` ended after epoch 3, with the weights of epoch 1.
///
/// An example: in the right loop, `[5, 3, 4, 4, 1]` ended after epoch 3, with the weights of epoch 1.
///
/// # Guidance
///
/// Which of the two losses tells how well the model will do on sentences that it has not seen? And when the loops above
/// ended, for how many epochs in a row had nothing better come?
pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let _ = (training, epochs, patience);
    todo!("write training_loop")
}
