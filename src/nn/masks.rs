//! What attention may see: no padding, and in the decoder no future.

use crate::autograd::{Tape, Var};
use crate::tensor::Tensor;

/// The id that fills sentences up to the batch's length.
pub const PAD: f32 = 0.0;

// ANCHOR: masks
/// `[batch, 1, source]`: 1 where `src [batch, source]` is a real token. Every query may see it.
pub fn src_mask(src: &Var) -> Var {
    src.not_equal(PAD)
        .named("real")
        .unsqueeze(1)
        .named("src_mask")
}

/// `[batch, target, target]`: 1 where the token is real *and* not in the query's future.
pub fn tgt_mask(tgt: &Var) -> Var {
    let length = tgt.shape()[1];
    let real = tgt.not_equal(PAD).named("tgt_real").unsqueeze(1);
    let past = tgt.tape().causal(length).named("past");
    real.and(&past)
        .named("tgt_mask")
        .with_axes(&["b", "t", "t"])
}
// ANCHOR_END: masks

// ANCHOR: subsequent
/// `[1, length, length]`: row t may see columns 0…t.
pub fn subsequent_mask(length: usize) -> Tensor {
    Tape::eval(&Default::default()).causal(length).value()
}
// ANCHOR_END: subsequent

// ANCHOR: bias
/// TensorFlow's form of a mask: 0 where a cell may be seen, `blocked` (−1e9) where not, to be added
/// to the scores.
pub fn bias(mask: &Var, blocked: f32) -> Var {
    let zeros = Tensor::zeros(&mask.shape());
    let zeros = mask.tape().constant("zeros", zeros, &mask.axes());
    zeros.mask_fill(mask, blocked).named("bias")
}
// ANCHOR_END: bias

/// A training batch as the Annotated Transformer makes it from padded `tgt [batch, length]`: what the
/// decoder reads, what it must predict, and how many predictions count.
pub struct Shifted {
    /// All but the last token: `[batch, length − 1]`.
    pub tgt: Tensor,
    /// All but the first: `[batch, length − 1]`.
    pub tgt_y: Tensor,
    /// Tokens of `tgt_y` that are not padding.
    pub ntokens: usize,
}

/// Splits target sentences into input and expected output, one position apart.
#[track_caller]
pub fn shift(tgt: &Tensor) -> Shifted {
    let &[batch, length] = tgt.shape() else {
        panic!(
            "shift: target ids must be [batch, length], not {:?}",
            tgt.shape()
        );
    };
    let cut =
        |first: usize| Tensor::from_fn(&[batch, length - 1], |i| tgt.at(&[i[0], i[1] + first]));
    let tgt_y = cut(1);
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt: cut(0),
        tgt_y,
        ntokens,
    }
}
