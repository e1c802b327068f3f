//! The exercise: an encoder layer, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::Var;
use transformer_tutor::lesson::batch;
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::transformer::Config;
use transformer_tutor::transformer::encoder::{EncoderLayer, encoder_layer};

use super::starter;

/// The signature of an encoder layer.
pub type LayerFn = fn(&EncoderLayer, &Var, &Var) -> Var;

transformer_tutor::task! { encoder_layer: LayerFn = encoder_layer;
    |layer| TASK.compared_recorded(layer, &CASES, 1e-5, run)
}

/// Cases to try: tokens per sentence, place of the LayerNorms, and dropout, which is 0 in evaluation.
const CASES: [(&str, Case); 3] = [
    ("5 tokens, pre-norm", (5, NormPlace::Pre, 0.0)),
    ("3 tokens, post-norm", (3, NormPlace::Post, 0.0)),
    ("in training, with dropout 0.3", (4, NormPlace::Pre, 0.3)),
];

type Case = (usize, NormPlace, f32);

fn run(&(length, norm_place, dropout): &Case, layer_fn: LayerFn) -> Recorded {
    let config = Config {
        norm_place,
        dropout,
        ..Config::annotated(1, 1).sized(1, 8, 12, 2)
    };
    let mut params = Params::new(4);
    let layer = EncoderLayer::new(&mut params, &config);
    // LayerNorms whose scale and bias differ from 1 and 0, and from each other.
    for (n, sublayer) in layer.sublayer.iter().enumerate() {
        for param in [sublayer.norm.scale, sublayer.norm.bias] {
            let name = params.name(param).to_owned();
            let moved = random::normal(&[8], 0.5, 5, &name).map(|x| x + n as f32 + 0.5);
            params.set(param, moved);
        }
    }
    // Masks depend only on the order of the dropouts, so every way to write the layer drops the same cells.
    let tape = batch::tape(&params, dropout, 9).dropping_by_turn();
    let x = random::normal(&[3, length, 8], 1.0, 3, "x");
    let x = tape.input("x", x, &["b", "s", "d"]);
    let seen = |i: &[usize]| f32::from(u8::from(i[2] + i[0] < length));
    let mask = Tensor::from_fn(&[3, 1, length], seen);
    let mask = tape.mask("mask", mask, &["b", "", "s"]);
    Recorded::new(&tape, &[("", &layer_fn(&layer, &x, &mask))])
}
