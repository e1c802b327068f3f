//! Matrix products; only this module calls the BLAS.

use std::mem::MaybeUninit;

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, Axis};

use super::small::Before;
use super::{Tensor, blas, panels, portable, shared, threads};

/// Smallest number of multiplications for which a product is shared among threads; below it, starting them costs more
/// than it saves.
const PARALLEL: usize = 1 << 24;

/// Largest number of multiplications for which a product is [`portable`]. The lessons' training runs, which finish
/// within a key press, need no larger products, so they give the same bits on every machine and every learner sees the
/// numbers that the text states.
const PORTABLE: usize = 1 << 22;

// ANCHOR: forward
/// `a · b` over the last two axes: `[…, n, k] · […, k, m]` is `[…, n, m]`.
///
/// A `b` of rank 2 multiplies every matrix of `a`; otherwise the leading axes must be equal.
/// Panics if the inner sizes differ.
#[track_caller]
pub fn matmul(a: &Tensor, b: &Tensor) -> Tensor {
    product(a, b, false)
}

/// `a · bᵀ` over the last two axes: `[…, n, k] · […, m, k]` is `[…, n, m]`. See [`matmul`].
#[track_caller]
pub fn matmul_t(a: &Tensor, b: &Tensor) -> Tensor {
    product(a, b, true)
}
// ANCHOR_END: forward

/// `aᵀ · b` over the last two axes, summed over all leading axes: `[…, n, k] · […, n, m]` is `[k, m]`.
/// This is the gradient of a weight that all rows share.
#[track_caller]
pub fn matmul_tn_sum(a: &Tensor, b: &Tensor) -> Tensor {
    let (a, b) = over_rows(a, b);
    Tensor::new(&[a.nrows(), b.ncols()], shared_gemm(a, b))
}

/// Adds `aᵀ · b`, as in [`matmul_tn_sum`], to `sum`, the gradient of a weight, on this thread.
#[track_caller]
pub fn add_matmul_tn(a: &Tensor, b: &Tensor, sum: &mut Tensor) {
    let (a, b) = over_rows(a, b);
    assert!(
        sum.shape() == [a.nrows(), b.ncols()],
        "matmul: a sum of shape {:?}, and a product of {:?} and {:?}",
        sum.shape(),
        a.dim(),
        b.dim()
    );
    product_into(a, b, 1.0, sum.data_mut());
}

/// `aᵀ` and `b` as matrices, with all leading axes merged into the rows.
#[track_caller]
fn over_rows<'a>(a: &'a Tensor, b: &'a Tensor) -> (ArrayView2<'a, f32>, ArrayView2<'a, f32>) {
    let (k, m) = (a.last(), b.last());
    let rows = a.len() / k.max(1);
    assert!(
        rows == b.len() / m.max(1),
        "matmul: {:?} and {:?} have different numbers of rows",
        a.shape(),
        b.shape()
    );
    let a = matrix(a.data(), rows, k).reversed_axes();
    (a, matrix(b.data(), rows, m))
}

#[track_caller]
fn product(a: &Tensor, b: &Tensor, transposed: bool) -> Tensor {
    assert!(
        a.rank() >= 2 && b.rank() >= 2,
        "matmul: {:?} and {:?} must have two axes or more",
        a.shape(),
        b.shape()
    );
    let (n, k) = (a.shape()[a.rank() - 2], a.last());
    let (rows, columns) = (b.shape()[b.rank() - 2], b.last());
    let (inner, m) = if transposed {
        (columns, rows)
    } else {
        (rows, columns)
    };
    assert!(
        k == inner,
        "matmul: {:?} and {:?}{}: the inner sizes {k} and {inner} must be equal",
        a.shape(),
        b.shape(),
        if transposed { " transposed" } else { "" }
    );
    let leading = &a.shape()[..a.rank() - 2];
    let shape = [leading, &[n, m]].concat();
    let right = |data| {
        let b = matrix(data, rows, columns);
        if transposed { b.reversed_axes() } else { b }
    };
    if b.rank() == 2 {
        // All rows share one weight: one large product instead of many small ones.
        let all = leading.iter().product::<usize>() * n;
        let out = shared_gemm(matrix(a.data(), all, k), right(b.data()));
        Tensor::new(&shape, out)
    } else {
        assert!(
            leading == &b.shape()[..b.rank() - 2],
            "matmul: {:?} and {:?}: the leading axes must be equal",
            a.shape(),
            b.shape()
        );
        let cells = shape.iter().product();
        if cells == 0 || k == 0 {
            return Tensor::zeros(&shape);
        }
        let matrices = a.data().chunks(n * k).zip(b.data().chunks(rows * columns));
        let multiply = |out: &mut [MaybeUninit<f32>]| {
            for ((a, b), out) in matrices.zip(out.chunks_mut(n * m)) {
                gemm(matrix(a, n, k), right(b), out);
            }
        };
        // SAFETY: the chunks cover `out`, `a` and `b` have a matrix for each, and `gemm` writes its whole chunk.
        let out = unsafe { filled(cells, multiply) };
        Tensor::new(&shape, out)
    }
}

