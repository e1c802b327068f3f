//! The exercise: the backward pass of softmax, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::nn::softmax_backward::softmax_backward;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::random;

use super::starter;

/// The signature of the backward pass of softmax.
pub type BackwardFn = fn(&Var, &Var) -> Var;

transformer_tutor::task! { softmax_backward: BackwardFn = softmax_backward;
    |backward| TASK.compared_recorded(backward, &CASES, 1e-5, run)
}

/// Cases to try: shape, and size of the scores.
const CASES: [(&str, (&[usize], f32)); 3] = [
    ("3 queries over 4 keys, 2 sentences", (&[2, 3, 4], 1.0)),
    ("heads, and sharper scores", (&[2, 3, 2, 5], 3.0)),
    ("one query over 7 keys", (&[1, 1, 7], 1.0)),
];

fn run(&(shape, size): &(&[usize], f32), backward: BackwardFn) -> Recorded {
    let tape = Tape::eval(&Params::default());
    let axes: &[&'static str] = match shape.len() {
        4 => &["b", "h", "t", "s"],
        _ => &["b", "t", "s"],
    };
    let scores = random::normal(shape, size, 3, "scores");
    let y = tape.input("scores", scores, axes).softmax();
    // Centred on 1 rather than 0, so that no row's sum vanishes.
    let dy = random::normal(shape, 1.5, 3, "dy").map(|d| d + 1.0);
    let dx = backward(&y, &tape.input("dy", dy, axes));
    Recorded::new(&tape, &[("", &dx)])
}
