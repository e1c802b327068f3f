//! The exercise: the generator, and the cases that tell it from its mistakes.

use transformer_tutor::autograd::Tape;
use transformer_tutor::lesson::exercise::{Recorded, Task};
use transformer_tutor::params::{Init, Params};
use transformer_tutor::tensor::random;
use transformer_tutor::transformer::generator::{Generator, next_words};

use super::{mistakes, starter};

/// What there is to write.
pub static TASK: Task<mistakes::WordsFn> = Task {
    reference: next_words,
    starter: starter::next_words,
    mistakes: &mistakes::ALL,
    classics: &[],
    check: |words| TASK.compared_recorded(words, &CASES, 1e-5, run),
};

/// What is tried: whether there is a bias, how large the hidden vectors are.
const CASES: [(&str, Case); 3] = [
    ("with a bias", (true, 1.0)),
    ("a tied generator, without bias", (false, 1.0)),
    ("logits in the hundreds", (true, 150.0)),
];

type Case = (bool, f32);

fn run(&(biased, spread): &Case, words: mistakes::WordsFn) -> Recorded {
    let mut params = Params::new(5);
    // As many words as channels would let a weight that is turned round pass.
    let weight = params.add("weight", &[9, 6], &["v", "d"], Init::Normal(1.0));
    let bias = biased.then(|| params.add("bias", &[9], &["v"], Init::Normal(1.0)));
    let tape = Tape::eval(&params);
    let hidden = random::normal(&[2, 4, 6], spread, 3, "hidden");
    let hidden = tape.input("hidden", hidden, &["b", "t", "d"]);
    let log_probs = words(&Generator { weight, bias }, &hidden);
    Recorded::new(&tape, &[("", &log_probs)])
}
