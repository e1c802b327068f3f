//! Large matrix products on chips with AVX2 or AVX-512, summed as BLIS's kernels for them sum.
//!
//! BLIS packs both sides of every product into its own order, and what it writes into must hold numbers before: a sixth
//! of a training step, whose products have few rows. Here rows are read where they stand, what is turned or too far apart
//! for the caches is packed in the order in which it lies in memory, and nothing is cleared. A cell is summed from the
//! first term to the last, one fused multiply-add a term, [`Chip::TERMS`] at a time, and these sums are added in order.
//! So do the kernels of BLIS for the same chip, except where it takes products for small. Small products are not parted:
//! so they have the same bits on every chip.

use std::cell::RefCell;
use std::mem::MaybeUninit;

use ndarray::ArrayView2;

mod chip;
mod pack;

use super::blas::{self, Kernels};
use super::portable::Cells;
use super::small::Before;
use chip::{Avx2, Avx512, Chip, fetch};
use pack::{pack_columns, pack_rows};

/// Rows of a tile of sums that stand in registers.
const ROWS: usize = 6;

/// A line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([f32; LINE]);

/// Cells of a [`Line`].
const LINE: usize = 16;

thread_local! {
    /// Room for the packed columns and rows of one product, kept for the next.
    static ROOM: RefCell<Room> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// Packed columns, and packed rows or sums that are still to be turned.
type Room = (Vec<Line>, Vec<f32>);

/// Rows, terms and columns of a product.
type Sizes = (usize, usize, usize);

/// How a sum is parted: so many terms at a time, or all that are left if those are so many at the most.
type Parts = (usize, usize);

/// As BLIS parts them on this kind of chip.
const fn parts<C: Chip>() -> Parts {
    (C::TERMS, C::MOST)
}

/// `out = a · b`, or `out += a · b`, for row-major `out [rows, columns]`, on this thread. `false`, with nothing done, for
/// what is left to the BLAS: vectors, views with other cells between, and all products where BLIS does not run the kernels
/// of a chip that is known here. Every cell of `out` is written; it need not hold anything before unless it is added to.
#[must_use]
pub fn product(
    a: ArrayView2<'_, f32>,
    b: ArrayView2<'_, f32>,
    before: Before,
    out: &mut [MaybeUninit<f32>],
) -> bool {
    match blas::kernels() {
        Some(Kernels::Skx) => product_on::<Avx512>(a, b, before, parts::<Avx512>(), out),
        Some(Kernels::Haswell) => product_on::<Avx2>(a, b, before, parts::<Avx2>(), out),
        None => false,
    }
}

/// [`product`] with the same bits on every chip, whatever BLIS runs: each cell is summed from the first term to the last
/// without a pause.
#[must_use]
pub fn in_order(
    a: ArrayView2<'_, f32>,
    b: ArrayView2<'_, f32>,
    before: Before,
    out: &mut [MaybeUninit<f32>],
) -> bool {
    let whole = (a.ncols(), a.ncols());
    match widest() {
        Some(Kernels::Skx) => product_on::<Avx512>(a, b, before, whole, out),
        Some(Kernels::Haswell) => product_on::<Avx2>(a, b, before, whole, out),
        None => false,
    }
}

/// [`product`] on this kind of chip.
fn product_on<C: Chip>(
    a: ArrayView2<'_, f32>,
    b: ArrayView2<'_, f32>,
    before: Before,
    parts: Parts,
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
    assert!(C::is_here());
    // What the loops below reach lies within these.
    assert!(reach(a, rows, inner) <= a.data.len() && reach(b, inner, columns) <= b.data.len());
    assert!(rows * columns == out.len());
    let out = out.as_mut_ptr().cast();
    // So many terms a row: then packing `b` takes longer than packing `a` and turning the sums.
    let few = a.along == 1 && b.along != 1 && 4 * rows <= inner && before == Before::Nothing;
    ROOM.with_borrow_mut(|room| {
        // SAFETY: the chip is this one, and the sizes are those of the slices: both were asserted.
        unsafe {
            match few {
                true => C::multiply_turned(a, b, (sizes, parts), out, room),
                false => C::multiply(a, b, (sizes, parts), before, out, room),
            }
        }
    });
    true
}

/// Kernels for the widest vectors of this chip, whichever BLIS runs.
fn widest() -> Option<Kernels> {
    match () {
        () if Avx512::is_here() => Some(Kernels::Skx),
        () if Avx2::is_here() => Some(Kernels::Haswell),
        () => None,
    }
}

/// Number of columns per panel in the packed matrices that [`packed_product`] multiplies by on this chip; `None` if it
/// has no kernel.
pub fn packed_columns() -> Option<usize> {
    widest().map(|kernels| match kernels {
        Kernels::Skx => Avx512::COLUMNS,
        Kernels::Haswell => Avx2::COLUMNS,
    })
}

/// `out = x · panels` for row-major `x [rows, inner]` and `out [rows, columns]`, where `panels [columns / together, inner,
/// together]` was packed before with as many columns together as [`packed_columns`] says, on this thread. `false`, with
/// nothing done, where it says `None`; else every cell is written. A cell is summed from the first term to the last, one
/// fused multiply-add a term, so that a row has the same bits in any company.
#[must_use]
pub fn packed_product(
    x: &[f32],
    panels: &[f32],
    sizes: (usize, usize),
    out: &mut [MaybeUninit<f32>],
) -> bool {
    match widest() {
        Some(Kernels::Skx) => packed_on::<Avx512>(x, panels, sizes, out),
        Some(Kernels::Haswell) => packed_on::<Avx2>(x, panels, sizes, out),
        None => return false,
    }
    true
}

/// [`packed_product`] on this kind of chip.
fn packed_on<C: Chip>(
    x: &[f32],
    panels: &[f32],
    (inner, columns): (usize, usize),
    out: &mut [MaybeUninit<f32>],
) {
    if out.is_empty() || inner == 0 {
        out.fill(MaybeUninit::new(0.0));
        return;
    }
    let rows = x.len() / inner;
    // What the loops below reach lies within these.
    assert!(C::is_here());
    assert!(x.len() == rows * inner && out.len() == rows * columns);
    assert!(panels.len() == columns.div_ceil(C::COLUMNS) * inner * C::COLUMNS);
    let x = Walk {
        at: x.as_ptr(),
        term: 1,
        side: inner,
        next: ROWS * inner,
    };
    // So many panels that they stay in the second cache while all rows pass.
    for left in (0..columns).step_by(C::WIDE) {
        let wide = C::WIDE.min(columns - left);
        let right = Walk {
            at: panels[left * inner..].as_ptr(),
            term: C::COLUMNS,
            side: 1,
            next: inner * C::COLUMNS,
        };
        // SAFETY: the chip is this one, and the walks lead through slices whose sizes were asserted.
        unsafe {
            let out = out[left..].as_mut_ptr().cast();
            C::block(x, right, (rows, inner, wide), false, (out, columns));
        }
    }
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
#[inline(always)]
unsafe fn multiply<C: Chip>(
    a: Cells<'_>,
    b: Cells<'_>,
    ((rows, inner, columns), parts): (Sizes, Parts),
    before: Before,
    out: *mut f32,
    (panels, strips): &mut Room,
) {
    for (first, terms) in blocks(inner, parts) {
        let add = before == Before::Sums || first > 0;
        for left in (0..columns).step_by(C::WIDE) {
            let wide = C::WIDE.min(columns - left);
            let near = b.along == 1 && (b.down <= C::NEAR || rows <= ROWS);
            let right = if near && (C::READS_PARTS || wide.is_multiple_of(C::LANES)) {
                let at = &b.data[first * b.down + left..];
                Walk {
                    at: at.as_ptr(),
                    term: b.down,
                    side: 1,
                    next: C::COLUMNS,
                }
            } else {
                // SAFETY: the chip is this one.
                unsafe { pack_columns::<C>(b, (first, terms), (left, wide), (panels, 0)) };
                Walk {
                    at: panels.as_ptr().cast(),
                    term: C::COLUMNS,
                    side: 1,
                    next: terms * C::COLUMNS,
                }
            };
            for top in (0..rows).step_by(C::TALL) {
                let tall = C::TALL.min(rows - top);
                let rows = if a.along <= C::NEAR {
                    let at = &a.data[top * a.down + first * a.along..];
                    Walk {
                        at: at.as_ptr(),
                        term: a.along,
                        side: a.down,
                        next: ROWS * a.down,
                    }
                } else {
                    // SAFETY: the chip is this one.
                    unsafe { pack_rows::<C>(a, (first, terms), (top, tall), strips) };
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
                    C::block(rows, right, (tall, terms, wide), add, (out, columns));
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
#[inline(always)]
unsafe fn multiply_turned<C: Chip>(
    a: Cells<'_>,
    b: Cells<'_>,
    ((rows, inner, columns), parts): (Sizes, Parts),
    out: *mut f32,
    (panels, sums): &mut Room,
) {
    let wide = rows.next_multiple_of(C::COLUMNS);
    for (first, terms) in blocks(inner, parts) {
        let begin = first * wide / LINE;
        // SAFETY: the chip is this one.
        unsafe { pack_columns::<C>(a.turned(), (first, terms), (0, rows), (panels, begin)) };
    }
    if sums.len() < TOGETHER * wide {
        sums.resize(TOGETHER * wide, 0.0);
    }
    for left in (0..columns).step_by(TOGETHER) {
        let tall = TOGETHER.min(columns - left);
        for (first, terms) in blocks(inner, parts) {
            let columns = Walk {
                at: b.data[left * b.along + first..].as_ptr(),
                term: 1,
                side: b.along,
                next: ROWS * b.along,
            };
            let rows = Walk {
                at: panels[first * wide / LINE..].as_ptr().cast(),
                term: C::COLUMNS,
                side: 1,
                next: terms * C::COLUMNS,
            };
            // SAFETY: there are `tall` columns with these terms, `wide` rows of them were packed, zeros among them, and
            // there is room for as many sums.
            unsafe {
                let to = (sums.as_mut_ptr(), wide);
                C::block(columns, rows, (tall, terms, wide), first > 0, to);
            }
        }
        for column in (0..tall).step_by(C::LANES) {
            let count = C::LANES.min(tall - column);
            for row in (0..rows).step_by(C::LANES) {
                let from = (&sums[column * wide + row..], wide);
                // SAFETY: `out` is `[rows, columns]`, and no more than the columns that are left are written.
                unsafe {
                    let to = (out.add(row * columns + left + column), columns);
                    C::turn(from, (count, C::LANES.min(rows - row)), to, count);
                }
            }
        }
    }
}

/// The first term of every sum, and how many it has.
fn blocks(inner: usize, (terms, most): Parts) -> impl Iterator<Item = (usize, usize)> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let terms = match inner - first {
            0 => return None,
            left if left <= most => left,
            _ => terms,
        };
        first += terms;
        Some((first - terms, terms))
    })
}

/// The products of `tall` rows and `wide` columns over `terms` terms.
#[inline(always)]
unsafe fn block<C: Chip>(
    a: Walk,
    b: Walk,
    (tall, terms, wide): Sizes,
    add: bool,
    (out, down): (*mut f32, usize),
) {
    for (strip, top) in (0..tall).step_by(ROWS).enumerate() {
        for (panel, left) in (0..wide).step_by(C::COLUMNS).enumerate() {
            let size = (ROWS.min(tall - top), C::COLUMNS.min(wide - left));
            // SAFETY: see the caller's.
            unsafe {
                let ahead = a.at.wrapping_add((strip + 1) * a.next);
                let a = (a.at.add(strip * a.next), a.side, a.term);
                let b = (b.at.add(panel * b.next), b.term);
                let out = (out.add(top * down + left), down);
                C::tile(size, a, ahead, b, (terms, add), out);
            }
        }
    }
}

/// `R` rows and `V` vectors of sums; of the last vector `last` cells alone where it is `CUT`. Cells of `a` are `down`
/// apart from row to row.
#[inline(always)]
unsafe fn tile<C: Chip, const R: usize, const V: usize, const CUT: bool>(
    (mut a, down, along): (*const f32, usize, usize),
    mut ahead: *const f32,
    (mut b, next): (*const f32, usize),
    (terms, add): (usize, bool),
    (out, out_down): (*mut f32, usize),
    last: C::Mask,
) {
    let is_cut = |v| CUT && v == V - 1;
    for r in 0..R {
        fetch(out.wrapping_add(r * out_down), V * C::LANES);
    }
    // SAFETY: the caller's walks have `terms` terms of `R` rows, and of columns as many as `last` lets through.
    unsafe {
        let load = |at, v| match is_cut(v) {
            true => C::load_part(at, last),
            false => C::load(at),
        };
        let mut sums = [[C::zeros(); V]; R];
        for _ in 0..terms {
            fetch(ahead, 1);
            ahead = ahead.wrapping_add(ROWS);
            let mut right = [C::zeros(); V];
            for (v, right) in right.iter_mut().enumerate() {
                let at = b.wrapping_add(v * C::LANES);
                // Packed columns end with zeros.
                *right = match C::READS_PARTS {
                    true => load(at, v),
                    false => C::load(at),
                };
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let left = C::all(a.wrapping_add(r.wrapping_mul(down)));
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = C::multiply_add(left, right, *sum);
                }
            }
            // One past the last term at the end, and never read there.
            (a, b) = (a.wrapping_add(along), b.wrapping_add(next));
        }
        for (r, sums) in sums.into_iter().enumerate() {
            for (v, mut sum) in sums.into_iter().enumerate() {
                // The caller's result has these rows, and these columns where the mask lets through.
                let at = out.wrapping_add(r * out_down + v * C::LANES);
                if add {
                    sum = C::add(sum, load(at, v));
                }
                match is_cut(v) {
                    true => C::store_part(at, last, sum),
                    false => C::store(at, sum),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
