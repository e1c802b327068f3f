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
/// - `weights` and `loss`: the weights with the lowest validation loss that was measured, and that loss. It is measured
///   before the first epoch and after each one. Of equal losses the earlier counts; NaN is never the best, unless it is
///   the first and nothing better comes.
/// - `epoch`: the epoch after which that loss was measured; 0 before the first
/// - `losses`: the mean training loss of each epoch that ran; 0 for an epoch without a batch
///
/// It ends early if `patience` epochs in a row were not better than the best before them; `patience` is at least 1.
///
/// An example: validation losses 5, 3, 4, 4, 1 with `patience` 2 end after epoch 3, with the weights of epoch 1.
///
/// # Guidance
///
/// Keep the best result in a variable from before the first epoch on, and count the epochs since it was found.
pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let _ = (training, epochs, patience);
    todo!("write training_loop")
}
