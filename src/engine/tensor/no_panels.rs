//! Replacement for `panels.rs` on chips and with BLAS libraries for which it has no kernels.

use std::mem::MaybeUninit;

use ndarray::ArrayView2;

use super::small::Before;

/// Leaves every product to the BLAS.
pub fn product(
    _: ArrayView2<'_, f32>,
    _: ArrayView2<'_, f32>,
    _: Before,
    _: &mut [MaybeUninit<f32>],
) -> bool {
    false
}

/// Leaves every product to the portable loops.
pub fn in_order(
    _: ArrayView2<'_, f32>,
    _: ArrayView2<'_, f32>,
    _: Before,
    _: &mut [MaybeUninit<f32>],
) -> bool {
    false
}

/// Returns `None`, because there is no kernel.
pub fn packed_columns() -> Option<usize> {
    None
}

/// Leaves every product to the caller's loops.
pub fn packed_product(
    _: &[f32],
    _: &[f32],
    _: usize,
    _: usize,
    _: &mut [MaybeUninit<f32>],
) -> bool {
    false
}