/// Computes `out = before · out + a · b` on this thread. Every matrix product of the program goes through this function
/// or [`product_in`].
pub fn product_into(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, before: f32, out: &mut [f32]) {
    if is_small(a, b) {
        return small(a, b, before, out);
    }
    if !with_panels(panels::product, a, b, before, out) {
        blas_into(a, b, before, out);
    }
}

/// Computes a product that [`is_small`] with the fastest kernel that gives the same bits as [`portable`].
fn small(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, before: f32, out: &mut [f32]) {
    let done = portable::few(a, b, before, out) || with_panels(panels::in_order, a, b, before, out);
    if !done {
        portable::packed(a, b, before, out);
    }
}

/// A function that computes `a · b`, added to `out` or replacing it, or returns `false` and does nothing.
type Panels = fn(ArrayView2<'_, f32>, ArrayView2<'_, f32>, Before, &mut [MaybeUninit<f32>]) -> bool;

/// Computes `out = before · out + a · b` with `panels` if `before` is 0 or 1 and `panels` accepts the product;
/// otherwise returns `false` and does nothing.
fn with_panels(
    panels: Panels,
    a: ArrayView2<'_, f32>,
    b: ArrayView2<'_, f32>,
    before: f32,
    out: &mut [f32],
) -> bool {
    let sums = match before {
        0.0 => Before::Nothing,
        1.0 => Before::Sums,
        _ => return false,
    };
    // SAFETY: `MaybeUninit<f32>` has the layout of `f32`, the borrow of `out` is exclusive, and `panels` writes only
    // initialised numbers, so `out` holds numbers again afterwards.
    let cells = unsafe { &mut *(&raw mut *out as *mut [MaybeUninit<f32>]) };
    panels(a, b, sums, cells)
}

/// Computes `a · b` into `out`, which grows if necessary. Its previous contents are lost, and nothing is cleared first.
pub fn product_in(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, out: &mut Vec<f32>) {
    let cells = a.nrows() * b.ncols();
    out.clear();
    out.reserve(cells);
    // SAFETY: `gemm` writes every cell of the slice that it is given.
    unsafe { fill(out, cells, |out| gemm(a, b, out)) };
}

/// Number of columns per panel in the weights that [`packed`] takes on this chip: a multiple of [`PANEL`].
pub(crate) fn panel() -> usize {
    let columns = panels::packed_columns().unwrap_or(PANEL);
    debug_assert!(columns.is_multiple_of(PANEL));
    columns
}

/// Smallest number of columns per panel.
pub(crate) const PANEL: usize = 16;

/// `x · weights`, `[rows, columns]`, for `x [rows, inner]` and zero-padded `weights [columns / panel, inner, panel]`,
/// on this thread; `panel` is the result of [`panel`]. If we have no kernel for this chip, `otherwise` multiplies into
/// zeros.
pub(crate) fn packed(
    x: &[f32],
    weights: &[f32],
    inner: usize,
    columns: usize,
    otherwise: impl FnOnce(&mut [f32]),
) -> Vec<f32> {
    let cells = x.len() / inner.max(1) * columns;
    let multiply = |out: &mut [MaybeUninit<f32>]| {
        if !panels::packed_product(x, weights, inner, columns, out) {
            otherwise(cleared(out));
        }
    };
    // SAFETY: `packed_product` writes every cell or returns `false`, and then all of them are cleared.
    unsafe { filled(cells, multiply) }
}

/// Returns a vector of `cells` numbers that `write` puts into uncleared memory.
///
/// # Safety
///
/// `write` must initialise every cell that it is given.
unsafe fn filled(cells: usize, write: impl FnOnce(&mut [MaybeUninit<f32>])) -> Vec<f32> {
    let mut out = Vec::with_capacity(cells);
    // SAFETY: the caller guarantees that `write` initialises every cell.
    unsafe { fill(&mut out, cells, write) };
    out
}

/// Fills `out`, which must be empty and have room, with `cells` numbers. Panics if there is no room.
///
/// # Safety
///
/// `write` must initialise every cell that it is given.
unsafe fn fill(out: &mut Vec<f32>, cells: usize, write: impl FnOnce(&mut [MaybeUninit<f32>])) {
    let room = &mut out.spare_capacity_mut()[..cells];
    if cfg!(test) {
        // A cell that is not written stays NaN and fails the test that reads it.
        room.fill(MaybeUninit::new(f32::NAN));
    }
    write(room);
    // SAFETY: slicing the spare capacity has checked that there is room, and `write` has initialised all of it.
    unsafe { out.set_len(cells) };
}

/// True if the product must have the same bits on every chip.
fn is_small(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>) -> bool {
    a.nrows() * a.ncols() * b.ncols() <= PORTABLE
}

fn blas_into(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, before: f32, out: &mut [f32]) {
    blas::prepare();
    let shape = (a.nrows(), b.ncols());
    let mut out =
        ArrayViewMut2::from_shape(shape, out).expect("the caller gives rows · columns cells");
    general_mat_mul(1.0, &a, &b, before, &mut out);
}

/// A view of row-major cells as a matrix. Panics if the sizes differ.
pub fn matrix(data: &[f32], rows: usize, columns: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((rows, columns), data).expect("sizes were computed from the shape")
}

