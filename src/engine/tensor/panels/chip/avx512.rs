//! Kernels for AVX-512.

use std::arch::x86_64::*;

use super::super::{self as panels, Before, Blocks, Buffers, Cells, ROWS, Size, Target, Walk};
use super::{Chip, fetch};

/// Chips with AVX-512: 32 registers of 16 cells.
pub(in super::super) struct Avx512;

impl Avx512 {
    /// The first `count` cells.
    #[inline(always)]
    fn mask(count: usize) -> __mmask16 {
        0xffff >> (Self::LANES - count)
    }
}

impl Chip for Avx512 {
    type Vector = __m512;
    type Mask = __mmask16;

    const LANES: usize = 16;
    const COLUMNS: usize = 4 * Self::LANES;
    const TERMS: usize = 384;
    const MOST: usize = 480;
    const WIDE: usize = 8 * Self::COLUMNS;
    const TALL: usize = 40 * ROWS;
    const NEAR: usize = 256;
    const READS_PARTS: bool = true;

    fn is_here() -> bool {
        is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn zeros() -> __m512 {
        _mm512_setzero_ps()
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn all(at: *const f32) -> __m512 {
        // SAFETY: the caller guarantees a readable cell at `at`.
        unsafe { _mm512_broadcastss_ps(_mm_load_ss(at)) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn load(at: *const f32) -> __m512 {
        // SAFETY: the caller guarantees 16 readable cells at `at`.
        unsafe { Self::load_part(at, Self::mask(Self::LANES)) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn load_part(at: *const f32, mask: __mmask16) -> __m512 {
        // SAFETY: the caller guarantees that the cells in the mask are readable; the others are not read.
        unsafe { _mm512_maskz_loadu_ps(mask, at) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn store(at: *mut f32, x: __m512) {
        // SAFETY: the caller guarantees 16 writable cells at `at`.
        unsafe { Self::store_part(at, Self::mask(Self::LANES), x) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn store_part(at: *mut f32, mask: __mmask16, x: __m512) {
        // SAFETY: the caller guarantees that the cells in the mask are writable; the others are not written.
        unsafe { _mm512_mask_storeu_ps(at, mask, x) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn add(x: __m512, y: __m512) -> __m512 {
        _mm512_add_ps(x, y)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn multiply_add(x: __m512, y: __m512, sum: __m512) -> __m512 {
        _mm512_fmadd_ps(x, y, sum)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn copy_rows(from: *const f32, count: usize, to: *mut f32) {
        // SAFETY: the caller guarantees `count` readable cells at `from` and `ROWS` writable ones at `to`.
        unsafe {
            let cells = _mm256_maskz_loadu_ps(0xff >> (8 - count), from);
            _mm256_mask_storeu_ps(to, 0xff >> (8 - ROWS), cells);
        }
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn turn(from: Cells<'_>, rows: usize, count: usize, to: Target, kept: usize) {
        let Cells { data, down, .. } = from;
        const LANES: usize = Avx512::LANES;
        let (mask, kept) = (Self::mask(count), Self::mask(kept));
        let mut x = [_mm512_setzero_ps(); LANES];
        for (row, x) in x.iter_mut().enumerate() {
            // Missing rows get an empty mask, so the loop has a fixed length and its vectors stay in registers.
            let (row, mask) = if row < rows { (row, mask) } else { (0, 0) };
            fetch(data.as_ptr().wrapping_add(row * down + 2 * LANES), 1);
            // SAFETY: the slice has `count` cells, and the mask lets through no more.
            *x = unsafe { _mm512_maskz_loadu_ps(mask, data[row * down..][..count].as_ptr()) };
        }
        // Interleave the cells of two rows, then of four, within each quarter of a vector; then combine the quarters.
        let mut pairs = [_mm512_setzero_pd(); LANES];
        for i in (0..LANES).step_by(2) {
            pairs[i] = _mm512_castps_pd(_mm512_unpacklo_ps(x[i], x[i + 1]));
            pairs[i + 1] = _mm512_castps_pd(_mm512_unpackhi_ps(x[i], x[i + 1]));
        }
        let mut fours = x;
        for i in (0..LANES).step_by(4) {
            for n in 0..2 {
                let (one, other) = (pairs[i + n], pairs[i + n + 2]);
                fours[i + 2 * n] = _mm512_castpd_ps(_mm512_unpacklo_pd(one, other));
                fours[i + 2 * n + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(one, other));
            }
        }
        let mut columns = x;
        for i in 0..4 {
            let [a, b, c, d] = [fours[i], fours[i + 4], fours[i + 8], fours[i + 12]];
            let (one, other) = (
                _mm512_shuffle_f32x4(a, b, 0x88),
                _mm512_shuffle_f32x4(c, d, 0x88),
            );
            columns[i] = _mm512_shuffle_f32x4(one, other, 0x88);
            columns[i + 8] = _mm512_shuffle_f32x4(one, other, 0xdd);
            let (one, other) = (
                _mm512_shuffle_f32x4(a, b, 0xdd),
                _mm512_shuffle_f32x4(c, d, 0xdd),
            );
            columns[i + 4] = _mm512_shuffle_f32x4(one, other, 0x88);
            columns[i + 12] = _mm512_shuffle_f32x4(one, other, 0xdd);
        }
        for (n, column) in columns.into_iter().enumerate().take(count) {
            // SAFETY: the caller guarantees room at `to` for `count` rows of `kept` cells.
            unsafe { _mm512_mask_storeu_ps(to.at.add(n * to.down), kept, column) };
        }
    }

    compiled!("avx512f,avx512vl", 1 2 3 4);
}
