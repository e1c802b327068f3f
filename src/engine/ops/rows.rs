//! A range of rows of a table: `y = x[first..first + n, :]`. For a table `[1, rows, d]`, the range applies
//! to the axis before the last.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct Rows {
    first: usize,
    n: usize,
}

impl Var {
    /// The first `n` entries of the axis before the last. Panics if there are fewer.
    #[track_caller]
    pub fn rows(&self, n: usize) -> Var {
        self.rows_from(0, n)
    }

    /// `n` entries of the axis before the last, starting at `first`. Panics if there are fewer.
    #[track_caller]
    pub fn rows_from(&self, first: usize, n: usize) -> Var {
        self.apply(Rows { first, n }, &[])
    }

    /// The last position of `[batch, length, d]`, as `[batch, 1, d]`.
    #[track_caller]
    pub fn last_position(&self) -> Var {
        let shape = self.shape();
        assert!(
            shape.len() == 3 && shape[1] > 0,
            "last_position: {shape:?} has none"
        );
        self.rows_from(shape[1] - 1, 1)
    }
}

impl Op for Rows {
    fn name(&self) -> &'static str {
        "rows"
    }

    // ANCHOR: forward
    // `n` entries of the axis before the last, starting at `first`.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let (x, &Rows { first, n }) = (&inputs[0], self);
        let mut shape = x.shape().to_vec();
        let axis = shape.len() - 2;
        assert!(
            first + n <= shape[axis],
            "rows: {n} rows from {first} on, of a table that has {}",
            shape[axis]
        );
        let (before, width) = (shape[axis], x.last());
        shape[axis] = n;
        let tables = x.data().chunks(before * width);
        let y = tables
            .flat_map(|table| &table[first * width..(first + n) * width])
            .copied()
            .collect();
        Tensor::new(&shape, y)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward copied some rows, so the others get no gradient
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let y = run.output;
        let mut dx = Tensor::zeros(run.inputs[0].shape());
        let (rank, width) = (y.rank(), y.last());
        let (all, kept) = (
            run.inputs[0].shape()[rank - 2] * width,
            y.shape()[rank - 2] * width,
        );
        for (dx, dy) in dx.data_mut().chunks_mut(all).zip(dy.data().chunks(kept)) {
            let first = self.first * width;
            dx[first..first + kept].copy_from_slice(dy);
        }
        vec![Some(dx)]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let mut from = index.to_vec();
        from[index.len() - 2] += self.first;
        Explanation::new("x").cell("x", 0, &run.inputs[0], &from)
    }

    fn flops(&self, _: &[Tensor], _: &Tensor) -> u64 {
        0
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    let case = |about, shape: &[usize], part: fn(&Var) -> Var| {
        Case::new(about, [numbers(shape)], move |_, v| part(&v[0]))
    };
    vec![
        case("the first of a table", &[5, 3], |x| x.rows(2)),
        case("some in the middle", &[2, 5, 3], |x| x.rows_from(1, 3)),
        case("the last, of one sentence", &[1, 2, 3], Var::last_position),
    ]
}
