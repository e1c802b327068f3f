//! The check of the label-smoothing exercise: takes any implementation.

use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::loss::smoothed_targets;

use super::{mistakes, starter};

/// What is tried: a name, the shape of the targets, the targets, words, ε, padding.
type Case = (
    &'static str,
    &'static [usize],
    &'static [f32],
    usize,
    f32,
    usize,
);

const CASES: [Case; 5] = [
    ("five words", &[5], &[2.0, 1.0, 0.0, 3.0, 3.0], 5, 0.4, 0),
    (
        "two sentences",
        &[2, 3],
        &[6.0, 1.0, 0.0, 5.0, 0.0, 0.0],
        7,
        0.1,
        0,
    ),
    // Whoever takes 0 for padding, whatever is asked, is caught here.
    (
        "padding is word 2",
        &[2, 2],
        &[0.0, 2.0, 5.0, 1.0],
        6,
        0.25,
        2,
    ),
    ("three words in all", &[2], &[2.0, 1.0], 3, 0.3, 0),
    ("nothing is smoothed", &[3], &[1.0, 0.0, 3.0], 4, 0.0, 0),
];

/// What there is to write.
pub static TASK: Task<mistakes::SmoothFn> = Task {
    reference: smoothed_targets,
    starter: starter::smoothed_targets,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Tensor, usize, f32, usize) -> Tensor) -> Outcome {
    for (says, shape, targets, words, smoothing, padding) in CASES {
        let targets = Tensor::new(shape, targets.to_vec());
        let expected = smoothed_targets(&targets, words, smoothing, padding);
        let got = attempt(says, || implementation(&targets, words, smoothing, padding))?;
        compare(says, &expected, &got, 1e-5).map_err(|failure| {
            let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                let made = attempt("", || mistake(&targets, words, smoothing, padding));
                Some((*name, made.ok()?))
            });
            diagnose(failure, &got, known)
        })?;
    }
    Ok(())
}
