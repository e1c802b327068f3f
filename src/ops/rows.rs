//! Some rows of a table: `y = x[first..first + n, :]`, or of a table `[1, rows, d]` the same along its
//! axis before the last.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::Tensor;

struct Rows {
    first: usize,
}

impl Var {
    // ANCHOR: forward
    /// The first `n` entries of the axis before the last. Panics if there are fewer.
    #[track_caller]
    pub fn rows(&self, n: usize) -> Var {
        self.rows_from(0, n)
    }

    /// `n` entries of the axis before the last, from `first` on. Panics if there are fewer.
    #[track_caller]
    pub fn rows_from(&self, first: usize, n: usize) -> Var {
        let x = self.value();
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
        self.tape()
            .record(Rows { first }, &[self], Tensor::new(&shape, y))
    }
    // ANCHOR_END: forward

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

    fn again(&self, inputs: &[Var], output: &Tensor) -> Var {
        inputs[0].rows_from(self.first, output.shape()[output.rank() - 2])
    }

    // ANCHOR: backward
    // forward copied some rows, so the others get no gradient
    fn backward(&self, inputs: &[Tensor], y: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let mut dx = Tensor::zeros(inputs[0].shape());
        let (rank, width) = (y.rank(), y.last());
        let (all, kept) = (
            inputs[0].shape()[rank - 2] * width,
            y.shape()[rank - 2] * width,
        );
        for (dx, dy) in dx.data_mut().chunks_mut(all).zip(dy.data().chunks(kept)) {
            let first = self.first * width;
            dx[first..first + kept].copy_from_slice(dy);
        }
        vec![Some(dx)]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        let mut from = index.to_vec();
        from[index.len() - 2] += self.first;
        Explanation::new("x").cell("x", 0, &inputs[0], &from)
    }

    fn flops(&self, _: &[Tensor], _: &Tensor) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn rows_and_its_gradient() {
        check::op(&[check::normal(&[5, 3])], |_, v| v[0].rows(2));
        check::op(&[check::normal(&[2, 5, 3])], |_, v| v[0].rows_from(1, 3));
    }
}
