//! A matrix product whose bits are the same on every chip.
//!
//! A BLAS adds up in an order that depends on the chip's vector unit, so its last bits differ from machine to machine.
//! In a single product, this is rounding. Over a few hundred updates of a small model, it grows until the loss differs
//! in its second digit, and a lesson's text would state numbers that the learner's screen does not show. Here the order
//! depends only on shapes and layout: a cell is summed from the first term to the last, one fused multiply-add per
//! term, with the vector lanes along the columns; or, if the terms are contiguous, in 16 lanes on every chip.

use std::cell::RefCell;
use std::ops::Range;

use multiversion::multiversion;
use multiversion::target::target_cfg_f;
use ndarray::ArrayView2;

/// Columns of `b` that are packed together, term by term.
const PANEL: usize = 32;
/// Rows of `a` that are packed together, term by term.
const ROWS: usize = 8;

thread_local! {
    /// Buffers for the packed rows and panels of a product, reused by the next.
    static ROOM: RefCell<(Vec<f32>, Vec<f32>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// Largest number of rows for which packing costs more than it saves.
const FEW: usize = 4;
/// Largest number of multiplications for which packing does not pay if the terms of `b` are contiguous.
const SMALL: usize = 1 << 15;

/// `a · b + c`, rounded once. Where that is no instruction, the terms are added in f64, which holds any product of two
/// f32: rounding twice changes the last bit about once in 2²⁹ sums.
#[inline(always)]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_family = "wasm") {
        (f64::from(a) * f64::from(b) + f64::from(c)) as f32
    } else {
        a.mul_add(b, c)
    }
}

/// Computes `out = before · out + a · b` for row-major `out [rows, columns]` on this thread, if packing would cost more
/// than it saves. Otherwise returns `false` and does nothing.
#[must_use]
pub fn few(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, before: f32, out: &mut [f32]) -> bool {
    let (inner, columns) = b.dim();
    if out.is_empty() {
        return true;
    }
    let (few_rows, small) = (a.nrows() <= FEW, out.len() * inner <= SMALL);
    let unpacked = match (a.strides()[1], b.strides()[1]) {
        (_, 1) => few_rows || (inner <= 16 && columns.is_multiple_of(64)),
        (1, _) => few_rows || small,
        _ => false,
    };
    if unpacked && let (Some(a), Some(b)) = (Cells::of(&a), Cells::of(&b)) {
        in_place(a, b, inner, columns, before, out);
        return true;
    }
    false
}

/// Computes the same for products that [`few`] refuses; each cell is summed from the first term to the last.
pub fn packed(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, before: f32, out: &mut [f32]) {
    let (inner, columns) = b.dim();
    if inner == 0 {
        out.chunks_mut(1).for_each(|out| {
            put([0.0], before, out);
        });
        return;
    }
    let cells = (Cells::of(&a), Cells::of(&b));
    // Views with gaps are copied first.
    let (left_copy, right_copy);
    let left = match cells.0 {
        Some(cells) => cells,
        None => {
            left_copy = a.as_standard_layout();
            Cells::of(&left_copy.view()).expect("a copy lies side by side")
        }
    };
    let right = match cells.1 {
        Some(cells) => cells,
        None => {
            right_copy = b.as_standard_layout();
            Cells::of(&right_copy.view()).expect("a copy lies side by side")
        }
    };
    ROOM.with_borrow_mut(|(rows, panels)| {
        pack::<PANEL>(right.turned(), 0..columns, inner, panels);
        for (n, out) in out.chunks_mut(ROWS * columns).enumerate() {
            let last = a.nrows().min((n + 1) * ROWS);
            pack::<ROWS>(left, n * ROWS..last, inner, rows);
            multiply(rows, panels, inner, columns, before, out);
        }
    });
}

/// The cells of a matrix in memory order, with the strides along a column and along a row.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub data: &'a [f32],
    pub down: usize,
    pub along: usize,
}

impl<'a> Cells<'a> {
    /// Returns `None` if the view has gaps.
    pub fn of(x: &ArrayView2<'a, f32>) -> Option<Self> {
        let [down, along] = [x.strides()[0], x.strides()[1]].map(|stride| stride.max(0) as usize);
        let data = x.to_slice_memory_order()?;
        let side_by_side = (along == 1 && down >= x.ncols()) || (down == 1 && along >= x.nrows());
        side_by_side.then_some(Self { data, down, along })
    }

    /// The transposed matrix.
    pub fn turned(self) -> Self {
        Self {
            down: self.along,
            along: self.down,
            ..self
        }
    }
}

