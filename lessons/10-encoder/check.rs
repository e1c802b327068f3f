//! The check of the encoder exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::transformer::Config;
use transformer_tutor::transformer::encoder::{EncoderLayer, encoder_layer};

use super::{mistakes, starter};

/// What is tried: a name, words of a sentence, where the norms stand.
const CASES: [(&str, usize, NormPlace); 2] = [
    ("5 words, pre-norm", 5, NormPlace::Pre),
    ("3 words, post-norm", 3, NormPlace::Post),
];

/// What there is to write.
pub static TASK: Task<mistakes::LayerFn> = Task {
    reference: encoder_layer,
    starter: starter::encoder_layer,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&EncoderLayer, &Var, &Var) -> Var) -> Outcome {
    for (says, length, place) in CASES {
        let expected = run(length, place, encoder_layer);
        let got = attempt(says, || run(length, place, &implementation))?;
        compare(says, &expected, &got, 1e-5).map_err(|failure| {
            let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                Some((*name, attempt("", || run(length, place, mistake)).ok()?))
            });
            diagnose(failure, &got, known)
        })?;
    }
    Ok(())
}

fn run(
    length: usize,
    place: NormPlace,
    implementation: impl Fn(&EncoderLayer, &Var, &Var) -> Var,
) -> Tensor {
    let config = Config {
        norm_place: place,
        ..Config::annotated(1, 1).sized(1, 8, 12, 2)
    };
    let mut params = Params::new(4);
    let layer = EncoderLayer::new(&mut params, &config);
    // Norms that do something of their own, each another thing.
    for (n, sublayer) in layer.sublayer.iter().enumerate() {
        for param in [sublayer.norm.scale, sublayer.norm.bias] {
            let name = params.name(param).to_owned();
            let moved = random::normal(&[8], 0.5, 5, &name).map(|x| x + n as f32 + 0.5);
            params.set(param, moved);
        }
    }
    let tape = Tape::eval(&params);
    let x = tape.input(
        "x",
        random::normal(&[3, length, 8], 1.0, 3, "x"),
        &["b", "s", "d"],
    );
    let seen = |i: &[usize]| f32::from(u8::from(i[2] + i[0] < length));
    let mask = tape.mask(
        "mask",
        Tensor::from_fn(&[3, 1, length], seen),
        &["b", "", "s"],
    );
    implementation(&layer, &x, &mask).value()
}
