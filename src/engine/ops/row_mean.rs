//! The mean of every row of the last axis: `y = Σ_i x_i / n`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor, vector};

struct RowMean;

impl Var {
    /// The mean of each row of the last axis, which stays as an axis of size 1: `[…, n]` → `[…, 1]`.
    pub fn row_mean(&self) -> Var {
        self.apply(RowMean, &[])
    }
}

/// The shape of a tensor with one number per row of `x`.
pub(super) fn one_a_row(x: &Tensor) -> Vec<usize> {
    let mut shape = x.shape().to_vec();
    *shape.last_mut().expect("a row is the last axis") = 1;
    shape
}

/// Adds the cells of the row of input 0 from which the cell at `index` was computed to an explanation, in this role.
pub(super) fn row(
    explanation: Explanation,
    role: &'static str,
    x: &Tensor,
    index: &[usize],
) -> Explanation {
    let mut at = index.to_vec();
    (0..x.last()).fold(explanation, |explanation, i| {
        *at.last_mut().expect("a row is the last axis") = i;
        explanation.cell(role, 0, x, &at)
    })
}

/// The axes of the input; the last, now of size 1, has no name.
pub(super) fn axes(inputs: &[Axes]) -> Axes {
    let mut axes = inputs[0].clone();
    *axes.last_mut().expect("a row is the last axis") = "";
    axes
}

impl Op for RowMean {
    fn name(&self) -> &'static str {
        "row_mean"
    }

    // ANCHOR: forward
    // y = Σ x_i / n, row by row: […, n] → […, 1]
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let x = &inputs[0];
        let rows = x.data().chunks(x.last().max(1));
        let means = rows.map(|row| vector::sum(row) / row.len() as f32);
        Tensor::new(&one_a_row(x), means.collect())
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = Σ x_i / n, so every dx_i of the row is dy / n
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let n = run.inputs[0].last();
        let share = |&d: &f32| std::iter::repeat_n(d / n as f32, n);
        let dx = dy.data().iter().flat_map(share).collect();
        vec![Some(Tensor::new(run.inputs[0].shape(), dx))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        row(Explanation::new("mean(x)"), "x", &run.inputs[0], index)
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        axes(inputs)
    }

    fn flops(&self, inputs: &[Tensor], _: &Tensor) -> u64 {
        inputs[0].len() as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::rows(Var::row_mean)
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn a_batch_of_rows_has_one_mean_a_row() {
        check::op(&[check::normal(&[3, 2, 4])], |_, v| {
            assert_eq!(v[0].row_mean().shape(), [3, 2, 1]);
            v[0].row_mean()
        });
    }
}
