//! The exercise: a step of Adam, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::{AdamFn, Moved, Rules, adam_step};

use super::starter;

transformer_tutor::task! { adam_step: AdamFn = adam_step;
    |step| TASK.compared(step, &CASES, 1e-5, run)
}

const SHAPE: [usize; 2] = [2, 3];

/// First step's number, number of steps, and the rules: rate, β₁, β₂, ε, decay.
type Case = (i32, i32, [f32; 5]);

/// A step in the middle of training comes first: a division by 0 in step 1 would hide every other mistake.
const CASES: [(&str, Case); 5] = [
    (
        "in the middle of a training",
        (4, 2, [0.2, 0.8, 0.95, 0.3, 0.4]),
    ),
    ("the first three steps", (1, 3, [0.1, 0.9, 0.98, 1e-9, 0.0])),
    ("a large decay", (2, 1, [0.5, 0.5, 0.7, 1e-3, 0.9])),
    ("step 151", (151, 1, [0.1, 0.9, 0.98, 1e-9, 0.0])),
    ("step 5,000", (5000, 1, [0.1, 0.9, 0.999, 1e-8, 0.1])),
];

/// Weights, mean and mean square after each step: `[steps, 3, 2, 3]`.
fn run(&(first, steps, [rate, beta1, beta2, epsilon, decay]): &Case, adam: AdamFn) -> Tensor {
    let rules = Rules {
        rate,
        beta1,
        beta2,
        epsilon,
        decay,
    };
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
        let inputs = [("x", &x), ("gradient", &gradient), ("m", &m), ("v", &v)];
        let [x0, gradient, m0, v0] =
            inputs.map(|(name, value)| tape.input(name, value.clone(), &["v", "d"]));
        let moved = adam(&x0, &gradient, &m0, &v0, step, &rules);
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
