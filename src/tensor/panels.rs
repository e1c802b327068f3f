//! Large matrix products on chips with AVX-512, with the bits of BLIS's kernel for them.
//!
//! BLIS packs both sides of every product into its own order, and what it writes into must hold numbers before: a sixth
//! of a training step, whose products have few rows. Here rows are read where they stand, what is turned or too far apart
//! for the caches is packed in the order in which it lies in memory, and nothing is cleared. A cell is summed as there:
//! from the first term to the last, one fused multiply-add a term, [`TERMS`] at a time, and these sums are added in
//! order. So only the time depends on which of the two multiplies.

use std::arch::x86_64::*;
use std::cell::RefCell;
use std::mem::MaybeUninit;

use ndarray::ArrayView2;

mod pack;

use super::portable::Cells;
use super::small::Before;
use pack::{pack_columns, pack_rows, turn};

/// Rows of a tile of sums that stand in registers.
const ROWS: usize = 6;
/// Cells of a vector.
const LANES: usize = 16;
/// Columns of a tile: 24 of the chip's 32 registers hold its sums.
pub const COLUMNS: usize = VECTORS * LANES;
/// Vectors of a row of a tile.
const VECTORS: usize = 4;
/// Terms that are summed before a sum is added to the one in memory: BLIS's `KC`.
const TERMS: usize = 384;
/// Terms that are summed at once where no more are left: its largest `KC`.
const MOST: usize = 480;
/// Columns that are packed together: with [`TERMS`] they fill a third of the second cache.
const WIDE: usize = 8 * COLUMNS;
/// Rows that are packed together.
const TALL: usize = 40 * ROWS;
/// Cells from term to term up to which a side is read where it stands: further apart, terms push each other out of the
/// nearest cache.
const NEAR: usize = 256;

/// A line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([f32; LANES]);

