//! The exercise: a forward pass through the model, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::Var;
use transformer_tutor::lesson::batch;
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Config, Pass, Transformer, pass};

use super::starter;

/// The signature of the forward pass.
pub type PassFn = fn(&Transformer, &Var, &Var) -> Pass;

transformer_tutor::task! { pass: PassFn = pass;
    |pass| TASK.compared_recorded(pass, &CASES, 1e-5, run)
}

/// Cases to try: source and target lengths, configuration, and dropout, which is 0 in evaluation.
type Case = (usize, usize, fn() -> Config, f32);

const CASES: [(&str, Case); 4] = [
    (
        "4 source and 4 target words",
        (4, 4, || Config::annotated(9, 9), 0.0),
    ),
    (
        "5 source and 3 target words",
        (5, 3, || Config::annotated(9, 9), 0.0),
    ),
    ("TensorFlow's form", (4, 3, || Config::tensorflow(9), 0.0)),
    (
        "in training, with dropout 0.2",
        (4, 4, || Config::annotated(9, 9), 0.2),
    ),
];

fn run(&(source, target, config, dropout): &Case, pass: PassFn) -> Recorded {
    let mut params = Params::new(4);
    let config = Config {
        dropout,
        ..config().sized(1, 8, 12, 2)
    };
    let model = Transformer::new(&mut params, &config);
    let tape = batch::tape(&params, dropout, 9).dropping_by_turn();
    // Sentence 0 of the source ends with padding, and so does sentence 1 of the target.
    let ids = |name: &str, length: usize, axis, from: usize, padded: usize| {
        let id = |i: &[usize]| {
            if i[0] == padded && i[1] + 1 == length {
                0.0
            } else {
                (1 + (from + i[0] * 3 + i[1] * 2) % 8) as f32
            }
        };
        tape.ids(name, Tensor::from_fn(&[2, length], id), &["b", axis])
    };
    let output = pass(
        &model,
        &ids("src", source, "s", 2, 0),
        &ids("tgt", target, "t", 5, 1),
    );
    let results = [
        (": memory", &output.memory),
        (": hidden", &output.hidden),
        (": log_probs", &output.log_probs),
    ];
    Recorded::new(&tape, &results)
}
