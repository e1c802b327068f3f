//! Products of small matrices, as in attention. Below about 32 in every dimension, calling the BLAS costs more than the
//! work itself.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

#[cfg(target_arch = "x86_64")]
use super::short;
use super::vector::LANES;

/// The left side of a [`small_product`]: its cells and the stride of its rows.
#[derive(Clone, Copy)]
pub enum Left<'a> {
    /// The rows are stored as they are multiplied.
    Rows(&'a [f32], usize),
    /// The columns are stored as rows: the product uses the transpose without moving cells.
    Columns(&'a [f32], usize),
}

/// What the cells that a [`small_product`] writes contain beforehand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Nothing of interest: the sums start from 0.
    Nothing,
    /// Partial sums, which are continued.
    Sums,
}

/// Prefetches `cells` into the L2 cache, for cells that are read soon but not sequentially. A hint only: it does
/// nothing on other chips.
pub fn ask_for(cells: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    for line in cells.chunks(16) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: every x86-64 chip has the instruction, and the cells are those of a slice.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cells;
}

/// Computes `out[i, j] = Σ_k a[i, k] · b[k, j]`, or `+=`, over matrices with the given row strides. `sizes` are rows,
/// terms and columns. Every cell is summed from the first term to the last, so splitting a sum over two calls does not
/// change its bits.
pub fn small_product(
    a: Left<'_>,
    b: (&[f32], usize),
    out: (&mut [f32], usize),
    before: Before,
    sizes: (usize, usize, usize),
) {
    #[cfg(target_arch = "x86_64")]
    if short::is_here() {
        let a = match a {
            Left::Rows(a, stride) => (a, stride, 1),
            Left::Columns(a, stride) => (a, 1, stride),
        };
        // SAFETY: `is_here` has checked the features that `product` is compiled for.
        return unsafe { short::product(a, b, out, before == Before::Sums, sizes) };
    }
    loops(a, b, out, before, sizes);
}

/// [`small_product`] for any chip.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub(super) fn loops(
    a: Left<'_>,
    b: (&[f32], usize),
    (out, out_stride): (&mut [f32], usize),
    before: Before,
    (rows, inner, columns): (usize, usize, usize),
) {
    // Whether the registers hold the sums of eight rows and two of the widest vectors; otherwise a quarter of that.
    let many = target_cfg_f!(target_feature = "avx512f");
    // The columns of one tile of `b` stay in the L1 cache while all rows pass.
    let mut left = 0;
    while left < columns {
        let (out, sizes) = ((&mut *out, out_stride), (rows, inner, left));
        left += match columns - left {
            WIDE.. if many => strip::<WIDE>(a, b, out, before, sizes, many),
            LANES.. => strip::<LANES>(a, b, out, before, sizes, many),
            4.. => strip::<4>(a, b, out, before, sizes, many),
            _ => strip::<1>(a, b, out, before, sizes, many),
        };
    }
}

/// Largest number of columns of a [`small_product`] that are summed at once: two vectors of AVX-512.
const WIDE: usize = 2 * LANES;

/// Computes `C` columns of a [`small_product`], from `left` on, several rows at a time, so that no addition waits for
/// the previous one. Returns `C`.
#[inline(always)]
fn strip<const C: usize>(
    a: Left<'_>,
    (b, b_stride): (&[f32], usize),
    (out, out_stride): (&mut [f32], usize),
    before: Before,
    (rows, inner, left): (usize, usize, usize),
    many: bool,
) -> usize {
    // Without rows, `b` may be empty.
    let b = (b.get(left..).unwrap_or_default(), b_stride);
    let mut i = 0;
    while i < rows {
        let out = (&mut out[i * out_stride + left..], out_stride);
        i += match rows - i {
            8.. if many || C < LANES => sums::<8, C>((a, i), b, out, before, inner),
            4.. => sums::<4, C>((a, i), b, out, before, inner),
            2.. => sums::<2, C>((a, i), b, out, before, inner),
            _ => sums::<1, C>((a, i), b, out, before, inner),
        };
    }
    C
}