thread_local! {
    /// Room for the packed columns and rows of one product, kept for the next.
    static ROOM: RefCell<(Vec<Line>, Vec<f32>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// `out = a · b`, or `out += a · b`, for row-major `out [rows, columns]`, on this thread. `false`, with nothing done, for
/// what is left to BLIS: vectors, and views with other cells between. Every cell of `out` is written; it need not hold
/// anything before unless it is added to. The chip must have AVX-512.
#[must_use]
pub fn product(
    a: ArrayView2<'_, f32>,
    b: ArrayView2<'_, f32>,
    before: Before,
    out: &mut [MaybeUninit<f32>],
) -> bool {
    let sizes = (a.nrows(), a.ncols(), b.ncols());
    let (rows, inner, columns) = sizes;
    if rows < 2 || columns < 2 || inner == 0 {
        return false;
    }
    let (Some(a), Some(b)) = (Cells::of(&a), Cells::of(&b)) else {
        return false;
    };
    assert!(is_here());
    // What the loops below reach lies within these.
    assert!(reach(a, rows, inner) <= a.data.len() && reach(b, inner, columns) <= b.data.len());
    assert!(rows * columns == out.len());
    let out = out.as_mut_ptr().cast();
    // So many terms a row: then packing `b` takes longer than packing `a` and turning the sums.
    let few = a.along == 1 && b.along != 1 && 4 * rows <= inner && before == Before::Nothing;
    ROOM.with_borrow_mut(|room| {
        // SAFETY: the chip has AVX-512, and the sizes are those of the slices: both were asserted.
        unsafe {
            match few {
                true => multiply_turned(a, b, sizes, out, room),
                false => multiply(a, b, sizes, before, out, room),
            }
        }
    });
    true
}

/// `out = x · panels` for row-major `x [rows, inner]` and `out [rows, columns]`, where `panels [columns / COLUMNS, inner,
/// COLUMNS]` was packed before, on this thread. `false`, with nothing done, where the chip has no AVX-512; else every cell
/// is written. A cell is summed
/// from the first term to the last, one fused multiply-add a term, so that a row has the same bits in any company.
#[must_use]
pub fn packed_product(
    x: &[f32],
    panels: &[f32],
    (inner, columns): (usize, usize),
    out: &mut [MaybeUninit<f32>],
) -> bool {
    if !is_here() {
        return false;
    }
    if out.is_empty() || inner == 0 {
        out.fill(MaybeUninit::new(0.0));
        return true;
    }
    let rows = x.len() / inner;
    // What the loops below reach lies within these.
    assert!(x.len() == rows * inner && out.len() == rows * columns);
    assert!(panels.len() == columns.div_ceil(COLUMNS) * inner * COLUMNS);
    let x = Walk {
        at: x.as_ptr(),
        term: 1,
        side: inner,
        next: ROWS * inner,
    };
    // So many panels that they stay in the second cache while all rows pass.
    for left in (0..columns).step_by(WIDE) {
        let wide = WIDE.min(columns - left);
        let right = Walk {
            at: panels[left * inner..].as_ptr(),
            term: COLUMNS,
            side: 1,
            next: inner * COLUMNS,
        };
        // SAFETY: the chip has AVX-512, and the walks lead through slices whose sizes were asserted.
        unsafe {
            let out = out[left..].as_mut_ptr().cast();
            block(x, right, (rows, inner, wide), false, (out, columns));
        }
    }
    true
}

/// Whether this chip has what the functions below take.
fn is_here() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")
}

/// How many cells of its slice a matrix of these sizes takes, which is not empty.
fn reach(x: Cells<'_>, rows: usize, columns: usize) -> usize {
    (rows - 1) * x.down + (columns - 1) * x.along + 1
}

/// Cells of a matrix from `at` on, term after term.
#[derive(Clone, Copy)]
struct Walk {
    at: *const f32,
    /// Cells from one term to the next.
    term: usize,
    /// From one row, or column, to the one at its side.
    side: usize,
    /// From the first of a tile to the first of the next.
    next: usize,
}

/// All of [`product`]. Whoever calls it has compared the sizes with the slices, and `out` has room for all cells.
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn multiply(
    a: Cells<'_>,
    b: Cells<'_>,
    (rows, inner, columns): (usize, usize, usize),
    before: Before,
    out: *mut f32,
    (panels, strips): &mut (Vec<Line>, Vec<f32>),
) {
    for (first, terms) in blocks(inner) {
        let add = before == Before::Sums || first > 0;
        for left in (0..columns).step_by(WIDE) {
            let wide = WIDE.min(columns - left);
            let right = if b.along == 1 && (b.down <= NEAR || rows <= ROWS) {
                let at = &b.data[first * b.down + left..];
                Walk {
                    at: at.as_ptr(),
                    term: b.down,
                    side: 1,
                    next: COLUMNS,
                }
            } else {
                pack_columns(b, (first, terms), (left, wide), (panels, 0));
                Walk {
                    at: panels.as_ptr().cast(),
                    term: COLUMNS,
                    side: 1,
                    next: terms * COLUMNS,
                }
            };
            for top in (0..rows).step_by(TALL) {
                let tall = TALL.min(rows - top);
                let rows = if a.along <= NEAR {
                    let at = &a.data[top * a.down + first * a.along..];
                    Walk {
                        at: at.as_ptr(),
                        term: a.along,
                        side: a.down,
                        next: ROWS * a.down,
                    }
                } else {
                    pack_rows(a, (first, terms), (top, tall), strips);
                    Walk {
                        at: strips.as_ptr(),
                        term: ROWS,
                        side: 1,
                        next: terms * ROWS,
                    }
                };
                // SAFETY: the walks lead through `terms` terms of `tall` rows and `wide` columns, of which the caller or
                // the packing has said that they are there; `out` is `[rows, columns]`.
                unsafe {
                    let out = out.add(top * columns + left);
                    block(rows, right, (tall, terms, wide), add, (out, columns));
                }
            }
        }
    }
}

/// Columns of the result that [`multiply_turned`] sums before it turns them: with some hundred rows they stay in the
/// nearest caches.
const TOGETHER: usize = 8 * ROWS;

/// [`multiply`] of few rows by columns that lie side by side, `x Wᵀ`: as `(W xᵀ)ᵀ`, so that `x` is packed and the larger
/// `W` read where it stands. Only the sums are turned.
#[target_feature(enable = "avx512f")]
unsafe fn multiply_turned(
    a: Cells<'_>,
    b: Cells<'_>,
    (rows, inner, columns): (usize, usize, usize),
    out: *mut f32,
    (panels, sums): &mut (Vec<Line>, Vec<f32>),
) {
    let wide = rows.next_multiple_of(COLUMNS);
    for (first, terms) in blocks(inner) {
        let begin = first * wide / LANES;
        pack_columns(a.turned(), (first, terms), (0, rows), (panels, begin));
    }
    if sums.len() < TOGETHER * wide {
        sums.resize(TOGETHER * wide, 0.0);
    }
    for left in (0..columns).step_by(TOGETHER) {
        let tall = TOGETHER.min(columns - left);
        for (first, terms) in blocks(inner) {
            let columns = Walk {
                at: b.data[left * b.along + first..].as_ptr(),
                term: 1,
                side: b.along,
                next: ROWS * b.along,
            };
            let rows = Walk {
                at: panels[first * wide / LANES..].as_ptr().cast(),
                term: COLUMNS,
                side: 1,
                next: terms * COLUMNS,
            };
            // SAFETY: there are `tall` columns with these terms, `wide` rows of them were packed, zeros among them, and
            // there is room for as many sums.
            unsafe {
                let to = (sums.as_mut_ptr(), wide);
                block(columns, rows, (tall, terms, wide), first > 0, to);
            }
        }
        for column in (0..tall).step_by(LANES) {
            let count = LANES.min(tall - column);
            for row in (0..rows).step_by(LANES) {
                let from = (&sums[column * wide + row..], wide);
                // SAFETY: `out` is `[rows, columns]`, and the mask lets through the columns that are left.
                unsafe {
                    let to = (out.add(row * columns + left + column), columns);
                    let kept = 0xffff_u16 >> (LANES - count);
                    turn(from, (count, LANES.min(rows - row)), to, kept);
                }
            }
        }
    }
}

/// The first term of every sum, and how many it has.
fn blocks(inner: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let terms = match inner - first {
            0 => return None,
            left if left <= MOST => left,
            _ => TERMS,
        };
        first += terms;
        Some((first - terms, terms))
    })
}

