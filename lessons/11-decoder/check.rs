//! The exercise: a decoder layer, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::Var;
use transformer_tutor::lesson::batch;
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::transformer::Config;
use transformer_tutor::transformer::decoder::{DecoderLayer, decoder_layer};

use super::starter;

/// The signature of a decoder layer: x, memory, source mask and target mask.
pub type LayerFn = fn(&DecoderLayer, &Var, &Var, &Var, &Var) -> Var;

transformer_tutor::task! { decoder_layer: LayerFn = decoder_layer;
    |layer| TASK.compared_recorded(layer, &CASES, 1e-5, run)
}

/// Cases to try: target and source lengths, place of the LayerNorms, and dropout, which is 0 in evaluation. The first
/// lengths are equal, so that exchanged masks still give a result.
const CASES: [(&str, Case); 4] = [
    ("4 target and 4 source tokens", (4, 4, NormPlace::Pre, 0.0)),
    ("3 target and 5 source tokens", (3, 5, NormPlace::Pre, 0.0)),
    ("post-norm", (4, 3, NormPlace::Post, 0.0)),
    ("in training, with dropout 0.3", (4, 5, NormPlace::Pre, 0.3)),
];

type Case = (usize, usize, NormPlace, f32);

fn run(&(target, source, norm_place, dropout): &Case, layer_fn: LayerFn) -> Recorded {
    const BATCH: usize = 3;
    let config = Config {
        norm_place,
        dropout,
        ..Config::annotated(1, 1).sized(1, 8, 12, 2)
    };
    let mut params = Params::new(4);
    let layer = DecoderLayer::new(&mut params, &config);
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
    let draw = |name: &str, length, axis| {
        let x = random::normal(&[BATCH, length, 8], 1.0, 3, name);
        tape.input(name, x, &["b", axis, "d"])
    };
    let (x, memory) = (draw("x", target, "t"), draw("memory", source, "s"));
    let src = |i: &[usize]| f32::from(u8::from(i[2] + i[0] < source));
    let src_mask = Tensor::from_fn(&[BATCH, 1, source], src);
    let src_mask = tape.mask("src_mask", src_mask, &["b", "", "s"]);
    let tgt = |i: &[usize]| f32::from(u8::from(i[2] <= i[1] && (i[0] == 0 || i[2] + 1 < target)));
    let tgt_mask = Tensor::from_fn(&[BATCH, target, target], tgt);
    let tgt_mask = tape.mask("tgt_mask", tgt_mask, &["b", "t", "t"]);
    let y = layer_fn(&layer, &x, &memory, &src_mask, &tgt_mask);
    Recorded::new(&tape, &[("", &y)])
}
