//# Returns the final weights with the loss of the best epoch.
//= keeps-last
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights: training.weights(), loss: best, epoch: best_epoch, losses }
}

//# Chooses the best weights by the training loss.
//= by-training-loss
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        let loss = sum / batches.len().max(1) as f64;
        losses.push(loss);
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Does not validate before the first epoch, which then always counts as an improvement.
//= classic-0
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = f64::INFINITY;
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Counts all epochs without improvement, not those in a row: the count is never reset.
//= patience-in-all
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Compares the validation loss with the previous epoch's instead of the best.
//= classic-1
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    let mut before = best;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
        }
        if loss < before {
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
        before = loss;
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Counts an equal validation loss as an improvement.
//= later-of-equal
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss <= best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Waits one epoch longer than patience says.
//= classic-2
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited > patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Tests that the loss is not worse, so that NaN, which is neither better nor worse, becomes the best.
//= takes-nan
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if !(loss >= best) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Never replaces a first loss of NaN, because nothing is smaller than NaN.
//= stuck-at-nan
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Validates before the steps of the epoch instead of after them.
//=
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let loss = training.validate();
        let now = training.weights();
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = now;
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Asks for the batches once and trains every epoch in the order of the first.
//= same-order
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    let batches = training.batches(1);
    for epoch in 1..=epochs {
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Keeps the loss of the last batch as the loss of the epoch instead of the mean.
//= classic-3
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum = training.step(batch);
        }
        losses.push(sum);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Divides by the number of batches even if there are none.
//= classic-4
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len() as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Counts the epochs from 0 when it asks for the batches.
//= epochs-from-0
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch - 1);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Records the training loss only of epochs after which training continues, not of the one that ends it.
//= classic-5
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
        losses.push(sum / batches.len().max(1) as f64);
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Validates after every batch and may take the best weights from the middle of an epoch.
//=
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
            let loss = training.validate();
            if loss < best {
                best = loss;
                best_epoch = epoch;
                weights = training.weights();
            }
        }
        losses.push(sum / batches.len().max(1) as f64);
        if best_epoch == epoch {
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# Returns the weights of the last epoch that ran, not those of the best one.
//= keeps-last
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            waited = 0;
        } else {
            waited += 1;
            if waited >= patience {
                break;
            }
        }
    }
    Trained {
        weights: training.weights(),
        loss: best,
        epoch: best_epoch,
        losses,
    }
}
//# Counts patience by comparing each validation loss with the previous epoch's instead of the best.
//= classic-1
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut best = training.validate();
    let mut last = best;
    let mut weights = training.weights();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
        }
        if loss < last || (last.is_nan() && !loss.is_nan()) {
            waited = 0;
        } else {
            waited += 1;
        }
        last = loss;
        if waited >= patience {
            break;
        }
    }
    Trained {
        weights,
        loss: best,
        epoch: best_epoch,
        losses,
    }
}
//# Counts the epochs from 0 when it asks for their batches.
//= epochs-from-0
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut best = Trained {
        weights: training.weights(),
        loss: training.validate(),
        epoch: 0,
        losses: Vec::new(),
    };
    let mut waited = 0;
    for epoch in 0..epochs {
        let batches = training.batches(epoch);
        let count = batches.len();
        let sum: f64 = batches.into_iter().map(|batch| training.step(batch)).sum();
        best.losses.push(if count == 0 { 0.0 } else { sum / count as f64 });
        let loss = training.validate();
        if loss < best.loss || (best.loss.is_nan() && !loss.is_nan()) {
            best.loss = loss;
            best.weights = training.weights();
            best.epoch = epoch + 1;
            waited = 0;
        } else {
            waited += 1;
        }
        if waited == patience {
            break;
        }
    }
    best
}