/// Computes the product without packing.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl+fma", "x86_64+avx2+fma"))]
fn in_place(
    a: Cells<'_>,
    b: Cells<'_>,
    inner: usize,
    columns: usize,
    before: f32,
    out: &mut [f32],
) {
    for (i, out) in out.chunks_exact_mut(columns).enumerate() {
        let row = &a.data[i * a.down..];
        let mut at = 0;
        while at < columns {
            let left = columns - at;
            let out = &mut out[at..];
            at += if b.along != 1 {
                let column = &b.data[at * b.along..][..inner];
                put([dot(&row[..inner], column)], before, out)
            } else {
                let row = Cells { data: row, ..a };
                let here = Cells {
                    data: &b.data[at..],
                    ..b
                };
                match left {
                    64.. => put(across::<64>(row, here, inner), before, out),
                    16.. => put(across::<16>(row, here, inner), before, out),
                    4.. => put(across::<4>(row, here, inner), before, out),
                    _ => put(across::<1>(row, here, inner), before, out),
                }
            };
        }
    }
}

/// Writes sums to the first cells of `out` and returns their number.
#[inline(always)]
fn put<const N: usize>(sums: [f32; N], before: f32, out: &mut [f32]) -> usize {
    for (out, sum) in out.iter_mut().zip(sums) {
        *out = if before == 0.0 {
            sum
        } else {
            before * *out + sum
        };
    }
    N
}

/// The products of the first row of `a` and the first `N` columns of `b`, each summed from the first term to the last.
#[inline(always)]
fn across<const N: usize>(a: Cells<'_>, b: Cells<'_>, inner: usize) -> [f32; N] {
    let mut sums = [0.0_f32; N];
    for k in 0..inner {
        let x = a.data[k * a.along];
        let b: &[f32; N] = b.data[k * b.down..][..N].try_into().expect("N columns");
        for c in 0..N {
            sums[c] = fused(x, b[c], sums[c]);
        }
    }
    sums
}

/// The dot product of two rows, summed in 16 lanes.
#[inline(always)]
fn dot(row: &[f32], other: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0_f32; LANES];
    let ((xs, x_rest), (ys, y_rest)) = (row.as_chunks::<LANES>(), other.as_chunks::<LANES>());
    for (x, y) in xs.iter().zip(ys) {
        for ((sum, &x), &y) in sums.iter_mut().zip(x).zip(y) {
            *sum = fused(x, y, *sum);
        }
    }
    for ((sum, &x), &y) in sums.iter_mut().zip(x_rest).zip(y_rest) {
        *sum = fused(x, y, *sum);
    }
    for half in [8, 4, 2, 1] {
        for i in 0..half {
            sums[i] += sums[i + half];
        }
    }
    sums[0]
}

/// Packs `rows` of `x [_, inner]`, `WIDTH` at a time: `[rows / WIDTH, inner, WIDTH]`, padded with zeros.
fn pack<const WIDTH: usize>(x: Cells<'_>, rows: Range<usize>, inner: usize, packed: &mut Vec<f32>) {
    packed.resize(rows.len().div_ceil(WIDTH) * inner * WIDTH, 0.0);
    let (packed, _) = packed.as_chunks_mut::<WIDTH>();
    for (n, packed) in packed.chunks_exact_mut(inner).enumerate() {
        let first = rows.start + n * WIDTH;
        let count = WIDTH.min(rows.end - first);
        if count < WIDTH {
            packed.fill([0.0; WIDTH]);
        }
        if x.down == 1 {
            // The cells of a term are contiguous already, so copy them in one piece.
            for (term, packed) in packed.iter_mut().enumerate() {
                let cells = &x.data[first + term * x.along..][..count];
                match cells.try_into() {
                    Ok(whole) => *packed = whole,
                    Err(_) => packed[..count].copy_from_slice(cells),
                }
            }
        } else {
            interleave(x, first, count, packed);
        }
    }
}

/// Writes `count` rows of `x`, from row `first` on, into the columns of `packed [inner, WIDTH]`, 8 at a time.
fn interleave<const WIDTH: usize>(
    x: Cells<'_>,
    first: usize,
    count: usize,
    packed: &mut [[f32; WIDTH]],
) {
    const TOGETHER: usize = 8;
    let inner = packed.len();
    let row = |at: usize| &x.data[(first + at) * x.down..][..inner];
    let whole = count - count % TOGETHER;
    for done in (0..whole).step_by(TOGETHER) {
        let rows: [&[f32]; TOGETHER] = std::array::from_fn(|r| row(done + r));
        for (term, packed) in packed.iter_mut().enumerate() {
            for (cell, row) in packed[done..done + TOGETHER].iter_mut().zip(rows) {
                *cell = row[term];
            }
        }
    }
    for at in whole..count {
        for (packed, x) in packed.iter_mut().zip(row(at)) {
            packed[at] = *x;
        }
    }
}

