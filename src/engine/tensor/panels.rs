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
use std::ops::Range;

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
    static BUFFERS: RefCell<Buffers> = const {
        RefCell::new(Buffers {
            columns: Vec::new(),
            rows: Vec::new(),
        })
    };
}

/// Buffers of a product.
struct Buffers {
    /// Packed columns.
    columns: Vec<Line>,
    /// Packed rows, or sums still to be transposed.
    rows: Vec<f32>,
}

/// The size of a product `[rows, terms] · [terms, columns]`.
#[derive(Clone, Copy)]
struct Size {
    rows: usize,
    terms: usize,
    columns: usize,
}

/// How a sum is divided into blocks.
#[derive(Clone, Copy)]
struct Blocks {
    /// Terms per block.
    terms: usize,
    /// Largest remainder that is taken as one block.
    largest: usize,
}

impl Blocks {
    /// The block sizes of BLIS on this kind of chip.
    const fn of<C: Chip>() -> Self {
        Self {
            terms: C::TERMS,
            largest: C::MOST,
        }
    }

    /// A single block of `terms` terms.
    const fn one(terms: usize) -> Self {
        Self {
            terms,
            largest: terms,
        }
    }

    /// The terms of each block, if there are `terms` of them.
    fn ranges(self, terms: usize) -> impl Iterator<Item = Range<usize>> {
        let mut first = 0;
        std::iter::from_fn(move || {
            let count = match terms - first {
                0 => return None,
                left if left <= self.largest => left,
                _ => self.terms,
            };
            first += count;
            Some(first - count..first)
        })
    }
}

/// Destination of sums: rows that begin at `at`, `down` cells apart.
#[derive(Clone, Copy)]
struct Target {
    at: *mut f32,
    down: usize,
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
        Some(Kernels::Skx) => product_on::<Avx512>(a, b, before, Blocks::of::<Avx512>(), out),
        Some(Kernels::Haswell) => product_on::<Avx2>(a, b, before, Blocks::of::<Avx2>(), out),
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
    let whole = Blocks::one(a.ncols());
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
    blocks: Blocks,
    out: &mut [MaybeUninit<f32>],
) -> bool {
    let size = Size {
        rows: a.nrows(),
        terms: a.ncols(),
        columns: b.ncols(),
    };
    let Size {
        rows,
        terms,
        columns,
    } = size;
    if rows < 2 || columns < 2 || terms == 0 {
        return false;
    }
    let (Some(a), Some(b)) = (Cells::of(&a), Cells::of(&b)) else {
        return false;
    };
    assert!(C::is_here());
    // The unsafe loops rely on these bounds.
    assert!(reach(a, rows, terms) <= a.data.len() && reach(b, terms, columns) <= b.data.len());
    assert!(rows * columns == out.len());
    let out = out.as_mut_ptr().cast();
    // With this many terms per row, packing `b` takes longer than packing `a` and transposing the sums.
    let few = a.along == 1 && b.along != 1 && 4 * rows <= terms && before == Before::Nothing;
    BUFFERS.with_borrow_mut(|buffers| {
        // SAFETY: the assertions have checked the chip, that both matrices lie inside their slices and that `out` is
        // `[rows, columns]`.
        unsafe {
            if few {
                C::multiply_turned(a, b, size, blocks, out, buffers)
            } else {
                C::multiply(a, b, size, blocks, before, out, buffers)
            }
        }
    });
    true
}

