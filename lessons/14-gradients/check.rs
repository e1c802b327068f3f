//! The check of the softmax exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::softmax_backward::softmax_backward;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::{mistakes, starter};

/// What is tried: a name, shape, size of the scores.
const CASES: [(&str, &[usize], f32); 3] = [
    ("3 queries over 4 keys, 2 sentences", &[2, 3, 4], 1.0),
    ("heads, and sharper scores", &[2, 3, 2, 5], 3.0),
    ("one query over 7 keys", &[1, 1, 7], 1.0),
];

/// What there is to write.
pub static TASK: Task<mistakes::BackwardFn> = Task {
    reference: softmax_backward,
    starter: starter::softmax_backward,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Var, &Var) -> Var) -> Outcome {
    for (says, shape, size) in CASES {
        let expected = run(shape, size, softmax_backward);
        let got = attempt(says, || run(shape, size, &implementation))?;
        compare(says, &expected, &got, 1e-5).map_err(|failure| {
            let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                Some((*name, attempt("", || run(shape, size, mistake)).ok()?))
            });
            diagnose(failure, &got, known)
        })?;
    }
    Ok(())
}

fn run(shape: &[usize], size: f32, implementation: impl Fn(&Var, &Var) -> Var) -> Tensor {
    let tape = Tape::eval(&Params::default());
    let axes: Vec<&'static str> = ["b", "h", "t", "s"]
        .into_iter()
        .filter(|axis| shape.len() == 4 || *axis != "h")
        .collect();
    let scores = random::normal(shape, size, 3, "scores");
    let y = tape.input("scores", scores, &axes).softmax();
    // Around 1 and not around 0, so that no row's sum vanishes.
    let dy = random::normal(shape, 1.5, 3, "dy").map(|d| d + 1.0);
    implementation(&y, &tape.input("dy", dy, &axes)).value()
}
