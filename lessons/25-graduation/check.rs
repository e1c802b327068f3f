//! The check of the RMSNorm exercise, for any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::nn::rms_norm::rms_norm;
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

/// The signature of RMSNorm.
pub type NormFn = fn(&Var, &Var, f32) -> Var;

transformer_tutor::task! { rms_norm: NormFn = rms_norm;
    |norm| TASK.compared_recorded(norm, &CASES, 1e-4, run)
}

/// A shape, the distance of its numbers from 0, their size, ε, and the seed.
type Case = (&'static [usize], f32, f32, f32, u64);

const CASES: [(&str, Case); 4] = [
    (
        "three sentences of five words",
        (&[3, 5, 6], 0.4, 1.0, 0.05, 0),
    ),
    (
        "numbers that are all far from zero",
        (&[2, 3, 7], 2.5, 0.5, 0.3, 1),
    ),
    ("very small numbers", (&[1, 4, 5], 0.0, 0.01, 0.001, 2)),
    ("a matrix, and no ε", (&[4, 9], -0.7, 2.0, 0.0, 3)),
];

fn run(&(shape, from_zero, size, epsilon, seed): &Case, norm: NormFn) -> Recorded {
    let width = shape[shape.len() - 1];
    let draw = |shape: &[usize], site| random::normal(shape, 1.0, seed, site);
    let tape = Tape::eval(&Default::default());
    let axes = &["b", "t", "d"][3 - shape.len()..];
    let x = draw(shape, "x").map(|x| size * x + from_zero);
    let x = tape.input("x", x, axes);
    let scale = draw(&[width], "scale").map(|x| 1.3 + 0.5 * x);
    let scale = tape.input("scale", scale, &["d"]);
    Recorded::new(&tape, &[("", &norm(&x, &scale, epsilon))])
}
