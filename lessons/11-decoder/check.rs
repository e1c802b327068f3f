//! The check of the decoder exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{attempt, compare, diagnose};
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::transformer::Config;
use transformer_tutor::transformer::decoder::{DecoderLayer, decoder_layer};

use super::{mistakes, switches::MISTAKES};

/// What is tried: a name, words of the target and of the source, where the norms stand. The first is
/// square, so that exchanged masks give a result that tells.
const CASES: [(&str, usize, usize, NormPlace); 3] = [
    ("4 target and 4 source words", 4, 4, NormPlace::Pre),
    ("3 target and 5 source words", 3, 5, NormPlace::Pre),
    ("post-norm", 4, 3, NormPlace::Post),
];

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&DecoderLayer, &Var, &Var, &Var, &Var) -> Var) -> Outcome {
    for (says, target, source, place) in CASES {
        let expected = run(target, source, place, decoder_layer);
        let got = attempt(says, || run(target, source, place, &implementation))?;
        compare(says, &expected, &got, 1e-5).map_err(|failure| {
            let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                let hint = MISTAKES.iter().find(|m| m.name == *name)?.hint;
                Some((
                    hint,
                    attempt("", || run(target, source, place, mistake)).ok()?,
                ))
            });
            diagnose(failure, &got, known)
        })?;
    }
    Ok(())
}

fn run(
    target: usize,
    source: usize,
    place: NormPlace,
    implementation: impl Fn(&DecoderLayer, &Var, &Var, &Var, &Var) -> Var,
) -> Tensor {
    const BATCH: usize = 3;
    let config = Config {
        norm_place: place,
        ..Config::annotated(1, 1).sized(1, 8, 12, 2)
    };
    let mut params = Params::new(4);
    let layer = DecoderLayer::new(&mut params, &config);
    // Norms that do something of their own, each another thing.
    for (n, sublayer) in layer.sublayer.iter().enumerate() {
        for param in [sublayer.norm.scale, sublayer.norm.bias] {
            let name = params.name(param).to_owned();
            let moved = random::normal(&[8], 0.5, 5, &name).map(|x| x + n as f32 + 0.5);
            params.set(param, moved);
        }
    }
    let tape = Tape::eval(&params);
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
    implementation(&layer, &x, &memory, &src_mask, &tgt_mask).value()
}
