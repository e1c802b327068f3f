//! The exercise: smoothed targets, and cases that distinguish them from their mistakes.

use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::loss::smoothed_targets;

use super::starter;

/// The signature of label smoothing.
pub type SmoothFn = fn(&Tensor, usize, f32, usize) -> Tensor;

transformer_tutor::task! { smoothed_targets: SmoothFn = smoothed_targets;
    |smooth| TASK.compared(smooth, &CASES, 1e-5, run)
}

/// Cases to try: shape of the targets, targets, vocabulary size, ε, and padding id.
type Case = (&'static [usize], &'static [f32], usize, f32, usize);

const CASES: [(&str, Case); 5] = [
    ("five tokens", (&[5], &[2.0, 1.0, 0.0, 3.0, 3.0], 5, 0.4, 0)),
    (
        "two sentences",
        (&[2, 3], &[6.0, 1.0, 0.0, 5.0, 0.0, 0.0], 7, 0.1, 0),
    ),
    // Fails answers that assume padding has id 0.
    (
        "padding is token 2",
        (&[2, 2], &[0.0, 2.0, 5.0, 1.0], 6, 0.25, 2),
    ),
    ("three tokens in all", (&[2], &[2.0, 1.0], 3, 0.3, 0)),
    ("nothing is smoothed", (&[3], &[1.0, 0.0, 3.0], 4, 0.0, 0)),
];

fn run(&(shape, targets, words, smoothing, padding): &Case, smooth: SmoothFn) -> Tensor {
    smooth(
        &Tensor::new(shape, targets.to_vec()),
        words,
        smoothing,
        padding,
    )
}
