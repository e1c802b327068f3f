//! The check of the generator exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::params::{Init, Params};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::transformer::generator::{Generator, next_words};

use super::{mistakes, starter};

/// What is tried: a name, whether there is a bias, how large the hidden vectors are.
const CASES: [(&str, bool, f32); 3] = [
    ("with a bias", true, 1.0),
    ("a tied generator, without bias", false, 1.0),
    ("logits in the hundreds", true, 150.0),
];

/// What there is to write.
pub static TASK: Task<mistakes::WordsFn> = Task {
    reference: next_words,
    starter: starter::next_words,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Generator, &Var) -> Var) -> Outcome {
    for (says, biased, spread) in CASES {
        let expected = run(biased, spread, next_words);
        let got = attempt(says, || run(biased, spread, &implementation))?;
        compare(says, &expected, &got, 1e-5).map_err(|failure| {
            let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                Some((*name, attempt("", || run(biased, spread, mistake)).ok()?))
            });
            diagnose(failure, &got, known)
        })?;
    }
    Ok(())
}

fn run(biased: bool, spread: f32, implementation: impl Fn(&Generator, &Var) -> Var) -> Tensor {
    let mut params = Params::new(5);
    // As many words as channels would let a weight that is turned round pass.
    let weight = params.add("weight", &[9, 6], &["v", "d"], Init::Normal(1.0));
    let bias = biased.then(|| params.add("bias", &[9], &["v"], Init::Normal(1.0)));
    let tape = Tape::eval(&params);
    let hidden = random::normal(&[2, 4, 6], spread, 3, "hidden");
    let hidden = tape.input("hidden", hidden, &["b", "t", "d"]);
    implementation(&Generator { weight, bias }, &hidden).value()
}
