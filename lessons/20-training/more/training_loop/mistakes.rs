//! The classic mistakes in a training loop.

use transformer_tutor::lesson::training_loop::{LoopFn, Trained, Training};

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, LoopFn); 9] = [
    ("keeps-last", |training, epochs, patience| {
        let sound = training_loop(training, epochs, patience, &SOUND);
        Trained {
            weights: training.weights(),
            ..sound
        }
    }),
    ("keeps-worst", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Deviations {
                better: |new, best| new > best || best.is_nan(),
                ..SOUND
            },
        )
    }),
    ("later-of-equal", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Deviations {
                better: |new, best| new <= best || best.is_nan(),
                ..SOUND
            },
        )
    }),
    // "Not worse" accepts NaN, which is not worse than anything.
    ("takes-nan", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Deviations {
                better: |new, best| {
                    !matches!(
                        new.partial_cmp(&best),
                        Some(std::cmp::Ordering::Greater | std::cmp::Ordering::Equal)
                    )
                },
                ..SOUND
            },
        )
    }),
    ("stuck-at-nan", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Deviations {
                better: |new, best| new < best,
                ..SOUND
            },
        )
    }),
    ("same-order", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Deviations {
                order: |_| 1,
                ..SOUND
            },
        )
    }),
    ("epochs-from-0", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Deviations {
                order: |epoch| epoch - 1,
                ..SOUND
            },
        )
    }),
    ("patience-in-all", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Deviations {
                starts_anew: |_, _, _| false,
                ..SOUND
            },
        )
    }),
    ("by-training-loss", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Deviations {
                by_training: true,
                ..SOUND
            },
        )
    }),
];

/// Deviations from the correct loop.
struct Deviations {
    better: fn(f64, f64) -> bool,
    order: fn(usize) -> usize,
    /// Whether the count of epochs without improvement restarts, from the loss, that of the epoch before, and whether
    /// it is better.
    starts_anew: fn(f64, f64, bool) -> bool,
    by_training: bool,
    /// Training loss of an epoch, computed from those of its batches.
    mean: fn(&[f64]) -> f64,
    /// Value used for the loss before the first epoch.
    first: fn(f64) -> f64,
}

const SOUND: Deviations = Deviations {
    better: |new, best| new < best || (best.is_nan() && !new.is_nan()),
    order: |epoch| epoch,
    starts_anew: |_, _, better| better,
    by_training: false,
    mean: |losses| losses.iter().sum::<f64>() / losses.len().max(1) as f64,
    first: |loss| loss,
};

fn training_loop(
    t: &mut dyn Training,
    epochs: usize,
    patience: usize,
    ways: &Deviations,
) -> Trained {
    let mut best = Trained {
        weights: t.weights(),
        loss: (ways.first)(t.validate()),
        epoch: 0,
        losses: Vec::new(),
    };
    let (mut waited, mut before) = (0, best.loss);
    for epoch in 1..=epochs {
        let batches = t.batches((ways.order)(epoch));
        let losses: Vec<f64> = batches.iter().map(|&batch| t.step(batch)).collect();
        let mean = (ways.mean)(&losses);
        best.losses.push(mean);
        let loss = if ways.by_training { mean } else { t.validate() };
        let better = (ways.better)(loss, best.loss);
        if better {
            (best.weights, best.loss, best.epoch) = (t.weights(), loss, epoch);
        }
        if (ways.starts_anew)(loss, before, better) {
            waited = 0;
        } else if !better {
            waited += 1;
            if waited == patience {
                break;
            }
        }
        before = loss;
    }
    best
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, LoopFn); 6] = [
    (
        "You do not measure before the first epoch, so its weights are always the best at first. Measure once before it: nothing that is worse replaces the beginning.",
        |t, epochs, patience| {
            let first = |_: f64| f64::INFINITY;
            training_loop(t, epochs, patience, &Deviations { first, ..SOUND })
        },
    ),
    (
        "Your patience starts anew when the validation loss is lower than in the epoch before. It starts anew when the loss is lower than the best.",
        |t, epochs, patience| {
            let starts_anew = |new: f64, before: f64, _: bool| new < before;
            let ways = Deviations {
                starts_anew,
                ..SOUND
            };
            training_loop(t, epochs, patience, &ways)
        },
    ),
    (
        "You wait one epoch too many. End when as many epochs in a row as patience says were not better.",
        |t, epochs, patience| training_loop(t, epochs, patience + 1, &SOUND),
    ),
    (
        "You note the loss of the last batch. Note the mean of all batches of the epoch.",
        |t, epochs, patience| {
            let mean = |losses: &[f64]| losses.last().copied().unwrap_or(0.0);
            training_loop(t, epochs, patience, &Deviations { mean, ..SOUND })
        },
    ),
    (
        "An epoch without a batch divides by 0. Its training loss is 0.",
        |t, epochs, patience| {
            let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
            training_loop(t, epochs, patience, &Deviations { mean, ..SOUND })
        },
    ),
    (
        "The training loss of the epoch that ends the run is missing. Note it before you look at patience.",
        |t, epochs, patience| {
            let mut found = training_loop(t, epochs, patience, &SOUND);
            if found.losses.len() == found.epoch + patience {
                found.losses.pop();
            }
            found
        },
    ),
];
