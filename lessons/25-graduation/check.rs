//! The check of the norm exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::rms_norm::rms_norm;
use transformer_tutor::tensor::{Tensor, random};

use super::mistakes::{self, NormFn};
use super::starter;

/// What there is to write.
pub static TASK: Task<NormFn> = Task {
    reference: rms_norm,
    starter: starter::rms_norm,
    mistakes: &mistakes::ALL,
    check,
};

/// A shape, how far from 0 its numbers are, their size, ε, and which numbers.
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

/// The result, and the gradients of `x` and of `scale`.
fn worked_out(&(shape, from_zero, size, epsilon, seed): &Case, norm: NormFn) -> [Tensor; 3] {
    let width = shape[shape.len() - 1];
    let draw = |shape: &[usize], site| random::normal(shape, 1.0, seed, site);
    let tape = Tape::eval(&Default::default());
    let axes = &["b", "t", "d"][3 - shape.len()..];
    let x = draw(shape, "x").map(|x| size * x + from_zero);
    let x = tape.input("x", x, axes);
    let scale = draw(&[width], "scale").map(|x| 1.3 + 0.5 * x);
    let scale = tape.input("scale", scale, &["d"]);
    let y = norm(&x, &scale, epsilon);
    let value = y.value();
    if value.shape() != shape {
        let none = Tensor::zeros(&[0]);
        return [value, none.clone(), none];
    }
    let grads = y.backward_from(&draw(shape, "upstream"));
    let of = |v: &Var| {
        let zero = || Tensor::zeros(v.value().shape());
        grads.get(v).cloned().unwrap_or_else(zero)
    };
    [value, of(&x), of(&scale)]
}

/// Backward too; a mistake is known by its result alone.
fn check(norm: NormFn) -> Outcome {
    for (says, case) in &CASES {
        let expected = worked_out(case, rms_norm);
        let got = attempt(says, || worked_out(case, norm))?;
        let parts = ["result", "gradient of x", "gradient of scale"];
        for (name, (e, g)) in parts.iter().zip(expected.iter().zip(&got)) {
            compare(&format!("{says}, {name}"), e, g, 1e-4).map_err(|failure| {
                let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                    let [result, ..] = attempt("", || worked_out(case, *mistake)).ok()?;
                    Some((*name, result))
                });
                diagnose(failure, &got[0], known)
            })?;
        }
    }
    Ok(())
}
