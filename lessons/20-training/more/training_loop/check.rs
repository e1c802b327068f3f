//! The challenge: the training loop, and courses of a training that distinguish it from its mistakes.

use transformer_tutor::tensor::Tensor;

mod reference;
#[path = "exercise.rs"]
mod starter;

use transformer_tutor::lesson::training_loop::LoopFn;
pub use transformer_tutor::lesson::training_loop::{Trained, Training};

transformer_tutor::task! { training_loop: LoopFn = reference::training_loop;
    |training_loop| TASK.compared_in_parts(training_loop, &CASES, 1e-5, run)
}

/// A training with known validation losses: batches per epoch, the validation loss before the first epoch and after
/// each, maximum epochs, and patience.
struct Course {
    batches: usize,
    validation: &'static [f64],
    epochs: usize,
    patience: usize,
}

const NAN: f64 = f64::NAN;

/// The cases to try.
const CASES: [(&str, Course); 13] = [
    (
        "validation losses 5 3 4 2 2.5",
        Course {
            batches: 3,
            validation: &[5.0, 3.0, 4.0, 2.0, 2.5],
            epochs: 4,
            patience: 9,
        },
    ),
    (
        "validation losses 5 3 4 4 1, patience 2",
        Course {
            batches: 2,
            validation: &[5.0, 3.0, 4.0, 4.0, 1.0],
            epochs: 4,
            patience: 2,
        },
    ),
    (
        "validation losses 5 6 4 6 3 6, patience 2",
        Course {
            batches: 2,
            validation: &[5.0, 6.0, 4.0, 6.0, 3.0, 6.0],
            epochs: 5,
            patience: 2,
        },
    ),
    (
        "nothing is ever better than the beginning",
        Course {
            batches: 2,
            validation: &[1.0, 2.0, 3.0, 2.0],
            epochs: 3,
            patience: 9,
        },
    ),
    (
        "a validation loss that falls by less than a thousandth",
        Course {
            batches: 2,
            validation: &[4.0, 3.0, 2.9996],
            epochs: 2,
            patience: 9,
        },
    ),
    (
        "equal validation losses",
        Course {
            batches: 2,
            validation: &[4.0, 3.0, 3.0, 3.0],
            epochs: 3,
            patience: 9,
        },
    ),
    (
        "validation losses that become NaN",
        Course {
            batches: 2,
            validation: &[4.0, 3.0, NAN, NAN],
            epochs: 3,
            patience: 9,
        },
    ),
    (
        "a validation loss that is NaN at first",
        Course {
            batches: 2,
            validation: &[NAN, 3.0, 2.0],
            epochs: 2,
            patience: 9,
        },
    ),
    (
        "validation losses that are all NaN",
        Course {
            batches: 2,
            validation: &[NAN, NAN, NAN],
            epochs: 2,
            patience: 9,
        },
    ),
    (
        "no epoch",
        Course {
            batches: 2,
            validation: &[4.0],
            epochs: 0,
            patience: 1,
        },
    ),
    (
        "one batch an epoch",
        Course {
            batches: 1,
            validation: &[4.0, 3.0, 3.5, 2.0],
            epochs: 3,
            patience: 2,
        },
    ),
    (
        "an epoch without a batch",
        Course {
            batches: 0,
            validation: &[4.0, 3.0, 2.0],
            epochs: 2,
            patience: 3,
        },
    ),
    // Lower than in the epoch before is not the same as lower than ever.
    (
        "validation losses 5 3 4.5 4 3.5 1, patience 2",
        Course {
            batches: 2,
            validation: &[5.0, 3.0, 4.5, 4.0, 3.5, 1.0],
            epochs: 5,
            patience: 2,
        },
    ),
];

/// A training that follows a given course.
struct Rails<'a> {
    course: &'a Course,
    /// Batches trained on so far.
    taken: Vec<usize>,
    /// How often an epoch's batches were requested.
    epochs: std::cell::Cell<usize>,
}

impl Training for Rails<'_> {
    fn batches(&self, epoch: usize) -> Vec<usize> {
        self.epochs.set(self.epochs.get() + 1);
        // A different order in every epoch.
        let n = self.course.batches;
        (0..n)
            .map(|batch| 10 * epoch + (batch + epoch) % n)
            .collect()
    }

    fn step(&mut self, batch: usize) -> f64 {
        assert!(
            self.taken.len() < 100,
            "100 steps were made: nothing ends the loop"
        );
        self.taken.push(batch);
        6.0 / self.taken.len() as f64
    }

    fn validate(&self) -> f64 {
        let course = self.course;
        // In the middle of an epoch the loss is lower than at its end, which catches a loop that measures there.
        let middle = match course.batches {
            0 => 0,
            n => self.taken.len() % n,
        };
        let after = match course.batches {
            0 => self.epochs.get(),
            n => self.taken.len() / n,
        };
        course.validation[after.min(course.validation.len() - 1)] - 50.0 * middle as f64
    }

    fn weights(&self) -> Vec<f32> {
        let last = self.taken.last().map_or(0, |batch| batch + 1);
        vec![self.taken.len() as f32, last as f32]
    }
}

fn run(course: &Course, training_loop: LoopFn) -> [(&'static str, Tensor); 5] {
    let mut rails = Rails {
        course,
        taken: Vec::new(),
        epochs: 0.into(),
    };
    let best = training_loop(&mut rails, course.epochs, course.patience);
    let row = |cells: Vec<f32>| Tensor::new(&[cells.len()], cells);
    // NaN is not equal to itself, so compare whether the loss is one.
    let loss = vec![
        f32::from(u8::from(best.loss.is_nan())),
        best.loss.max(-1e9) as f32,
    ];
    [
        (
            ", the batches in their order",
            row(rails.taken.iter().map(|&b| b as f32).collect()),
        ),
        (
            ", the epoch of the best weights",
            Tensor::scalar(best.epoch as f32),
        ),
        (", the best weights", row(best.weights)),
        (
            ", the best validation loss (1 before it means NaN)",
            row(loss),
        ),
        (
            ", the mean training losses",
            row(best.losses.iter().map(|&l| l as f32).collect()),
        ),
    ]
}
