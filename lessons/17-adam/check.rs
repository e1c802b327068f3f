//! The check of the Adam exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::{Moved, Rules, adam_step};

use super::{mistakes, starter};

const SHAPE: [usize; 2] = [2, 3];

/// What is tried: a name, the number of the first step, how many steps, and the rules.
///
/// A step in the middle comes first: a division by 0 in step 1 would hide every other mistake.
const CASES: [(&str, i32, i32, Rules); 3] = [
    (
        "in the middle of a training",
        4,
        2,
        Rules {
            rate: 0.2,
            beta1: 0.8,
            beta2: 0.95,
            epsilon: 0.3,
            decay: 0.4,
        },
    ),
    (
        "the first three steps",
        1,
        3,
        Rules {
            rate: 0.1,
            beta1: 0.9,
            beta2: 0.98,
            epsilon: 1e-9,
            decay: 0.0,
        },
    ),
    (
        "a large decay",
        2,
        1,
        Rules {
            rate: 0.5,
            beta1: 0.5,
            beta2: 0.7,
            epsilon: 1e-3,
            decay: 0.9,
        },
    ),
];

/// What there is to write.
pub static TASK: Task<mistakes::AdamFn> = Task {
    reference: adam_step,
    starter: starter::adam_step,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Var, &Var, &Var, &Var, i32, &Rules) -> Moved) -> Outcome {
    for (says, first, steps, rules) in CASES {
        let expected = run(first, steps, &rules, adam_step);
        let got = attempt(says, || run(first, steps, &rules, &implementation))?;
        compare(says, &expected, &got, 1e-5).map_err(|failure| {
            let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                let made = attempt("", || run(first, steps, &rules, mistake));
                Some((*name, made.ok()?))
            });
            diagnose(failure, &got, known)
        })?;
    }
    Ok(())
}

/// Weights, mean and square after each step: `[steps, 3, 2, 3]`.
fn run(
    first: i32,
    steps: i32,
    rules: &Rules,
    implementation: impl Fn(&Var, &Var, &Var, &Var, i32, &Rules) -> Moved,
) -> Tensor {
    let normal = |name: &str| random::normal(&SHAPE, 1.0, 3, name);
    let mut x = normal("x");
    let (mut m, mut v) = (Tensor::zeros(&SHAPE), Tensor::zeros(&SHAPE));
    if first > 1 {
        (m, v) = (normal("m"), normal("v").map(|v| v * v + 0.1));
    }
    let mut seen = Vec::new();
    for step in first..first + steps {
        let mut gradient = normal(&format!("gradient {step}"));
        // A cell that was not used has no gradient.
        gradient.data_mut()[4] = 0.0;
        let tape = Tape::eval(&Params::default());
        let input = |name, value: &Tensor| tape.input(name, value.clone(), &["v", "d"]);
        let moved = implementation(
            &input("x", &x),
            &input("gradient", &gradient),
            &input("m", &m),
            &input("v", &v),
            step,
            rules,
        );
        (x, m, v) = (moved.x.value(), moved.m.value(), moved.v.value());
        for part in [&x, &m, &v] {
            assert!(
                part.shape() == SHAPE,
                "a result has shape {:?}, not {SHAPE:?} like the weights",
                part.shape()
            );
            seen.extend_from_slice(part.data());
        }
    }
    Tensor::new(&[steps as usize, 3, SHAPE[0], SHAPE[1]], seen)
}
