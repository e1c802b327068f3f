//! The reference solution of the challenge: epochs, batches, and the best weights by validation loss.

use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

transformer_tutor::reference! { "training_loop";
// ANCHOR: forward
/// Runs epoch after epoch, keeps the weights that are best on the validation data, and stops after
/// `patience` epochs without improvement.
pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut best = Trained {
        weights: training.weights(),
        loss: training.validate(),
        epoch: 0,
        losses: Vec::new(),
    };
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let sum: f64 = batches.iter().map(|&batch| training.step(batch)).sum();
        best.losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best.loss || (best.loss.is_nan() && !loss.is_nan()) {
            best.weights = training.weights();
            best.loss = loss;
            best.epoch = epoch;
        } else if epoch - best.epoch == patience {
            break;
        }
    }
    best
}
// ANCHOR_END: forward
}