/// `a · b`, with the rows shared among threads if that pays. Every cell is summed as on one thread, so the bits do not
/// depend on the number of threads.
fn shared_gemm(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>) -> Vec<f32> {
    let (rows, columns) = (a.nrows(), b.ncols());
    let multiply = |out: &mut [MaybeUninit<f32>]| {
        let threads = threads();
        if threads == 1 || rows < 2 || rows * a.ncols() * columns < PARALLEL {
            return gemm(a, b, out);
        }
        let share = rows.div_ceil(threads);
        let parts = a.axis_chunks_iter(Axis(0), share);
        let parts = parts.zip(out.chunks_mut(share * columns)).collect();
        // Call `large` even if a part would count as small, because the whole product does not.
        shared(parts, |(a, out)| large(a, b, out));
    };
    // SAFETY: the parts cover all of `out`, and each product writes every cell of its part.
    unsafe { filled(rows * columns, multiply) }
}

/// `out = a · b`. Writes every cell of `out`, which may be uninitialised.
fn gemm(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, out: &mut [MaybeUninit<f32>]) {
    if is_small(a, b) {
        small(a, b, 0.0, cleared(out))
    } else {
        large(a, b, out)
    }
}

/// [`gemm`] of a product that is not [`is_small`], or a part of one.
fn large(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, out: &mut [MaybeUninit<f32>]) {
    if !panels::product(a, b, Before::Nothing, out) {
        blas_into(a, b, 0.0, cleared(out));
    }
}

/// Fills the cells with zeros, for callees that need initialised memory.
fn cleared(out: &mut [MaybeUninit<f32>]) -> &mut [f32] {
    out.fill(MaybeUninit::new(0.0));
    // SAFETY: `MaybeUninit<f32>` has the layout of `f32`, and `fill` has just initialised every cell.
    unsafe { &mut *(&raw mut *out as *mut [f32]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: three nested loops.
    fn naive(a: &Tensor, b: &Tensor) -> Tensor {
        let (n, k, m) = (a.shape()[0], a.shape()[1], b.shape()[1]);
        Tensor::from_fn(&[n, m], |i| {
            (0..k).map(|j| a.at(&[i[0], j]) * b.at(&[j, i[1]])).sum()
        })
    }

    fn numbers(shape: &[usize]) -> Tensor {
        // Small whole numbers: their products and sums are exact in f32, so results must be equal.
        Tensor::from_fn(shape, |i| {
            ((i.iter().fold(7, |h, &x| h * 31 + x) % 13) as f32) - 6.0
        })
    }

    #[test]
    fn products_of_all_sizes_equal_the_three_loops() {
        for (n, k, m) in [
            (1, 1, 1),
            (2, 6, 2),
            (10, 64, 11),
            (33, 40, 65),
            (128, 7, 3),
        ] {
            let (a, b) = (numbers(&[n, k]), numbers(&[k, m]));
            assert_eq!(matmul(&a, &b), naive(&a, &b), "{n} {k} {m}");
            assert_eq!(matmul_t(&a, &b.transpose()), naive(&a, &b), "{n} {k} {m}");
        }
    }

    #[test]
    fn a_product_shared_among_threads_has_the_bits_of_one() {
        let (n, k, m) = (301, 200, 310);
        let numbers = |rows, columns| crate::tensor::random::normal(&[rows, columns], 1.0, 3, "x");
        let (a, b) = (numbers(n, k), numbers(k, m));
        assert!(n * k * m >= PARALLEL);
        let alone = super::super::alone(|| matmul(&a, &b));
        assert_eq!(matmul(&a, &b), alone);
        let a = a.transpose();
        let alone = super::super::alone(|| matmul_tn_sum(&a, &b));
        assert_eq!(matmul_tn_sum(&a, &b), alone);
    }

    #[test]
    fn batches_multiply_matrix_by_matrix() {
        let (a, b) = (numbers(&[3, 2, 4, 5]), numbers(&[3, 2, 5, 6]));
        let c = matmul(&a, &b);
        assert_eq!(c.shape(), [3, 2, 4, 6]);
        let part = |x: &Tensor, n: usize| {
            let size = x.shape()[2] * x.shape()[3];
            Tensor::new(&x.shape()[2..], x.data()[n * size..(n + 1) * size].to_vec())
        };
        for n in 0..6 {
            assert_eq!(part(&c, n), naive(&part(&a, n), &part(&b, n)));
        }
    }

    #[test]
    fn the_gradient_of_a_shared_weight_sums_over_all_rows() {
        let (x, dy) = (numbers(&[2, 3, 4]), numbers(&[2, 3, 5]));
        let expected = naive(&x.reshape(&[6, 4]).transpose(), &dy.reshape(&[6, 5]));
        assert_eq!(matmul_tn_sum(&x, &dy), expected);
    }

    #[test]
    #[should_panic(expected = "the inner sizes 3 and 4 must be equal")]
    fn inner_sizes_that_differ_are_named() {
        matmul(&Tensor::zeros(&[2, 3]), &Tensor::zeros(&[4, 2]));
    }
}
