//! Matrix product over the last two axes: `y[…, n, m] = Σ_k a[…, n, k] · b[…, k, m]`.

use crate::autograd::{Combination, Explanation, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor, matmul};

struct Matmul;

impl Var {
    /// `self · other`: `[…, n, k] · […, k, m]` is `[…, n, m]`. If `other` is a matrix, the whole batch shares it.
    #[track_caller]
    pub fn matmul(&self, other: &Var) -> Var {
        self.apply(Matmul, &[other])
    }
}

impl Op for Matmul {
    fn name(&self) -> &'static str {
        "matmul"
    }

    // ANCHOR: forward
    // y = a b: […, n, k] · […, k, m] is […, n, m]; if b is a matrix, the whole batch shares it.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        matmul::matmul(&inputs[0], &inputs[1])
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = a b, so da = dy bᵀ and db = aᵀ dy
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (a, b) = (&run.inputs[0], &run.inputs[1]);
        let da = matmul::matmul_t(dy, b);
        let db = if b.rank() == 2 {
            matmul::matmul_tn_sum(a, dy)
        } else {
            matmul::matmul(&a.transpose(), dy)
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
                    .cell("b", 1, b, &[batch, &[k, last[1]]].concat())
            },
        )
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        let mut axes = inputs[0].clone();
        axes.pop();
        axes.extend(inputs[1].last());
        axes
    }

    fn flops(&self, inputs: &[Tensor], output: &Tensor) -> u64 {
        2 * (output.len() * inputs[0].last()) as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::products(false, Var::matmul)
}
