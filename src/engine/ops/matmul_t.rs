//! Matrix product with the second factor transposed: `y[…, n, m] = Σ_k a[…, n, k] · b[…, m, k]`.
//!
//! Each cell is the dot product of two rows, as for queries and keys, or for a linear layer with its weight stored as
//! in PyTorch.

use crate::autograd::{Combination, Explanation, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor, matmul};

struct MatmulT;

impl Var {
    /// `self · otherᵀ`: `[…, n, k] · […, m, k]` is `[…, n, m]`. If `other` is a matrix, the whole batch shares it.
    #[track_caller]
    pub fn matmul_t(&self, other: &Var) -> Var {
        self.apply(MatmulT, &[other])
    }
}

impl Op for MatmulT {
    fn name(&self) -> &'static str {
        "matmul_t"
    }

    // ANCHOR: forward
    // y = a bᵀ: […, n, k] · […, m, k] is […, n, m]; if b is a matrix, the whole batch shares it.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        matmul::matmul_t(&inputs[0], &inputs[1])
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = a bᵀ, so da = dy b and db = dyᵀ a
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (a, b) = (&run.inputs[0], &run.inputs[1]);
        let da = matmul::matmul(dy, b);
        let db = if b.rank() == 2 {
            matmul::matmul_tn_sum(dy, a)
        } else {
            matmul::matmul(&dy.transpose(), a)
        };
        vec![Some(da), Some(db)]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let (a, b) = (&run.inputs[0], &run.inputs[1]);
        let (leading, last) = index.split_at(index.len() - 2);
        let batch = if b.rank() == 2 { &[][..] } else { leading };
        (0..a.last()).fold(
            Explanation::of(Combination::Products, "sum(a * b)"),
            |explanation, k| {
                explanation
                    .cell("a", 0, a, &[leading, &[last[0], k]].concat())
                    .cell("b", 1, b, &[batch, &[last[1], k]].concat())
            },
        )
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        let mut axes = inputs[0].clone();
        axes.pop();
        axes.push(inputs[1][inputs[1].len() - 2]);
        axes
    }

    fn flops(&self, inputs: &[Tensor], output: &Tensor) -> u64 {
        2 * (output.len() * inputs[0].last()) as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::products(true, Var::matmul_t)
}
