//! Large matrix products on chips with AVX2 or AVX-512, summed in the same order as in BLIS's kernels.
//!
//! BLIS packs both sides of every product and needs an initialised output. This costs a sixth of a training step,
//! because its products have few rows. Here rows are read in place, operands are packed (in memory order) only if they
//! are transposed or too far apart for the caches, and nothing is cleared. A cell is summed from the first term to the
//! last, one fused multiply-add per term, in blocks of [`Chip::TERMS`] whose sums are added in order. BLIS's kernels
//! for the same chip do the same, except for products that BLIS treats as small. Here, small products are summed in one
//! block, so they have the same bits on every chip.

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

/// Rows of a tile, whose sums are kept in registers.
const ROWS: usize = 6;

/// A cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([f32; LINE]);

/// Cells of a [`Line`].
const LINE: usize = 16;

thread_local! {
    /// Buffers for the packed columns and rows of a product, reused by the next.
    static ROOM: RefCell<Room> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// Packed columns, and packed rows or sums still to be transposed.
type Room = (Vec<Line>, Vec<f32>);

/// Rows, terms and columns of a product.
type Sizes = (usize, usize, usize);

/// Block sizes of a sum: terms per block, and the largest remainder that is taken as one block.
type Parts = (usize, usize);

/// The block sizes of BLIS on this kind of chip.
const fn parts<C: Chip>() -> Parts {
    (C::TERMS, C::MOST)
}

/// Computes `out = a · b`, or `out += a · b`, for row-major `out [rows, columns]`, on this thread.
///
/// Returns `false` and does nothing for what it leaves to the BLAS: vectors, views with gaps, and all products if BLIS
/// does not run the kernels of a chip supported here. Otherwise every cell of `out` is written; `out` may be
/// uninitialised unless it is added to.
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

/// [`product`] with the same bits on every chip, whatever BLIS runs: each cell is one uninterrupted sum from the first
/// term to the last.
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
    // The unsafe loops rely on these bounds.
    assert!(reach(a, rows, inner) <= a.data.len() && reach(b, inner, columns) <= b.data.len());
    assert!(rows * columns == out.len());
    let out = out.as_mut_ptr().cast();
    // With this many terms per row, packing `b` takes longer than packing `a` and transposing the sums.
    let few = a.along == 1 && b.along != 1 && 4 * rows <= inner && before == Before::Nothing;
    ROOM.with_borrow_mut(|room| {
        // SAFETY: the assertions have checked the chip, that both matrices lie inside their slices and that `out` is
        // `[rows, columns]`.
        unsafe {
            if few {
                C::multiply_turned(a, b, (sizes, parts), out, room)
            } else {
                C::multiply(a, b, (sizes, parts), before, out, room)
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

/// Computes `out = x · panels` for row-major `x [rows, inner]` and `out [rows, columns]`, on this thread.
///
/// `panels [columns / together, inner, together]` was packed with `together` = [`packed_columns`]; if that is `None`,
/// returns `false` and does nothing. Otherwise every cell is written. A cell is summed from the first term to the last,
/// one fused multiply-add per term, so the bits of a row do not depend on the other rows.
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
    // The unsafe loops rely on these bounds.
    assert!(C::is_here());
    assert!(x.len() == rows * inner && out.len() == rows * columns);
    assert!(panels.len() == columns.div_ceil(C::COLUMNS) * inner * C::COLUMNS);
    let x = Walk {
        at: x.as_ptr(),
        term: 1,
        side: inner,
        next: ROWS * inner,
    };
    // As many panels as stay in the L2 cache while all rows pass.
    for left in (0..columns).step_by(C::WIDE) {
        let wide = C::WIDE.min(columns - left);
        let right = Walk {
            at: panels[left * inner..].as_ptr(),
            term: C::COLUMNS,
            side: 1,
            next: inner * C::COLUMNS,
        };
        // SAFETY: the assertions have checked the chip and the sizes of the slices, inside which both walks and `out`
        // stay.
        unsafe {
            let out = out[left..].as_mut_ptr().cast();
            C::block(x, right, (rows, inner, wide), false, (out, columns));
        }
    }
}

/// Number of cells that a non-empty matrix of this size spans in its slice.
fn reach(x: Cells<'_>, rows: usize, columns: usize) -> usize {
    (rows - 1) * x.down + (columns - 1) * x.along + 1
}

/// Access pattern over the cells of a matrix, starting at `at`.
#[derive(Clone, Copy)]
struct Walk {
    at: *const f32,
    /// Stride in cells from one term to the next.
    term: usize,
    /// Stride from one row, or column, to its neighbour.
    side: usize,
    /// Stride from one tile to the next.
    next: usize,
}

/// The body of [`product`].
///
/// # Safety
///
/// [`Chip::is_here`] must be true, `a` and `b` must have `sizes` inside their slices, and `out` must have room for all
/// cells, which are initialised if `before` is [`Before::Sums`].
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
                // SAFETY: the caller guarantees that this chip is `C`.
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
                    // SAFETY: the caller guarantees that this chip is `C`.
                    unsafe { pack_rows::<C>(a, (first, terms), (top, tall), strips) };
                    Walk {
                        at: strips.as_ptr(),
                        term: ROWS,
                        side: 1,
                        next: terms * ROWS,
                    }
                };
                // SAFETY: the walks cover `terms` terms of `tall` rows and `wide` columns, which exist by the caller's
                // guarantee or because they were packed; `out` is `[rows, columns]`.
                unsafe {
                    let out = out.add(top * columns + left);
                    C::block(rows, right, (tall, terms, wide), add, (out, columns));
                }
            }
        }
    }
}

