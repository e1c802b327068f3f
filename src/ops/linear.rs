//! A linear map in one step: `y = x Wᵀ + b`. The fused form of [`matmul_t`](Var::matmul_t) and [`add`](Var::add).

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Axes, Tensor, matmul, vector};

struct Linear;

impl Var {
    // ANCHOR: forward
    /// `[…, in]` becomes `[…, out]` by `weight [out, in]` and `bias [out]`.
    #[track_caller]
    pub fn linear(&self, weight: &Var, bias: &Var) -> Var {
        let mut y = matmul::matmul_t(&self.value(), &weight.value());
        vector::add_to_rows(y.data_mut(), bias.value().data());
        self.tape().record(Linear, &[self, weight, bias], y)
    }
    // ANCHOR_END: forward
}

impl Op for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].linear(&inputs[1], &inputs[2])
    }

    // ANCHOR: backward
    // forward was y = x Wᵀ + b, so dx = dy W, dW = dyᵀ x, and db gathers the rows of dy
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (x, weight) = (&inputs[0], &inputs[1]);
        let mut db = Tensor::zeros(inputs[2].shape());
        for row in dy.data().chunks(dy.last().max(1)) {
            vector::add(db.data_mut(), row);
        }
        vec![
            Some(matmul::matmul(dy, weight)),
            Some(matmul::matmul_tn_sum(dy, x)),
            Some(db),
        ]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        let (x, weight) = (&inputs[0], &inputs[1]);
        let (&out, leading) = index.split_last().expect("a linear map has a last axis");
        let products = (0..x.last()).fold(Explanation::new("sum(x * w) + b"), |sum, k| {
            sum.cell("x", 0, x, &[leading, &[k]].concat())
                .cell("w", 1, weight, &[out, k])
        });
        products.cell("b", 2, &inputs[2], &[out])
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        let mut axes = inputs[0].clone();
        axes.pop();
        axes.push(inputs[1][0]);
        axes
    }

    fn flops(&self, inputs: &[Tensor], output: &Tensor) -> u64 {
        (2 * inputs[0].last() as u64 + 1) * output.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn linear_and_its_gradient() {
        let inputs = [
            check::normal(&[2, 3, 4]),
            check::normal(&[5, 4]),
            check::normal(&[5]),
        ];
        check::op(&inputs, |_, v| v[0].linear(&v[1], &v[2]));
    }
}