/// Kernels for the widest vectors of this chip, whichever BLIS runs.
fn widest() -> Option<Kernels> {
    if Avx512::is_here() {
        Some(Kernels::Skx)
    } else if Avx2::is_here() {
        Some(Kernels::Haswell)
    } else {
        None
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
    inner: usize,
    columns: usize,
    out: &mut [MaybeUninit<f32>],
) -> bool {
    match widest() {
        Some(Kernels::Skx) => packed_on::<Avx512>(x, panels, inner, columns, out),
        Some(Kernels::Haswell) => packed_on::<Avx2>(x, panels, inner, columns, out),
        None => return false,
    }
    true
}

/// [`packed_product`] on this kind of chip.
fn packed_on<C: Chip>(
    x: &[f32],
    panels: &[f32],
    inner: usize,
    columns: usize,
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
            let out = Target {
                at: out[left..].as_mut_ptr().cast(),
                down: columns,
            };
            let size = Size {
                rows,
                terms: inner,
                columns: wide,
            };
            C::block(x, right, size, false, out);
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

impl Walk {
    /// The same pattern, starting elsewhere.
    #[inline(always)]
    fn from(self, at: *const f32) -> Self {
        Self { at, ..self }
    }
}

/// The body of [`product`].
///
/// # Safety
///
/// [`Chip::is_here`] must be true, `a` and `b` must have this size inside their slices, and `out` must have room for all
/// cells, which are initialised if `before` is [`Before::Sums`].
#[inline(always)]
unsafe fn multiply<C: Chip>(
    a: Cells<'_>,
    b: Cells<'_>,
    size: Size,
    blocks: Blocks,
    before: Before,
    out: *mut f32,
    buffers: &mut Buffers,
) {
    let Size { rows, columns, .. } = size;
    for terms in blocks.ranges(size.terms) {
        let (first, count) = (terms.start, terms.len());
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
                unsafe {
                    pack_columns::<C>(b, terms.clone(), left..left + wide, &mut buffers.columns, 0)
                };
                Walk {
                    at: buffers.columns.as_ptr().cast(),
                    term: C::COLUMNS,
                    side: 1,
                    next: count * C::COLUMNS,
                }
            };
            for top in (0..rows).step_by(C::TALL) {
                let tall = C::TALL.min(rows - top);
                let left_side = if a.along <= C::NEAR {
                    let at = &a.data[top * a.down + first * a.along..];
                    Walk {
                        at: at.as_ptr(),
                        term: a.along,
                        side: a.down,
                        next: ROWS * a.down,
                    }
                } else {
                    // SAFETY: the caller guarantees that this chip is `C`.
                    unsafe { pack_rows::<C>(a, terms.clone(), top..top + tall, &mut buffers.rows) };
                    Walk {
                        at: buffers.rows.as_ptr(),
                        term: ROWS,
                        side: 1,
                        next: count * ROWS,
                    }
                };
                let size = Size {
                    rows: tall,
                    terms: count,
                    columns: wide,
                };
                // SAFETY: the walks cover these terms of `tall` rows and `wide` columns, which exist by the caller's
                // guarantee or because they were packed; `out` is `[rows, columns]`.
                unsafe {
                    let out = Target {
                        at: out.add(top * columns + left),
                        down: columns,
                    };
                    C::block(left_side, right, size, add, out);
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
    size: Size,
    blocks: Blocks,
    out: *mut f32,
    buffers: &mut Buffers,
) {
    let Size { rows, columns, .. } = size;
    let (panels, sums) = (&mut buffers.columns, &mut buffers.rows);
    let wide = rows.next_multiple_of(C::COLUMNS);
    for terms in blocks.ranges(size.terms) {
        let begin = terms.start * wide / LINE;
        // SAFETY: the caller guarantees that this chip is `C`.
        unsafe { pack_columns::<C>(a.turned(), terms, 0..rows, panels, begin) };
    }
    if sums.len() < TOGETHER * wide {
        sums.resize(TOGETHER * wide, 0.0);
    }
    for left in (0..columns).step_by(TOGETHER) {
        let tall = TOGETHER.min(columns - left);
        for terms in blocks.ranges(size.terms) {
            let (first, count) = (terms.start, terms.len());
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
                next: count * C::COLUMNS,
            };
            let size = Size {
                rows: tall,
                terms: count,
                columns: wide,
            };
            // SAFETY: `b` has these terms of `tall` columns by the caller's guarantee, `wide` rows were packed
            // (zero-padded), and `sums` has room for `tall · wide` cells.
            unsafe {
                let to = Target {
                    at: sums.as_mut_ptr(),
                    down: wide,
                };
                C::block(columns, rows, size, first > 0, to);
            }
        }
        for column in (0..tall).step_by(C::LANES) {
            let count = C::LANES.min(tall - column);
            for row in (0..rows).step_by(C::LANES) {
                let from = Cells {
                    data: &sums[column * wide + row..],
                    down: wide,
                    along: 1,
                };
                // SAFETY: `out` is `[rows, columns]`, and neither count goes beyond the last row or column.
                unsafe {
                    let to = Target {
                        at: out.add(row * columns + left + column),
                        down: columns,
                    };
                    C::turn(from, count, C::LANES.min(rows - row), to, count);
                }
            }
        }
    }
}

/// Computes the products of rows and columns over their terms, tile by tile.
///
/// # Safety
///
/// [`Chip::is_here`] must be true, the walks must cover these rows, columns and terms, and `out` must have room for the
/// products; with `add`, it is initialised.
#[inline(always)]
unsafe fn block<C: Chip>(a: Walk, b: Walk, size: Size, add: bool, out: Target) {
    for (strip, top) in (0..size.rows).step_by(ROWS).enumerate() {
        for (panel, left) in (0..size.columns).step_by(C::COLUMNS).enumerate() {
            let tile = Size {
                rows: ROWS.min(size.rows - top),
                columns: C::COLUMNS.min(size.columns - left),
                ..size
            };
            // SAFETY: the tile lies inside the rows, columns and terms that the caller guarantees.
            unsafe {
                let a = a.from(a.at.add(strip * a.next));
                let b = b.from(b.at.add(panel * b.next));
                let at = out.at.add(top * out.down + left);
                C::tile(a, b, tile, add, Target { at, ..out });
            }
        }
    }
}

/// Computes a tile of `R` rows and `V` vectors of sums; with `CUT`, only the cells in `last` of the last vector. See
/// [`block`] for the safety requirements.
#[inline(always)]
unsafe fn tile<C: Chip, const R: usize, const V: usize, const CUT: bool>(
    mut a: Walk,
    mut b: Walk,
    terms: usize,
    add: bool,
    out: Target,
    last: C::Mask,
) {
    let is_cut = |v| CUT && v == V - 1;
    for r in 0..R {
        fetch(out.at.wrapping_add(r * out.down), V * C::LANES);
    }
    let mut ahead = a.at.wrapping_add(a.next);
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
                let at = b.at.wrapping_add(v * C::LANES);
                // Packed columns are padded with zeros.
                *right = if C::READS_PARTS {
                    load(at, v)
                } else {
                    C::load(at)
                };
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let left = C::all(a.at.wrapping_add(r.wrapping_mul(a.side)));
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = C::multiply_add(left, right, *sum);
                }
            }
            // After the last term these point past the end and are not read.
            a = a.from(a.at.wrapping_add(a.term));
            b = b.from(b.at.wrapping_add(b.term));
        }
        for (r, sums) in sums.into_iter().enumerate() {
            for (v, mut sum) in sums.into_iter().enumerate() {
                let at = out.at.wrapping_add(r * out.down + v * C::LANES);
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