/// Columns of the result that [`multiply_turned`] sums before it transposes them. With a few hundred rows, they stay in
/// the L1 and L2 caches.
const TOGETHER: usize = 8 * ROWS;

/// [`multiply`] for few rows and a transposed right side, `x Wᵀ`, with the same safety requirements. Computes
/// `(W xᵀ)ᵀ`, so that `x` is packed and the larger `W` is read in place. Only the sums are transposed.
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
        // SAFETY: the caller guarantees that this chip is `C`.
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
            // SAFETY: `b` has these terms of `tall` columns by the caller's guarantee, `wide` rows were packed
            // (zero-padded), and `sums` has room for `tall · wide` cells.
            unsafe {
                let to = (sums.as_mut_ptr(), wide);
                C::block(columns, rows, (tall, terms, wide), first > 0, to);
            }
        }
        for column in (0..tall).step_by(C::LANES) {
            let count = C::LANES.min(tall - column);
            for row in (0..rows).step_by(C::LANES) {
                let from = (&sums[column * wide + row..], wide);
                // SAFETY: `out` is `[rows, columns]`, and neither count goes beyond the last row or column.
                unsafe {
                    let to = (out.add(row * columns + left + column), columns);
                    C::turn(from, (count, C::LANES.min(rows - row)), to, count);
                }
            }
        }
    }
}

/// The first term and the number of terms of each block.
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

/// Computes the products of `tall` rows and `wide` columns over `terms` terms, tile by tile.
///
/// # Safety
///
/// [`Chip::is_here`] must be true, the walks must cover these rows, columns and terms, and `out`, whose rows are `down`
/// cells apart, must have room for the products; with `add`, it is initialised.
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
            // SAFETY: the tile lies inside the rows, columns and terms that the caller guarantees.
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

/// Computes a tile of `R` rows and `V` vectors of sums; with `CUT`, only the cells in `last` of the last vector. The
/// rows of `a` are `down` cells apart. See [`block`] for the safety requirements.
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
    // SAFETY: the caller guarantees `terms` terms of `R` rows and of the columns that `last` lets through, and room in
    // `out` for their products. Packed columns are padded to whole vectors.
    unsafe {
        let load = |at, v| {
            if is_cut(v) {
                C::load_part(at, last)
            } else {
                C::load(at)
            }
        };
        let mut sums = [[C::zeros(); V]; R];
        for _ in 0..terms {
            fetch(ahead, 1);
            ahead = ahead.wrapping_add(ROWS);
            let mut right = [C::zeros(); V];
            for (v, right) in right.iter_mut().enumerate() {
                let at = b.wrapping_add(v * C::LANES);
                // Packed columns are padded with zeros.
                *right = if C::READS_PARTS {
                    load(at, v)
                } else {
                    C::load(at)
                };
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let left = C::all(a.wrapping_add(r.wrapping_mul(down)));
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = C::multiply_add(left, right, *sum);
                }
            }
            // After the last term these point past the end and are not read.
            (a, b) = (a.wrapping_add(along), b.wrapping_add(next));
        }
        for (r, sums) in sums.into_iter().enumerate() {
            for (v, mut sum) in sums.into_iter().enumerate() {
                let at = out.wrapping_add(r * out_down + v * C::LANES);
                if add {
                    sum = C::add(sum, load(at, v));
                }
                if is_cut(v) {
                    C::store_part(at, last, sum)
                } else {
                    C::store(at, sum)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
