//! The copy task, the first example of the Annotated Transformer: repeat the source.

use crate::nn::masks::{PAD, shift};
use crate::tensor::{Tensor, random};

/// Id of the start token, with which every sentence begins, even in the source.
pub const START: f32 = 1.0;

/// Random sentences `[rows, length]` of ids from 1 to `vocabulary − 1`; 0 is padding and never drawn.
pub fn copy_words(rows: usize, length: usize, vocabulary: usize, seed: u64, site: &str) -> Tensor {
    let ids = (vocabulary - 1) as f32;
    random::uniform(&[rows, length], 0.5, seed, site)
        .map(|x| 1.0 + ((x + 0.5) * ids).floor().min(ids - 1.0))
}

/// Everything that one training step reads.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyBatch {
    /// Encoder input, `[batch, length]`.
    pub src: Tensor,
    /// 1 where `src` is not padding, `[batch, 1, length]`.
    pub src_mask: Tensor,
    /// Decoder input: the source without its last column, `[batch, length − 1]`.
    pub tgt: Tensor,
    /// Tokens to predict: the source without its first column, `[batch, length − 1]`.
    pub tgt_y: Tensor,
    /// 1 where a target token may be seen: no padding, no future, `[batch, length − 1, length − 1]`.
    pub tgt_mask: Tensor,
    /// Number of tokens to predict.
    pub ntokens: usize,
}

crate::reference! { "copy_batch";
// ANCHOR: batch
/// A batch of the copy task from random `words [batch, length]`, short rows padded with 0: the first
/// column becomes the start token, and the target is the source itself.
#[track_caller]
pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let &[batch, length] = words.shape() else {
        panic!(
            "copy_batch: words must be [batch, length], not {:?}",
            words.shape()
        );
    };
    let src = Tensor::from_fn(words.shape(), |i| match i[1] {
        0 => START,
        _ => words.at(i),
    });
    let shifted = shift(&src);
    let read = length - 1;
    let flag = |yes: bool| f32::from(u8::from(yes));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| flag(src.at(&[i[0], i[2]]) != PAD));
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        flag(i[2] <= i[1] && shifted.tgt.at(&[i[0], i[2]]) != PAD)
    });
    CopyBatch {
        src,
        src_mask,
        tgt: shifted.tgt,
        tgt_y: shifted.tgt_y,
        tgt_mask,
        ntokens: shifted.ntokens,
    }
}
// ANCHOR_END: batch
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::nn::masks;

    #[test]
    fn its_masks_are_those_of_the_model() {
        let words = Tensor::new(&[2, 4], vec![5.0, 3.0, 9.0, 2.0, 4.0, 7.0, 0.0, 0.0]);
        let batch = copy_batch(&words);
        assert_eq!(batch.src.data(), [1.0, 3.0, 9.0, 2.0, 1.0, 7.0, 0.0, 0.0]);
        assert_eq!(batch.ntokens, 4);
        let tape = Tape::eval(&Default::default());
        let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
        let tgt = tape.ids("tgt", batch.tgt.clone(), &["b", "t"]);
        assert_eq!(masks::src_mask(&src).value(), batch.src_mask);
        assert_eq!(masks::tgt_mask(&tgt).value(), batch.tgt_mask);
    }

    #[test]
    fn every_id_but_padding_is_drawn() {
        let words = copy_words(80, 10, 11, 3, "words");
        let mut seen = [0; 11];
        words.data().iter().for_each(|&id| seen[id as usize] += 1);
        assert_eq!(seen[0], 0);
        assert!(seen[1..].iter().all(|&n| n > 40), "{seen:?}");
    }
}
