//! The exercise: the generator, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::params::{Init, Params};
use transformer_tutor::tensor::random;
use transformer_tutor::transformer::generator::{Generator, next_words};

use super::starter;

/// The signature of the generator.
pub type WordsFn = fn(&Generator, &Var) -> Var;

transformer_tutor::task! { next_words: WordsFn = next_words;
    |words| TASK.compared_recorded(words, &CASES, 1e-5, run)
}

/// Cases to try: number of tokens, whether there is a bias, size of the hidden vectors. The first weight is square, so
/// that even an untransposed one gives a result.
const CASES: [(&str, Case); 4] = [
    ("as many tokens as channels", (CHANNELS, true, 1.0)),
    ("with a bias", (9, true, 1.0)),
    ("a tied generator, without bias", (9, false, 1.0)),
    ("logits in the hundreds", (9, true, 150.0)),
];

const CHANNELS: usize = 6;

type Case = (usize, bool, f32);

fn run(&(tokens, biased, spread): &Case, words: WordsFn) -> Recorded {
    let mut params = Params::new(5);
    let shape = [tokens, CHANNELS];
    let weight = params.add("weight", &shape, &["v", "d"], Init::Normal(1.0));
    let bias = biased.then(|| params.add("bias", &[tokens], &["v"], Init::Normal(1.0)));
    let tape = Tape::eval(&params);
    let hidden = random::normal(&[2, 4, CHANNELS], spread, 3, "hidden");
    let hidden = tape.input("hidden", hidden, &["b", "t", "d"]);
    let log_probs = words(&Generator { weight, bias }, &hidden);
    Recorded::new(&tape, &[("", &log_probs)])
}
