//! The classic mistakes of a training loop.

use super::given::{Trained, Training};

/// The signature of what is to be written.
pub type LoopFn = fn(&mut dyn Training, usize, usize) -> Trained;

/// Every mistake by the key of its diagnosis.
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
            &Ways {
                better: |new, best| new > best,
                ..SOUND
            },
        )
    }),
    ("later-of-equal", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Ways {
                better: |new, best| new <= best || best.is_nan(),
                ..SOUND
            },
        )
    }),
    // "Not worse" takes in NaN, which is not worse than anything.
    ("takes-nan", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Ways {
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
            &Ways {
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
            &Ways {
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
            &Ways {
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
            &Ways {
                resets: false,
                ..SOUND
            },
        )
    }),
    ("by-training-loss", |t, epochs, patience| {
        training_loop(
            t,
            epochs,
            patience,
            &Ways {
                by_training: true,
                ..SOUND
            },
        )
    }),
];

/// What is done otherwise.
struct Ways {
    better: fn(f64, f64) -> bool,
    order: fn(usize) -> usize,
    resets: bool,
    by_training: bool,
}

const SOUND: Ways = Ways {
    better: |new, best| new < best || (best.is_nan() && !new.is_nan()),
    order: |epoch| epoch,
    resets: true,
    by_training: false,
};

fn training_loop(t: &mut dyn Training, epochs: usize, patience: usize, ways: &Ways) -> Trained {
    let mut best = Trained {
        weights: t.weights(),
        loss: t.validate(),
        epoch: 0,
        losses: Vec::new(),
    };
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = t.batches((ways.order)(epoch));
        let sum: f64 = batches.iter().map(|&batch| t.step(batch)).sum();
        let mean = sum / batches.len().max(1) as f64;
        best.losses.push(mean);
        let loss = if ways.by_training { mean } else { t.validate() };
        if (ways.better)(loss, best.loss) {
            (best.weights, best.loss, best.epoch) = (t.weights(), loss, epoch);
            waited = if ways.resets { 0 } else { waited };
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    best
}
