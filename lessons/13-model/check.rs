//! The check of the exercise on the whole model: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Config, Pass, Transformer, pass};

use super::{mistakes, starter};

/// What is tried: a name, words of the source and of the target, TensorFlow's form or not.
const CASES: [(&str, usize, usize, bool); 3] = [
    ("4 source and 4 target words", 4, 4, false),
    ("5 source and 3 target words", 5, 3, false),
    ("TensorFlow's form", 4, 3, true),
];

/// What there is to write.
pub static TASK: Task<mistakes::PassFn> = Task {
    reference: pass,
    starter: starter::pass,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Transformer, &Var, &Var) -> Pass) -> Outcome {
    for (says, source, target, tensorflow) in CASES {
        let expected = run(source, target, tensorflow, pass);
        let got = attempt(says, || run(source, target, tensorflow, &implementation))?;
        for (what, (e, g)) in ["memory", "hidden", "log_probs"]
            .iter()
            .zip(expected.iter().zip(&got))
        {
            compare(&format!("{says}: {what}"), e, g, 1e-5).map_err(|failure| {
                let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                    let result = attempt("", || run(source, target, tensorflow, mistake)).ok()?;
                    Some((*name, joined(&result)))
                });
                diagnose(failure, &joined(&got), known)
            })?;
        }
    }
    Ok(())
}

fn joined(results: &[Tensor; 3]) -> Tensor {
    let all: Vec<f32> = results.iter().flat_map(|t| t.data().to_vec()).collect();
    Tensor::new(&[all.len()], all)
}

fn run(
    source: usize,
    target: usize,
    tensorflow: bool,
    implementation: impl Fn(&Transformer, &Var, &Var) -> Pass,
) -> [Tensor; 3] {
    let config = if tensorflow {
        Config::tensorflow(9)
    } else {
        Config::annotated(9, 9)
    };
    let mut params = Params::new(4);
    let model = Transformer::new(&mut params, &config.sized(1, 8, 12, 2));
    let tape = Tape::eval(&params);
    // Sentence 0 ends with padding.
    let ids = |name: &str, length: usize, axis, from: usize| {
        let id = |i: &[usize]| {
            let padding = i[0] == 0 && i[1] + 1 == length;
            if padding {
                0.0
            } else {
                (1 + (from + i[0] * 3 + i[1] * 2) % 8) as f32
            }
        };
        tape.ids(name, Tensor::from_fn(&[2, length], id), &["b", axis])
    };
    let found = implementation(
        &model,
        &ids("src", source, "s", 2),
        &ids("tgt", target, "t", 5),
    );
    [
        found.memory.value(),
        found.hidden.value(),
        found.log_probs.value(),
    ]
}
