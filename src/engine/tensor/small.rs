//! Products of small matrices, as in attention. Below about 32 in every dimension, calling the BLAS costs more than the
//! work itself.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

#[cfg(target_arch = "x86_64")]
use super::short;
use super::vector::LANES;

#[cfg(target_arch = "x86_64")]
mod avx512;

/// A product of small matrices: `out[i, j] = Σ_k a[i, k] · b[k, j]`.
///
/// Every cell is summed from the first term to the last, so splitting a sum over two calls does not change its bits.
#[derive(Clone, Copy)]
pub struct SmallProduct<'a> {
    /// Left side.
    pub a: Left<'a>,
    /// Right side: cells, and the stride of the rows.
    pub b: Rows<'a>,
    /// Number of rows of `a` and of the product.
    pub rows: usize,
    /// Number of terms of each sum.
    pub inner: usize,
    /// Number of columns of `b` and of the product.
    pub columns: usize,
}

/// A matrix whose rows start `stride` cells apart.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// Its cells, row after row.
    pub cells: &'a [f32],
    /// Distance between the first cells of two rows.
    pub stride: usize,
}

impl<'a> Rows<'a> {
    /// Creates a matrix from its cells and the distance between the first cells of two rows.
    pub fn new(cells: &'a [f32], stride: usize) -> Self {
        Self { cells, stride }
    }
}

/// The left side of a [`SmallProduct`].
#[derive(Clone, Copy)]
pub enum Left<'a> {
    /// The rows are stored as they are multiplied.
    Rows(Rows<'a>),
    /// The columns are stored as rows: the product uses the transpose without moving cells.
    Columns(Rows<'a>),
}

/// The matrix that a [`SmallProduct`] writes.
pub(super) struct Out<'a> {
    pub(super) cells: &'a mut [f32],
    pub(super) stride: usize,
    pub(super) before: Before,
}

/// What the cells that a product writes contain beforehand.
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

impl SmallProduct<'_> {
    /// Writes the product to `out`, whose rows start `stride` cells apart.
    pub fn write(self, out: &mut [f32], stride: usize) {
        self.run(out, stride, Before::Nothing);
    }

    /// Adds the product to the sums in `out`, whose rows start `stride` cells apart.
    pub fn add(self, out: &mut [f32], stride: usize) {
        self.run(out, stride, Before::Sums);
    }

    fn run(self, cells: &mut [f32], stride: usize, before: Before) {
        let mut out = Out {
            cells,
            stride,
            before,
        };
        #[cfg(target_arch = "x86_64")]
        if short::is_here() {
            // SAFETY: `is_here` has checked the features that `product` is compiled for.
            return unsafe { avx512::product(self, out) };
        }
        loops(self, &mut out);
    }
}

/// [`SmallProduct`] for any chip.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub(super) fn loops(product: SmallProduct<'_>, out: &mut Out<'_>) {
    // Whether the registers hold the sums of eight rows and two of the widest vectors; otherwise a quarter of that.
    let many = target_cfg_f!(target_feature = "avx512f");
    // The columns of one tile of `b` stay in the L1 cache while all rows pass.
    let mut left = 0;
    while left < product.columns {
        left += match product.columns - left {
            WIDE.. if many => strip::<WIDE>(product, out, left, many),
            LANES.. => strip::<LANES>(product, out, left, many),
            4.. => strip::<4>(product, out, left, many),
            _ => strip::<1>(product, out, left, many),
        };
    }
}

/// Largest number of columns of a [`SmallProduct`] that are summed at once: two vectors of AVX-512.
const WIDE: usize = 2 * LANES;

/// Computes `C` columns of a product, from `left` on, several rows at a time, so that no addition waits for the previous
/// one. Returns `C`.
#[inline(always)]
fn strip<const C: usize>(
    product: SmallProduct<'_>,
    out: &mut Out<'_>,
    left: usize,
    many: bool,
) -> usize {
    let rows = product.rows;
    let mut i = 0;
    while i < rows {
        i += match rows - i {
            8.. if many || C < LANES => sums::<8, C>(product, out, i, left),
            4.. => sums::<4, C>(product, out, i, left),
            2.. => sums::<2, C>(product, out, i, left),
            _ => sums::<1, C>(product, out, i, left),
        };
    }
    C
}

/// Computes `R × C` cells of a product, from row `i` and column `left` on. Returns `R`.
#[inline(always)]
fn sums<const R: usize, const C: usize>(
    product: SmallProduct<'_>,
    out: &mut Out<'_>,
    i: usize,
    left: usize,
) -> usize {
    let SmallProduct { a, b, inner, .. } = product;
    let (stride, out_cells) = (out.stride, &mut out.cells[i * out.stride + left..]);
    let mut sums = [[0.0; C]; R];
    if out.before == Before::Sums {
        for (r, sums) in sums.iter_mut().enumerate() {
            *sums = *columns(&out_cells[r * stride..]);
        }
    }
    match a {
        Left::Rows(a) => {
            let a: [&[f32]; R] = std::array::from_fn(|r| &a.cells[(i + r) * a.stride..][..inner]);
            for k in 0..inner {
                let b: [f32; C] = *columns(&b.cells[k * b.stride + left..]);
                for (sums, a) in sums.iter_mut().zip(a) {
                    *sums = plus(*sums, a[k], b);
                }
            }
        }
        Left::Columns(a) => {
            for k in 0..inner {
                let a: [f32; R] = *columns(&a.cells[k * a.stride + i..]);
                let b: [f32; C] = *columns(&b.cells[k * b.stride + left..]);
                for (sums, a) in sums.iter_mut().zip(a) {
                    *sums = plus(*sums, a, b);
                }
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        out_cells[r * stride..][..C].copy_from_slice(sums);
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
            let (a_rows, columns_of_a) = (Rows::new(&a, down), Rows::new(&turned, rows + 2));
            for a in [Left::Rows(a_rows), Left::Columns(columns_of_a)] {
                let product = SmallProduct {
                    a,
                    b: Rows::new(&b, wide),
                    rows,
                    inner,
                    columns,
                };
                for (before, begin) in [(Before::Nothing, 0.0), (Before::Sums, 0.7)] {
                    let mut out = vec![0.7; rows * far];
                    product.run(&mut out, far, before);
                    let sizes = (rows, inner, columns);
                    for (i, row) in out.chunks(far).enumerate() {
                        let expected = (0..columns).map(|j| sum(i, j, begin)).chain([0.7]);
                        assert!(expected.eq(row.iter().copied()), "{sizes:?}, row {i}");
                    }
                }
            }
        }
    }
}
