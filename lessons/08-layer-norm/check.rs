//! The check of the layer-norm exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::layer_norm::layer_norm;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::{mistakes, starter};

/// What is tried: a name, shape, ε.
const CASES: [(&str, [usize; 3], f32); 3] = [
    ("rows of 5 numbers", [2, 3, 5], 1e-6),
    ("a large ε", [3, 4, 6], 0.5),
    ("rows of 2 numbers", [1, 5, 2], 0.1),
];

/// What there is to write.
pub static TASK: Task<mistakes::NormFn> = Task {
    reference: layer_norm,
    starter: starter::layer_norm,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Var, &Var, &Var, f32) -> Var) -> Outcome {
    for (says, shape, epsilon) in CASES {
        let expected = run(shape, epsilon, layer_norm);
        let got = attempt(says, || run(shape, epsilon, &implementation))?;
        compare(says, &expected, &got, 1e-5).map_err(|failure| {
            let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                Some((*name, attempt("", || run(shape, epsilon, mistake)).ok()?))
            });
            diagnose(failure, &got, known)
        })?;
    }
    Ok(())
}

fn run(
    shape: [usize; 3],
    epsilon: f32,
    implementation: impl Fn(&Var, &Var, &Var, f32) -> Var,
) -> Tensor {
    let tape = Tape::eval(&Params::default());
    // Means far from 0, and another spread in every row.
    let x = random::normal(&shape, 1.0, 3, "x");
    let x = Tensor::from_fn(&shape, |i| x.at(i) * (1 + i[1]) as f32 + 2.0 - i[0] as f32);
    let x = tape.input("x", x, &["b", "t", "d"]);
    let vector = |name: &str, around: f32| {
        let v = random::normal(&shape[2..], 0.5, 3, name).map(|v| v + around);
        tape.input(name, v, &["d"])
    };
    implementation(&x, &vector("scale", 1.5), &vector("bias", 0.7), epsilon).value()
}