/// Computes `R × C` cells of a [`small_product`], from row `i` of `a` and the first cells of `b` and `out` on. Returns
/// `R`.
#[inline(always)]
fn sums<const R: usize, const C: usize>(
    (a, i): (Left<'_>, usize),
    (b, b_stride): (&[f32], usize),
    (out, out_stride): (&mut [f32], usize),
    before: Before,
    inner: usize,
) -> usize {
    let mut sums = [[0.0; C]; R];
    if before == Before::Sums {
        for (r, sums) in sums.iter_mut().enumerate() {
            *sums = *columns(&out[r * out_stride..]);
        }
    }
    match a {
        Left::Rows(a, stride) => {
            let a: [&[f32]; R] = std::array::from_fn(|r| &a[(i + r) * stride..][..inner]);
            for k in 0..inner {
                let b: [f32; C] = *columns(&b[k * b_stride..]);
                for (sums, a) in sums.iter_mut().zip(a) {
                    *sums = plus(*sums, a[k], b);
                }
            }
        }
        Left::Columns(a, stride) => {
            for k in 0..inner {
                let a: [f32; R] = *columns(&a[k * stride + i..]);
                let b: [f32; C] = *columns(&b[k * b_stride..]);
                for (sums, a) in sums.iter_mut().zip(a) {
                    *sums = plus(*sums, a, b);
                }
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        out[r * out_stride..][..C].copy_from_slice(sums);
    }
    R
}

/// `sums + a · b`. Must be inlined: a call (which a closure passed to the standard library once became here) passes its
/// vectors through memory and is not compiled for the chip's vector unit, at a tenth of the speed.
#[inline(always)]
fn plus<const C: usize>(mut sums: [f32; C], a: f32, b: [f32; C]) -> [f32; C] {
    for (sum, b) in sums.iter_mut().zip(b) {
        *sum += a * b;
    }
    sums
}

/// The first `C` cells.
#[inline(always)]
fn columns<const C: usize>(cells: &[f32]) -> &[f32; C] {
    cells.first_chunk().expect("as many columns are left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_product_is_the_three_loops() {
        for (rows, inner, columns) in [(3, 5, 35), (15, 7, 21), (1, 1, 1), (9, 40, 64), (4, 0, 3)] {
            // Thirds have no finite binary expansion, so a different order would show.
            let third = |i: usize| (i % 13) as f32 / 3.0 - 2.0;
            let (down, wide, far) = (inner + 3, columns + 5, columns + 1);
            let a: Vec<f32> = (0..rows * down).map(third).collect();
            let b: Vec<f32> = (0..inner * wide).map(|i| third(i * 5)).collect();
            let sum = |i: usize, j: usize, begin: f32| {
                (0..inner).fold(begin, |sum, k| sum + a[i * down + k] * b[k * wide + j])
            };
            let mut turned = vec![0.0; inner * (rows + 2)];
            for (k, i) in (0..inner).flat_map(|k| (0..rows).map(move |i| (k, i))) {
                turned[k * (rows + 2) + i] = a[i * down + k];
            }
            for left in [Left::Rows(&a, down), Left::Columns(&turned, rows + 2)] {
                for (before, begin) in [(Before::Nothing, 0.0), (Before::Sums, 0.7)] {
                    let mut out = vec![0.7; rows * far];
                    let sizes = (rows, inner, columns);
                    small_product(left, (&b, wide), (&mut out, far), before, sizes);
                    for (i, row) in out.chunks(far).enumerate() {
                        let expected = (0..columns).map(|j| sum(i, j, begin)).chain([0.7]);
                        assert!(expected.eq(row.iter().copied()), "{sizes:?}, row {i}");
                    }
                }
            }
        }
    }
}
