//! The exercise: a pass through the model, and the cases that tell it from its mistakes.

use transformer_tutor::autograd::Tape;
use transformer_tutor::lesson::exercise::Task;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Config, Transformer, pass};

use super::{mistakes, starter};

/// What there is to write.
pub static TASK: Task<mistakes::PassFn> = Task {
    reference: pass,
    starter: starter::pass,
    mistakes: &mistakes::ALL,
    check: |pass| TASK.compared_in_parts(pass, &CASES, 1e-5, |case, pass| run(case, pass)),
};

/// What is tried: words of the source and of the target, and the form over so many words.
type Case = (usize, usize, fn() -> Config);

const CASES: [(&str, Case); 3] = [
    (
        "4 source and 4 target words",
        (4, 4, || Config::annotated(9, 9)),
    ),
    (
        "5 source and 3 target words",
        (5, 3, || Config::annotated(9, 9)),
    ),
    ("TensorFlow's form", (4, 3, || Config::tensorflow(9))),
];

fn run(&(source, target, config): &Case, pass: mistakes::PassFn) -> [(&'static str, Tensor); 3] {
    let mut params = Params::new(4);
    let model = Transformer::new(&mut params, &config().sized(1, 8, 12, 2));
    let tape = Tape::eval(&params);
    // Sentence 0 ends with padding.
    let ids = |name: &str, length: usize, axis, from: usize| {
        let id = |i: &[usize]| match i[0] == 0 && i[1] + 1 == length {
            true => 0.0,
            false => (1 + (from + i[0] * 3 + i[1] * 2) % 8) as f32,
        };
        tape.ids(name, Tensor::from_fn(&[2, length], id), &["b", axis])
    };
    let found = pass(
        &model,
        &ids("src", source, "s", 2),
        &ids("tgt", target, "t", 5),
    );
    [
        (": memory", found.memory.value()),
        (": hidden", found.hidden.value()),
        (": log_probs", found.log_probs.value()),
    ]
}
