//! Small products with AVX-512.
//!
//! Whether the loops keep their sums in registers depends on the compiler: built with `--release` they did not. Here rows
//! are read under a mask and stay in registers. The bits are those of the loops.

use std::arch::x86_64::*;

use super::{Before, Left, Out, SmallProduct};
use crate::tensor::short::{LANES, lanes};

/// Computes a product as `loops` does.
#[target_feature(enable = "avx512f")]
pub fn product(product: SmallProduct<'_>, out: Out<'_>) {
    let SmallProduct {
        a,
        b,
        rows,
        inner,
        columns,
    } = product;
    if rows == 0 || columns == 0 {
        return;
    }
    let (a, down, along) = match a {
        Left::Rows(a) => (a.cells, a.stride, 1),
        Left::Columns(a) => (a.cells, 1, a.stride),
    };
    // The unsafe loops rely on these bounds.
    assert!(inner == 0 || (rows - 1) * down + (inner - 1) * along < a.len());
    assert!(inner == 0 || (inner - 1) * b.stride + columns <= b.cells.len());
    assert!((rows - 1) * out.stride + columns <= out.cells.len());
    // The columns of one tile of `b` stay in the L1 cache while all rows pass.
    for left in (0..columns).step_by(2 * LANES) {
        let width = (columns - left).min(2 * LANES);
        let mut row = 0;
        while row < rows {
            let tile = Tile {
                a: a.as_ptr().wrapping_add(row * down),
                down,
                along,
                b: b.cells.as_ptr().wrapping_add(left),
                b_stride: b.stride,
                inner,
                add: out.before == Before::Sums,
                out: out.cells.as_mut_ptr().wrapping_add(row * out.stride + left),
                out_stride: out.stride,
                last: lanes((width - 1) % LANES + 1),
            };
            // SAFETY: the tile covers rows below `rows` and columns below `columns`, for which the assertions have
            // checked that every cell lies inside its slice.
            row += unsafe {
                match (rows - row, width > LANES) {
                    (8.., true) => tile.run::<8, 2>(),
                    (8.., false) => tile.run::<8, 1>(),
                    (4.., true) => tile.run::<4, 2>(),
                    (4.., false) => tile.run::<4, 1>(),
                    (2.., true) => tile.run::<2, 2>(),
                    (2.., false) => tile.run::<2, 1>(),
                    (_, true) => tile.run::<1, 2>(),
                    (_, false) => tile.run::<1, 1>(),
                }
            };
        }
    }
}

/// A part of a product that is summed in registers.
#[derive(Clone, Copy)]
struct Tile {
    /// First cell of the left side.
    a: *const f32,
    /// Distance of two rows of `a`.
    down: usize,
    /// Distance of two terms of `a`.
    along: usize,
    /// First cell of the right side.
    b: *const f32,
    b_stride: usize,
    /// Number of terms.
    inner: usize,
    /// True to continue the sums in `out`.
    add: bool,
    /// First cell to write.
    out: *mut f32,
    out_stride: usize,
    /// The cells of the last vector that belong to the product.
    last: __mmask16,
}

impl Tile {
    /// Computes `R` rows and `V` vectors of sums, but only the cells in `last` of the last vector. Returns `R`.
    ///
    /// # Safety
    ///
    /// `a` must have `R` rows of `inner` terms, `b` `inner` rows and `out` `R` rows, both with the columns of the mask.
    #[target_feature(enable = "avx512f")]
    unsafe fn run<const R: usize, const V: usize>(self) -> usize {
        let Self {
            a,
            down,
            along,
            b,
            b_stride,
            inner,
            add,
            out,
            out_stride,
            last,
        } = self;
        let mask = |v| if v == V - 1 { last } else { 0xffff };
        let mut sums = [[_mm512_setzero_ps(); V]; R];
        // SAFETY: the caller guarantees these rows, and the columns that the mask lets through; others are not accessed.
        unsafe {
            if add {
                for (r, sums) in sums.iter_mut().enumerate() {
                    for (v, sum) in sums.iter_mut().enumerate() {
                        *sum = _mm512_maskz_loadu_ps(mask(v), out.add(r * out_stride + v * LANES));
                    }
                }
            }
            for k in 0..inner {
                let mut right = [_mm512_setzero_ps(); V];
                for (v, right) in right.iter_mut().enumerate() {
                    *right = _mm512_maskz_loadu_ps(mask(v), b.add(k * b_stride + v * LANES));
                }
                for (r, sums) in sums.iter_mut().enumerate() {
                    let left = _mm512_set1_ps(*a.add(r * down + k * along));
                    for (sum, right) in sums.iter_mut().zip(right) {
                        // Round twice, as the loops do.
                        *sum = _mm512_add_ps(*sum, _mm512_mul_ps(left, right));
                    }
                }
            }
            for (r, sums) in sums.into_iter().enumerate() {
                for (v, sum) in sums.into_iter().enumerate() {
                    _mm512_mask_storeu_ps(out.add(r * out_stride + v * LANES), mask(v), sum);
                }
            }
        }
        R
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Rows, loops};
    use super::*;

    #[test]
    fn small_products_have_the_bits_of_the_loops() {
        // Numbers that depend on the seed.
        let some = |n: usize, seed: usize| -> Vec<f32> {
            let cell = |i| ((i * 7919 + seed * 104_729) % 2003) as f32 / 91.0 - 11.0;
            (0..n).map(cell).collect()
        };
        let sizes = [1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64];
        for (rows, inner, columns) in sizes
            .iter()
            .flat_map(|&r| sizes.iter().map(move |&c| (r, c)))
            .flat_map(|(r, c)| [0, 1, 5, 32].map(|k| (r, k, c)))
        {
            let (down, wide, far) = (rows.max(inner) + 3, columns + 5, columns + 1);
            let a = some(rows.max(inner) * down, 1);
            let b = some(inner * wide, 2);
            let a = Rows::new(&a, down);
            for a in [Left::Rows(a), Left::Columns(a)] {
                let product = SmallProduct {
                    a,
                    b: Rows::new(&b, wide),
                    rows,
                    inner,
                    columns,
                };
                let (mut out, mut expected) = (some(rows * far, 3), some(rows * far, 3));
                for before in [Before::Nothing, Before::Sums] {
                    let mut expected_out = Out {
                        cells: &mut expected,
                        stride: far,
                        before,
                    };
                    loops(product, &mut expected_out);
                    if before == Before::Sums {
                        product.add(&mut out, far);
                    } else {
                        product.write(&mut out, far);
                    }
                    assert_eq!(out, expected, "{rows} × {inner} × {columns}");
                }
            }
        }
    }
}
