//! Masks of attention, as the kernels take them.

/// A row of a mask for [`masked_softmax`](super::vector::masked_softmax).
#[derive(Clone, Copy, Debug)]
pub enum MaskRow<'a> {
    /// 0 blocks a cell.
    Keep(&'a [f32]),
    /// Added to the scores.
    Bias(&'a [f32]),
}
