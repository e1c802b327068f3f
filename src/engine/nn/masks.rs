//! Masks: attention must not see padding, nor, in the decoder, the future.

use crate::autograd::{Component, Tape, Var};
use crate::tensor::Tensor;

pub use super::attention::BLOCKED;
pub use crate::ops::subsequent_mask;

/// The component [`subsequent_mask`], which a tape may replace.
pub const SUBSEQUENT_MASK: Component<fn(usize) -> Tensor> = Component::new("subsequent_mask");

/// The id that pads sentences to the length of the batch.
pub const PAD: f32 = 0.0;

// ANCHOR: masks
/// Mask `[batch, 1, source]` for every query: 1 where `src [batch, source]` is a real token.
pub fn src_mask(src: &Var) -> Var {
    src.not_equal(PAD)
        .named("real")
        .unsqueeze(1)
        .named("src_mask")
}

/// Mask `[batch, target, target]`: 1 where a token is real *and* not in the query's future.
pub fn tgt_mask(tgt: &Var) -> Var {
    let length = tgt.shape()[1];
    let real = tgt.not_equal(PAD).named("tgt_real");
    let past = past(tgt.tape(), length).named("past");
    let real = real.unsqueeze(1).named("tgt_padding_mask");
    real.and(&past)
        .named("tgt_mask")
        .with_axes(&["b", "t", "t"])
}
// ANCHOR_END: masks

/// The causal mask `[1, length, length]`, from the tape's replacement if it has one.
pub fn past(tape: &Tape, length: usize) -> Var {
    match tape.replacement(&SUBSEQUENT_MASK) {
        Some(own) => tape.mask("subsequent", (own.function)(length), &["", "t", "t"]),
        None => tape.causal(length),
    }
}

/// The id that begins a sentence.
pub const START: f32 = 1.0;

/// Replaces the start token by padding, as Marian's decoder expects; keeps the shape.
pub fn start_as_padding(ids: &Var) -> Var {
    // Padding is id 0, so multiplying by 0 produces it.
    ids.mul(&ids.not_equal(START).named("no_start"))
        .named("read")
}

// ANCHOR: bias
/// TensorFlow's form of a mask, which is added to the scores: 0 where a cell may be seen, `blocked`
/// (−1e9) elsewhere.
pub fn bias(mask: &Var, blocked: f32) -> Var {
    let zeros = Tensor::zeros(&mask.shape());
    let zeros = mask.tape().constant("zeros", zeros, &mask.axes());
    zeros.mask_fill(mask, blocked).named("bias")
}
// ANCHOR_END: bias

crate::reference! { "shift";
// ANCHOR: shift
/// A training batch as the Annotated Transformer makes it from padded `tgt [batch, length]`: what
/// the decoder reads, what it must predict, and how many predictions count.
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
// ANCHOR_END: shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;

    /// The batch from TensorFlow's tests of its masks (official/transformer, model_utils_test.py).
    fn ids(tape: &Tape) -> Var {
        let ids = [
            [1.0, 0.0, 0.0, 0.0, 2.0],
            [3.0, 4.0, 0.0, 0.0, 0.0],
            [0.0, 5.0, 6.0, 0.0, 7.0],
        ];
        tape.ids("ids", Tensor::new(&[3, 5], ids.concat()), &["b", "s"])
    }

    #[test]
    fn the_source_mask_is_the_reverse_of_tensorflows_padding() {
        let tape = Tape::eval(&Default::default());
        let mask = src_mask(&ids(&tape));
        let padding = [
            [0.0, 1.0, 1.0, 1.0, 0.0],
            [0.0, 0.0, 1.0, 1.0, 1.0],
            [1.0, 0.0, 0.0, 1.0, 0.0],
        ];
        assert_eq!(mask.shape(), [3, 1, 5]);
        assert_eq!(mask.value().map(|x| 1.0 - x).data(), padding.concat());
        let bias = bias(&mask.unsqueeze(1), -1e9);
        assert_eq!(bias.shape(), [3, 1, 1, 5]);
        let expected: Vec<f32> = padding.concat().iter().map(|p| p * -1e9).collect();
        assert_eq!(bias.value().data(), expected);
    }

    #[test]
    fn the_target_mask_blocks_padding_and_the_future() {
        let tape = Tape::eval(&Default::default());
        let tgt = tape.ids(
            "tgt",
            Tensor::new(&[1, 3], vec![1.0, 4.0, PAD]),
            &["b", "t"],
        );
        let mask = tgt_mask(&tgt);
        assert_eq!(
            mask.value().data(),
            [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]
        );
        assert_eq!(mask.axes(), ["b", "t", "t"]);
    }

    #[test]
    fn shifting_cuts_the_last_token_off_the_input_and_the_first_off_the_answer() {
        let shifted = shift(&Tensor::new(
            &[2, 4],
            vec![1.0, 5.0, 6.0, 2.0, 1.0, 7.0, 2.0, PAD],
        ));
        assert_eq!(shifted.tgt.data(), [1.0, 5.0, 6.0, 1.0, 7.0, 2.0]);
        assert_eq!(shifted.tgt_y.data(), [5.0, 6.0, 2.0, 7.0, 2.0, PAD]);
        assert_eq!(shifted.ntokens, 5);
    }
}
