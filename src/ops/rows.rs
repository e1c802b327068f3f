//! The first rows of a table: `y = x[..n, :]`, or of a table `[1, rows, d]`, `x[:, ..n, :]`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::Tensor;

struct Rows;

impl Var {
    // ANCHOR: forward
    /// The first `n` entries of the axis before the last. Panics if there are fewer.
    #[track_caller]
    pub fn rows(&self, n: usize) -> Var {
        let x = self.value();
        let mut shape = x.shape().to_vec();
        let axis = shape.len() - 2;
        assert!(
            n <= shape[axis],
            "rows: {n} rows of a table that has {}",
            shape[axis]
        );
        let (before, width) = (shape[axis], x.last());
        shape[axis] = n;
        let tables = x.data().chunks(before * width);
        let y = tables
            .flat_map(|table| &table[..n * width])
            .copied()
            .collect();
        self.tape().record(Rows, &[self], Tensor::new(&shape, y))
    }
    // ANCHOR_END: forward
}

impl Op for Rows {
    fn name(&self) -> &'static str {
        "rows"
    }

    // ANCHOR: backward
    // forward copied the first rows, so the others get no gradient
    fn backward(&self, inputs: &[Tensor], y: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let mut dx = Tensor::zeros(inputs[0].shape());
        let (rank, width) = (y.rank(), y.last());
        let (all, kept) = (
            inputs[0].shape()[rank - 2] * width,
            y.shape()[rank - 2] * width,
        );
        for (dx, dy) in dx.data_mut().chunks_mut(all).zip(dy.data().chunks(kept)) {
            dx[..kept].copy_from_slice(dy);
        }
        vec![Some(dx)]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("x").cell("x", 0, &inputs[0], index)
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
        check::op(&[check::normal(&[2, 5, 3])], |_, v| v[0].rows(4));
    }
}
