//! The exercise: layer normalisation, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::nn::layer_norm::layer_norm;
use transformer_tutor::ops::Deviation;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

/// The signature of layer normalisation.
pub type NormFn = fn(&Var, &Var, &Var, f32) -> Var;

transformer_tutor::task! { layer_norm: NormFn = layer_norm;
    |norm| TASK.compared_recorded(norm, &CASES, 1e-5, run)
}

/// Cases to try: a shape, ε, and the size of the numbers. For small numbers, an ε of 1e-6 differs from none.
const CASES: [(&str, Case); 5] = [
    ("rows of 5 numbers", ([2, 3, 5], 1e-6, 1.0)),
    ("numbers as small as ε", ([2, 3, 4], 0.02, 0.02)),
    ("a large ε", ([3, 4, 6], 0.5, 1.0)),
    ("rows of 2 numbers", ([1, 5, 2], 0.1, 1.0)),
    ("rows of 200 numbers", ([2, 2, 200], 0.05, 1.0)),
];

type Case = ([usize; 3], f32, f32);

fn run(&(shape, epsilon, size): &Case, norm: NormFn) -> Recorded {
    let tape = Tape::eval(&Params::default());
    // Means far from 0, and a different standard deviation in every row.
    let x = random::normal(&shape, 1.0, 3, "x");
    let x = Tensor::from_fn(&shape, |i| x.at(i) * (1 + i[1]) as f32 + 2.0 - i[0] as f32);
    let x = tape.input("x", x.map(|x| x * size), &["b", "t", "d"]);
    let vector = |name: &str, around: f32| {
        let v = random::normal(&shape[2..], 0.5, 3, name).map(|v| v + around);
        tape.input(name, v, &["d"])
    };
    let y = norm(&x, &vector("scale", 1.5), &vector("bias", 0.7), epsilon);
    Recorded::new(&tape, &[("", &y)])
}