/// The products of `tall` rows and `wide` columns over `terms` terms.
#[target_feature(enable = "avx512f")]
unsafe fn block(
    a: Walk,
    b: Walk,
    (tall, terms, wide): (usize, usize, usize),
    add: bool,
    (out, down): (*mut f32, usize),
) {
    for (strip, top) in (0..tall).step_by(ROWS).enumerate() {
        for (panel, left) in (0..wide).step_by(COLUMNS).enumerate() {
            let width = COLUMNS.min(wide - left);
            let vectors = width.div_ceil(LANES);
            let last = 0xffff_u16 >> (vectors * LANES - width);
            // SAFETY: see the caller's.
            unsafe {
                let ahead = a.at.wrapping_add((strip + 1) * a.next);
                let a = (a.at.add(strip * a.next), a.side, a.term);
                let b = (b.at.add(panel * b.next), b.term);
                let out = (out.add(top * down + left), down);
                macro_rules! tile {
                    ($($rows:literal)*) => {
                        match ((tall - top).min(ROWS), vectors) {
                            $(
                                ($rows, 1) => tile::<$rows, 1>(a, ahead, b, terms, add, out, last),
                                ($rows, 2) => tile::<$rows, 2>(a, ahead, b, terms, add, out, last),
                                ($rows, 3) => tile::<$rows, 3>(a, ahead, b, terms, add, out, last),
                                ($rows, _) => tile::<$rows, 4>(a, ahead, b, terms, add, out, last),
                            )*
                            _ => unreachable!("a tile has 1 to 6 rows"),
                        }
                    };
                }
                tile!(1 2 3 4 5 6);
            }
        }
    }
}

/// `R` rows and `V` vectors of sums; of the last vector the cells in `last` alone. Cells of `a` are `down` apart from row
/// to row.
#[target_feature(enable = "avx512f")]
unsafe fn tile<const R: usize, const V: usize>(
    (mut a, down, along): (*const f32, usize, usize),
    mut ahead: *const f32,
    (mut b, next): (*const f32, usize),
    terms: usize,
    add: bool,
    (out, out_down): (*mut f32, usize),
    last: __mmask16,
) {
    let mask = |v| if v == V - 1 { last } else { 0xffff };
    let mut sums = [[_mm512_setzero_ps(); V]; R];
    for r in 0..R {
        fetch::<V>(out.wrapping_add(r * out_down));
    }
    for _ in 0..terms {
        fetch::<1>(ahead);
        ahead = ahead.wrapping_add(ROWS);
        // SAFETY: the caller's walks have `terms` terms of `R` rows, and of columns as many as the mask lets through.
        unsafe {
            let mut right = [_mm512_setzero_ps(); V];
            for (v, right) in right.iter_mut().enumerate() {
                *right = _mm512_maskz_loadu_ps(mask(v), b.add(v * LANES));
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let left = _mm512_set1_ps(*a.add(r * down));
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = _mm512_fmadd_ps(left, right, *sum);
                }
            }
            // One past the last term at the end, and never read there.
            (a, b) = (a.wrapping_add(along), b.wrapping_add(next));
        }
    }
    for (r, sums) in sums.into_iter().enumerate() {
        for (v, mut sum) in sums.into_iter().enumerate() {
            // SAFETY: the caller's result has these rows, and these columns where the mask lets through.
            unsafe {
                let at = out.add(r * out_down + v * LANES);
                if add {
                    sum = _mm512_add_ps(sum, _mm512_maskz_loadu_ps(mask(v), at));
                }
                _mm512_mask_storeu_ps(at, mask(v), sum);
            }
        }
    }
}

/// Asks for the lines from `at` on, which need not be there.
#[target_feature(enable = "avx512f")]
fn fetch<const LINES: usize>(at: *const f32) {
    for line in 0..LINES {
        let at = at.wrapping_add(line * LANES);
        // Older compilers call it unsafe. SAFETY: asking for memory that is not there does nothing.
        #[allow(unused_unsafe)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(at.cast());
        }
    }
}

#[cfg(test)]
mod tests;
