//! A chip whose vectors are arrays, with the sizes of AVX-512, so that those loops are tested on every machine.

use super::super::chip::Chip;
use super::super::{
    Avx512, Before, Blocks, Buffers, Cells, ROWS, Size, Target, Walk, block, multiply,
    multiply_turned, tile,
};

pub struct Plain;

const LANES: usize = Avx512::LANES;

impl Chip for Plain {
    type Vector = [f32; LANES];
    /// The number of cells, counted from the first.
    type Mask = usize;

    const LANES: usize = LANES;
    const COLUMNS: usize = Avx512::COLUMNS;
    const TERMS: usize = Avx512::TERMS;
    const MOST: usize = Avx512::MOST;
    const WIDE: usize = Avx512::WIDE;
    const TALL: usize = Avx512::TALL;
    const NEAR: usize = Avx512::NEAR;
    const READS_PARTS: bool = Avx512::READS_PARTS;

    fn is_here() -> bool {
        true
    }

    unsafe fn zeros() -> Self::Vector {
        [0.0; LANES]
    }

    unsafe fn all(at: *const f32) -> Self::Vector {
        // SAFETY: the caller guarantees a readable cell at `at`.
        [unsafe { at.read() }; LANES]
    }

    unsafe fn load(at: *const f32) -> Self::Vector {
        // SAFETY: the caller guarantees `LANES` readable cells at `at`; an array of f32 is aligned like one.
        unsafe { at.cast::<Self::Vector>().read() }
    }

    unsafe fn load_part(at: *const f32, count: usize) -> Self::Vector {
        let mut x = [0.0; LANES];
        // SAFETY: the caller guarantees `count` readable cells at `at`, and the slice has as many.
        unsafe { at.copy_to(x[..count].as_mut_ptr(), count) };
        x
    }

    unsafe fn store(at: *mut f32, x: Self::Vector) {
        // SAFETY: the caller guarantees `LANES` writable cells at `at`; an array of f32 is aligned like one.
        unsafe { at.cast::<Self::Vector>().write(x) };
    }

    unsafe fn store_part(at: *mut f32, count: usize, x: Self::Vector) {
        // SAFETY: the caller guarantees `count` writable cells at `at`, and the slice has as many.
        unsafe { at.copy_from(x[..count].as_ptr(), count) };
    }

    unsafe fn add(x: Self::Vector, y: Self::Vector) -> Self::Vector {
        std::array::from_fn(|i| x[i] + y[i])
    }

    unsafe fn multiply_add(x: Self::Vector, y: Self::Vector, sum: Self::Vector) -> Self::Vector {
        std::array::from_fn(|i| x[i].mul_add(y[i], sum[i]))
    }

    unsafe fn copy_rows(from: *const f32, count: usize, to: *mut f32) {
        // SAFETY: the caller guarantees `count` readable cells at `from` and `ROWS` writable ones at `to`.
        unsafe { from.copy_to(to, count) };
        // SAFETY: the `ROWS - count` cells after those just written belong to the same `ROWS`.
        unsafe { to.add(count).write_bytes(0, ROWS - count) };
    }

    unsafe fn turn(from: Cells<'_>, rows: usize, count: usize, to: Target, kept: usize) {
        for column in 0..count {
            for row in 0..kept {
                let cell = if row < rows {
                    from.data[row * from.down + column]
                } else {
                    0.0
                };
                // SAFETY: the caller guarantees room at `to` for `count` rows of `kept` cells.
                unsafe { to.at.add(column * to.down + row).write(cell) };
            }
        }
    }

    unsafe fn multiply(
        a: Cells<'_>,
        b: Cells<'_>,
        size: Size,
        blocks: Blocks,
        before: Before,
        out: *mut f32,
        buffers: &mut Buffers,
    ) {
        // SAFETY: the requirements are the caller's own.
        unsafe { multiply::<Self>(a, b, size, blocks, before, out, buffers) }
    }

    unsafe fn multiply_turned(
        a: Cells<'_>,
        b: Cells<'_>,
        size: Size,
        blocks: Blocks,
        out: *mut f32,
        buffers: &mut Buffers,
    ) {
        // SAFETY: the requirements are the caller's own.
        unsafe { multiply_turned::<Self>(a, b, size, blocks, out, buffers) }
    }

    unsafe fn block(a: Walk, b: Walk, size: Size, add: bool, out: Target) {
        // SAFETY: the requirements are the caller's own.
        unsafe { block::<Self>(a, b, size, add, out) }
    }

    /// Computes the tile row by row and vector by vector, with its own strides, masks and order of terms.
    unsafe fn tile(a: Walk, b: Walk, size: Size, add: bool, out: Target) {
        let terms = size.terms;
        for row in 0..size.rows {
            for left in (0..size.columns).step_by(LANES) {
                let cells = LANES.min(size.columns - left);
                // SAFETY: the row and the vector lie inside the tile that the caller guarantees.
                unsafe {
                    let a = a.from(a.at.add(row * a.side));
                    let b = b.from(b.at.add(left));
                    let at = out.at.add(row * out.down + left);
                    let out = Target { at, ..out };
                    if cells == LANES {
                        tile::<Self, 1, 1, false>(a, b, terms, add, out, cells);
                    } else {
                        tile::<Self, 1, 1, true>(a, b, terms, add, out, cells);
                    }
                }
            }
        }
    }
}
