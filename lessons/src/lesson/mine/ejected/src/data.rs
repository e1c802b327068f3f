//! The data of the copy task: sentences of random ids, which are their own translation.

use crate::random::Random;
use crate::tensor::Tensor;

/// Number of ids: 0 is padding, and 1 begins a sentence.
pub const VOCABULARY: usize = 11;
/// Tokens per sentence.
pub const LENGTH: usize = 10;

pub mod copy {
    use crate::tensor::Tensor;

    /// The id that begins a sentence.
    pub const START: f32 = 1.0;

    /// What a step of training reads.
    pub struct CopyBatch {
        /// `[batch, length]`.
        pub src: Tensor,
        /// 1 where `src` is not padding: `[batch, 1, length]`.
        pub src_mask: Tensor,
        /// What the decoder reads: `[batch, length − 1]`.
        pub tgt: Tensor,
        /// What it must predict: `[batch, length − 1]`.
        pub tgt_y: Tensor,
        /// 1 where a target token may be seen: `[batch, length − 1, length − 1]`.
        pub tgt_mask: Tensor,
        /// The number of tokens to predict.
        pub ntokens: usize,
    }
}

/// Sentences without padding: `[count, LENGTH]`.
pub fn sentences(count: usize, random: &mut Random) -> Tensor {
    let ids = (VOCABULARY - 1) as f32;
    Tensor::from_fn(&[count, LENGTH], |_| 1.0 + (random.uniform() * ids).floor())
}
