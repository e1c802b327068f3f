//! The vector units that [`panels`](super) has kernels for, and its loops compiled for each.

use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

use super::{Before, Blocks, Buffers, Cells, LINE, Size, Target, Walk};

/// A kind of chip: its vectors, the sizes that suit its registers and caches, and the loops compiled for it.
///
/// # Safety
///
/// The unsafe functions may be called only if [`Chip::is_here`] returns true, and every cell that they read or write
/// must be valid for that. Cells outside a mask are not accessed.
pub(super) trait Chip {
    /// [`Chip::LANES`] cells.
    type Vector: Copy;
    /// Which cells of a vector are read or written.
    type Mask: Copy;

    /// Cells of a vector.
    const LANES: usize;
    /// Columns of a tile: six rows of sums and their operands use all registers.
    const COLUMNS: usize;
    /// Terms per block, whose sum is then added to the one in memory: BLIS's `KC` for this chip.
    const TERMS: usize;
    /// Largest remainder that is summed as one block: BLIS's maximum `KC`.
    const MOST: usize;
    /// Columns that are packed together: with [`Chip::TERMS`] they fill a third to a half of the L2 cache.
    const WIDE: usize;
    /// Rows that are packed together.
    const TALL: usize;
    /// Largest stride from term to term at which a side is read in place. Terms further apart evict each other from the
    /// L1 cache.
    const NEAR: usize;
    /// True if columns that end inside a vector are read in place. They are packed instead where the mask would take a
    /// register that a sum needs.
    const READS_PARTS: bool;

    fn is_here() -> bool;

    unsafe fn zeros() -> Self::Vector;
    /// Broadcasts the cell to every lane. Takes a pointer rather than a number, because with debug assertions a read in
    /// this crate is checked, which costs an eighth of the loop.
    unsafe fn all(at: *const f32) -> Self::Vector;
    /// Loads a vector under a full mask, which the compiler removes again. With debug assertions, a plain load or store
    /// is a checked call and the sums around it are spilled to memory (53 instead of 90 GFLOP/s).
    unsafe fn load(at: *const f32) -> Self::Vector;
    /// Loads the cells in the mask; the others are zero and not read.
    unsafe fn load_part(at: *const f32, mask: Self::Mask) -> Self::Vector;
    unsafe fn store(at: *mut f32, x: Self::Vector);
    unsafe fn store_part(at: *mut f32, mask: Self::Mask, x: Self::Vector);
    unsafe fn add(x: Self::Vector, y: Self::Vector) -> Self::Vector;
    /// `x · y + sum`, rounded once.
    unsafe fn multiply_add(x: Self::Vector, y: Self::Vector, sum: Self::Vector) -> Self::Vector;

    /// Copies `count` contiguous cells, padded with zeros to [`ROWS`](super::ROWS).
    unsafe fn copy_rows(from: *const f32, count: usize, to: *mut f32);

    /// Transposes `rows` rows of `count` contiguous cells, both at most [`Chip::LANES`], into `count` rows at `to`.
    /// Writes `kept` cells of each, padded with zeros; `to` must have room for them.
    unsafe fn turn(from: Cells<'_>, rows: usize, count: usize, to: Target, kept: usize);

    /// [`multiply`](super::multiply).
    unsafe fn multiply(
        a: Cells<'_>,
        b: Cells<'_>,
        size: Size,
        blocks: Blocks,
        before: Before,
        out: *mut f32,
        buffers: &mut Buffers,
    );

    /// [`multiply_turned`](super::multiply_turned).
    unsafe fn multiply_turned(
        a: Cells<'_>,
        b: Cells<'_>,
        size: Size,
        blocks: Blocks,
        out: *mut f32,
        buffers: &mut Buffers,
    );

    /// [`block`](super::block).
    unsafe fn block(a: Walk, b: Walk, size: Size, add: bool, out: Target);

    /// Computes one tile over the terms that start at `a` and `b`, optionally added to `out`.
    unsafe fn tile(a: Walk, b: Walk, size: Size, add: bool, out: Target);
}

/// The loops of a [`Chip`], compiled with these features, and its tiles with these numbers of vectors.
macro_rules! compiled {
    ($features:literal, $($vectors:literal)*) => {
        #[target_feature(enable = $features)]
        unsafe fn multiply(
            a: Cells<'_>,
            b: Cells<'_>,
            size: Size,
            blocks: Blocks,
            before: Before,
            out: *mut f32,
            buffers: &mut Buffers,
        ) {
            // SAFETY: the requirements are the caller's own, and this is `Self`'s chip.
            unsafe { panels::multiply::<Self>(a, b, size, blocks, before, out, buffers) }
        }

        #[target_feature(enable = $features)]
        unsafe fn multiply_turned(
            a: Cells<'_>,
            b: Cells<'_>,
            size: Size,
            blocks: Blocks,
            out: *mut f32,
            buffers: &mut Buffers,
        ) {
            // SAFETY: the requirements are the caller's own, and this is `Self`'s chip.
            unsafe { panels::multiply_turned::<Self>(a, b, size, blocks, out, buffers) }
        }

        #[target_feature(enable = $features)]
        unsafe fn block(a: Walk, b: Walk, size: Size, add: bool, out: Target) {
            // SAFETY: the requirements are the caller's own, and this is `Self`'s chip.
            unsafe { panels::block::<Self>(a, b, size, add, out) }
        }

        #[target_feature(enable = $features)]
        unsafe fn tile(a: Walk, b: Walk, size: Size, add: bool, out: Target) {
            /// One function per size of tile.
            #[target_feature(enable = $features)]
            unsafe fn tile<C: Chip, const R: usize, const V: usize, const CUT: bool>(
                a: Walk,
                b: Walk,
                terms: usize,
                add: bool,
                out: Target,
                last: C::Mask,
            ) {
                // SAFETY: the requirements are the caller's own.
                unsafe { panels::tile::<C, R, V, CUT>(a, b, terms, add, out, last) }
            }

            let Size { rows, terms, columns } = size;
            let vectors = columns.div_ceil(Self::LANES);
            let cells = columns - (vectors - 1) * Self::LANES;
            let last = Self::mask(cells);
            macro_rules! of_rows {
                ($v:literal: $r:literal) => {
                    // SAFETY: the requirements are the caller's own, and `last` ends at the last column of the tile.
                    unsafe {
                        match cells == Self::LANES {
                            true => tile::<Self, $r, $v, false>(a, b, terms, add, out, last),
                            false => tile::<Self, $r, $v, true>(a, b, terms, add, out, last),
                        }
                    }
                };
            }
            match (rows, vectors) {
                $(
                    (1, $vectors) => of_rows!($vectors: 1),
                    (2, $vectors) => of_rows!($vectors: 2),
                    (3, $vectors) => of_rows!($vectors: 3),
                    (4, $vectors) => of_rows!($vectors: 4),
                    (5, $vectors) => of_rows!($vectors: 5),
                    (6, $vectors) => of_rows!($vectors: 6),
                )*
                _ => unreachable!("a tile of {rows} rows and {columns} columns"),
            }
        }
    };
}

mod avx2;
mod avx512;

pub(super) use avx2::Avx2;
pub(super) use avx512::Avx512;

/// Prefetches the cache lines of the `cells` cells from `at` on, which need not exist.
#[inline(always)]
pub(super) fn fetch(at: *const f32, cells: usize) {
    for first in (0..cells).step_by(LINE) {
        let at = at.wrapping_add(first);
        // SAFETY: every x86-64 chip has the instruction, and prefetching an invalid address does nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
}
