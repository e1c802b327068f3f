//! Kernels for AVX2.

use std::arch::x86_64::*;

use super::super::{self as panels, Before, Blocks, Buffers, Cells, ROWS, Size, Target, Walk};
use super::{Chip, fetch};

/// Chips with AVX2 and FMA: 16 registers of 8 cells.
pub(in super::super) struct Avx2;

impl Avx2 {
    /// The first `count` cells.
    #[inline(always)]
    fn mask(count: usize) -> __m256i {
        const SHIFTED: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
        let from = SHIFTED[8 - count..][..8].as_ptr();
        // SAFETY: the slice has the eight cells that are read, and callers have checked that this chip has AVX2.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
}

impl Chip for Avx2 {
    type Vector = __m256;
    type Mask = __m256i;

    const LANES: usize = 8;
    const COLUMNS: usize = 2 * Self::LANES;
    const TERMS: usize = 256;
    const MOST: usize = 256;
    const WIDE: usize = 16 * Self::COLUMNS;
    const TALL: usize = 40 * ROWS;
    const NEAR: usize = 64;
    const READS_PARTS: bool = false;

    fn is_here() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn zeros() -> __m256 {
        _mm256_setzero_ps()
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn all(at: *const f32) -> __m256 {
        // SAFETY: the caller guarantees a readable cell at `at`.
        unsafe { _mm256_broadcastss_ps(_mm_load_ss(at)) }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn load(at: *const f32) -> __m256 {
        // SAFETY: the caller guarantees 8 readable cells at `at`.
        unsafe { Self::load_part(at, _mm256_set1_epi32(-1)) }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn load_part(at: *const f32, mask: __m256i) -> __m256 {
        // SAFETY: the caller guarantees that the cells in the mask are readable; the others are not read.
        unsafe { _mm256_maskload_ps(at, mask) }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn store(at: *mut f32, x: __m256) {
        // SAFETY: the caller guarantees 8 writable cells at `at`.
        unsafe { Self::store_part(at, _mm256_set1_epi32(-1), x) }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn store_part(at: *mut f32, mask: __m256i, x: __m256) {
        // SAFETY: the caller guarantees that the cells in the mask are writable; the others are not written.
        unsafe { _mm256_maskstore_ps(at, mask, x) }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn add(x: __m256, y: __m256) -> __m256 {
        _mm256_add_ps(x, y)
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn multiply_add(x: __m256, y: __m256, sum: __m256) -> __m256 {
        _mm256_fmadd_ps(x, y, sum)
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn copy_rows(from: *const f32, count: usize, to: *mut f32) {
        // Avoid the mask where possible: on some chips a masked store takes twenty times as long.
        // SAFETY: the caller guarantees `count` readable cells at `from` and `ROWS` writable ones at `to`.
        unsafe {
            match count {
                ROWS => *to.cast::<[f32; ROWS]>() = *from.cast::<[f32; ROWS]>(),
                _ => {
                    let cells = Self::load_part(from, Self::mask(count));
                    Self::store_part(to, Self::mask(ROWS), cells);
                }
            }
        }
    }

    #[target_feature(enable = "avx2,fma")]
    unsafe fn turn(from: Cells<'_>, rows: usize, count: usize, to: Target, kept: usize) {
        let Cells { data, down, .. } = from;
        const LANES: usize = Avx2::LANES;
        let masks = [Self::mask(0), Self::mask(count)];
        let mut x = [_mm256_setzero_ps(); LANES];
        for (row, x) in x.iter_mut().enumerate() {
            // Missing rows get an empty mask, so the loop has a fixed length and its vectors stay in registers.
            let (row, mask) = if row < rows {
                (row, masks[1])
            } else {
                (0, masks[0])
            };
            fetch(data.as_ptr().wrapping_add(row * down + 2 * LANES), 1);
            // SAFETY: the slice has `count` cells, and the mask lets through no more.
            *x = unsafe { _mm256_maskload_ps(data[row * down..][..count].as_ptr(), mask) };
        }
        // Interleave the cells of two rows, then of four, within each half of a vector; then combine the halves.
        let mut pairs = [_mm256_setzero_pd(); LANES];
        for i in (0..LANES).step_by(2) {
            pairs[i] = _mm256_castps_pd(_mm256_unpacklo_ps(x[i], x[i + 1]));
            pairs[i + 1] = _mm256_castps_pd(_mm256_unpackhi_ps(x[i], x[i + 1]));
        }
        let mut fours = x;
        for i in (0..LANES).step_by(4) {
            for n in 0..2 {
                let (one, other) = (pairs[i + n], pairs[i + n + 2]);
                fours[i + 2 * n] = _mm256_castpd_ps(_mm256_unpacklo_pd(one, other));
                fours[i + 2 * n + 1] = _mm256_castpd_ps(_mm256_unpackhi_pd(one, other));
            }
        }
        let mut columns = x;
        for i in 0..4 {
            columns[i] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20);
            columns[i + 4] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31);
        }
        let part = Self::mask(kept);
        for (n, column) in columns.into_iter().enumerate().take(count) {
            // SAFETY: the caller guarantees room at `to` for `count` rows of `kept` cells.
            unsafe {
                if kept == LANES {
                    Self::store(to.at.add(n * to.down), column)
                } else {
                    _mm256_maskstore_ps(to.at.add(n * to.down), part, column)
                }
            }
        }
    }

    compiled!("avx2,fma", 1 2);
}