/// Multiplies one block of rows by every panel.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl+fma", "x86_64+avx2+fma"))]
fn multiply(
    rows: &[f32],
    panels: &[f32],
    inner: usize,
    columns: usize,
    before: f32,
    out: &mut [f32],
) {
    let (rows, _) = rows.as_chunks::<ROWS>();
    let wide = target_cfg_f!(target_feature = "avx512f");
    let blank = [[0.0_f32; PANEL]; ROWS];
    for first in (0..columns).step_by(PANEL) {
        let (panel, _) = panels[first * inner..][..inner * PANEL].as_chunks::<PANEL>();
        let mut sums = blank;
        // The size of a tile suits the chip's registers and does not affect the bits. All 8 rows at once would fit the
        // registers of AVX-512, but then an optimised build gathers across the rows: 2 GFLOP/s instead of 65.
        if wide {
            for top in (0..ROWS).step_by(4) {
                tile::<4, PANEL>(rows, panel, top, 0, &mut sums);
            }
        } else {
            for top in (0..ROWS).step_by(4) {
                for left in (0..PANEL).step_by(16) {
                    tile::<4, 16>(rows, panel, top, left, &mut sums);
                }
            }
        }
        let width = PANEL.min(columns - first);
        for (sums, out) in sums.iter().zip(out.chunks_mut(columns)) {
            let out = &mut out[first..first + width];
            if before == 0.0 {
                out.copy_from_slice(&sums[..width]);
            } else {
                for (out, sum) in out.iter_mut().zip(sums) {
                    *out = before * *out + sum;
                }
            }
        }
    }
}

/// Computes `R × C` of a block's sums, from row `top` and column `left` on.
#[inline(always)]
fn tile<const R: usize, const C: usize>(
    rows: &[[f32; ROWS]],
    panel: &[[f32; PANEL]],
    top: usize,
    left: usize,
    out: &mut [[f32; PANEL]; ROWS],
) {
    let mut sums = [[0.0_f32; C]; R];
    // Counted loops over pieces of equal length let the compiler keep all sums in registers.
    for (x, b) in rows.iter().zip(panel) {
        let x: &[f32; R] = x[top..top + R].try_into().expect("R rows");
        let b: &[f32; C] = b[left..left + C].try_into().expect("C columns");
        for r in 0..R {
            for c in 0..C {
                sums[r][c] = fused(x[r], b[c], sums[r][c]);
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        out[top + r][left..left + C].copy_from_slice(sums);
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    /// Thirds must be rounded in binary, so rounding shows in every sum.
    fn numbers(rows: usize, columns: usize) -> Array2<f32> {
        Array2::from_shape_fn((rows, columns), |(i, j)| {
            ((i * 31 + j * 17) % 101) as f32 / 150.0 - 1.0 / 3.0
        })
    }

    fn product(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, before: f32, out: &mut [f32]) {
        if !few(a, b, before, out) {
            packed(a, b, before, out);
        }
    }

    /// The definition: one fused multiply-add per term, in order.
    fn in_order(a: &Array2<f32>, b: &Array2<f32>) -> Vec<f32> {
        let cell = |i: usize, j: usize| {
            let terms = a.row(i).into_iter().zip(b.column(j));
            terms.fold(0.0_f32, |sum, (a, b)| a.mul_add(*b, sum))
        };
        let (rows, columns) = (a.nrows(), b.ncols());
        (0..rows * columns)
            .map(|at| cell(at / columns, at % columns))
            .collect()
    }

    #[test]
    fn every_cell_is_summed_from_the_first_term_to_the_last_or_in_lanes() {
        for (n, k, m) in [
            (1, 1, 1),
            (3, 5, 7),
            (8, 32, 32),
            (10, 64, 11),
            (2, 70, 300),
            (19, 40, 65),
            (41, 40, 65),
            (2, 0, 3),
        ] {
            let (a, b) = (numbers(n, k), numbers(k, m));
            let expected = in_order(&a, &b);
            let (at, bt) = (
                a.t().as_standard_layout().into_owned(),
                b.t().as_standard_layout().into_owned(),
            );
            for (a, b, lanes) in [
                (a.view(), b.view(), false),
                (a.view(), bt.t(), n * k * m <= SMALL || n <= FEW),
                (at.t(), b.view(), false),
                (at.t(), bt.t(), false),
            ] {
                let mut out = vec![7.0; n * m];
                product(a, b, 0.0, &mut out);
                let exact = expected.iter().zip(&out);
                assert!(
                    exact.clone().all(|(e, o)| (e - o).abs() < 1e-5),
                    "{n} {k} {m}"
                );
                assert!(lanes || exact.clone().all(|(e, o)| e == o), "{n} {k} {m}");
                let once = out.clone();
                product(a, b, 1.0, &mut out);
                assert!(once.iter().zip(&out).all(|(x, y)| x + x == *y));
            }
        }
    }

    #[test]
    fn a_product_into_nothing_is_nothing() {
        product(numbers(0, 3).view(), numbers(3, 4).view(), 0.0, &mut []);
        product(numbers(3, 4).view(), numbers(4, 0).view(), 0.0, &mut []);
    }
}
