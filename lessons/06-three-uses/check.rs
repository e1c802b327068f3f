//! The exercise: the three uses of attention, and cases that distinguish them from their mistakes.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::nn::linear::Bias;
use transformer_tutor::nn::multi_head_attention::MultiHeadAttention;
use transformer_tutor::nn::three_uses::{ThreeUses, Used, three_uses};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

/// Target and source lengths to try. The first are equal, so that any mistaken choice of keys still gives a result.
const CASES: [(&str, (usize, usize)); 2] = [
    ("4 target and 4 source words", (4, 4)),
    ("5 target and 3 source words", (5, 3)),
];

/// The signature of the three uses.
pub type UsesFn = fn(&ThreeUses, &Var, &Var, &Var, &Var) -> Used;

transformer_tutor::task! { three_uses: UsesFn = three_uses;
    |uses| TASK.compared_recorded(uses, &CASES, 1e-5, run)
}

/// Output and weights of each use.
fn run(&(target, source): &(usize, usize), uses: UsesFn) -> Recorded {
    const BATCH: usize = 2;
    const D_MODEL: usize = 8;
    let mut params = Params::new(6);
    let maps = three(&mut params, D_MODEL, 2);
    let tape = Tape::eval(&params);
    let draw = |name: &str, length, axis| {
        let x = random::normal(&[BATCH, length, D_MODEL], 2.0, 3, name);
        tape.input(name, x, &["b", axis, "d"])
    };
    let (x, y) = (draw("source", source, "s"), draw("target", target, "t"));
    // Sentence 0 ends with padding on both sides.
    let real = |b: usize, i: usize, length: usize| b > 0 || i + 1 < length;
    let src = |i: &[usize]| f32::from(u8::from(real(i[0], i[2], source)));
    let tgt = |i: &[usize]| f32::from(u8::from(i[2] <= i[1] && real(i[0], i[2], target)));
    let src_mask = Tensor::from_fn(&[BATCH, 1, source], src);
    let src_mask = tape.mask("src_mask", src_mask, &["b", "", "s"]);
    let tgt_mask = Tensor::from_fn(&[BATCH, target, target], tgt);
    let tgt_mask = tape.mask("tgt_mask", tgt_mask, &["b", "t", "t"]);
    let used = uses(&maps, &x, &y, &src_mask, &tgt_mask);
    let results = [
        (", the memory: the output", &used.memory.output),
        (", the memory: the weights", &used.memory.weights),
        (
            ", own, the decoder's self-attention: the output",
            &used.own.output,
        ),
        (
            ", own, the decoder's self-attention: the weights",
            &used.own.weights,
        ),
        (
            ", crossed, the cross-attention: the output",
            &used.crossed.output,
        ),
        (
            ", crossed, the cross-attention: the weights",
            &used.crossed.weights,
        ),
    ];
    Recorded::new(&tape, &results)
}

/// The three multi-head attentions, with `d_model` channels in `heads` heads.
pub fn three(params: &mut Params, d_model: usize, heads: usize) -> ThreeUses {
    let mut attention = |name| attention(params, name, d_model, heads);
    ThreeUses {
        encoder: attention("encoder"),
        decoder: attention("decoder"),
        cross: attention("cross"),
    }
}

/// Adds one multi-head attention.
pub fn attention(
    params: &mut Params,
    name: &str,
    d_model: usize,
    heads: usize,
) -> MultiHeadAttention {
    params.scoped(name, |params| {
        MultiHeadAttention::new(params, heads, d_model, Bias::Uniform, 0.0)
    })
}
