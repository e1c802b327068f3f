//! Matrix product over the last two axes: `y[…, n, m] = Σ_k a[…, n, k] · b[…, k, m]`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Axes, Tensor, matmul};

struct Matmul;

impl Var {
    // ANCHOR: forward
    /// `self · other`: `[…, n, k] · […, k, m]` is `[…, n, m]`. A matrix `other` serves the whole batch.
    #[track_caller]
    pub fn matmul(&self, other: &Var) -> Var {
        let y = matmul::matmul(&self.value(), &other.value());
        self.tape().record(Matmul, &[self, other], y)
    }
    // ANCHOR_END: forward
}

impl Op for Matmul {
    fn name(&self) -> &'static str {
        "matmul"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].matmul(&inputs[1])
    }

    // ANCHOR: backward
    // forward was y = a b, so da = dy bᵀ and db = aᵀ dy
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (a, b) = (&inputs[0], &inputs[1]);
        let da = matmul::matmul_t(dy, b);
        let db = if b.rank() == 2 {
            matmul::matmul_tn_sum(a, dy)
        } else {
            matmul::matmul(&a.transpose(), dy)
        };
        vec![Some(da), Some(db)]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        let (a, b) = (&inputs[0], &inputs[1]);
        let (leading, last) = index.split_at(index.len() - 2);
        let batch = if b.rank() == 2 { &[][..] } else { leading };
        (0..a.last()).fold(Explanation::new("sum(a * b)"), |explanation, k| {
            explanation
                .cell("a", 0, a, &[leading, &[last[0], k]].concat())
                .cell("b", 1, b, &[batch, &[k, last[1]]].concat())
        })
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
mod tests {
    use crate::ops::check;

    #[test]
    fn matmul_and_its_gradient() {
        check::op(
            &[check::normal(&[2, 3, 4]), check::normal(&[2, 4, 5])],
            |_, v| v[0].matmul(&v[1]),
        );
    }

    #[test]
    fn a_weight_that_serves_a_batch_gathers_its_gradient() {
        check::op(
            &[check::normal(&[2, 3, 4]), check::normal(&[4, 5])],
            |_, v| v[0].matmul(&v[1]),
        );
    }
}
