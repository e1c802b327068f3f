//! A linear map in one step: `y = x Wᵀ + b`. The fused form of [`matmul_t`](Var::matmul_t) and [`add`](Var::add).

use crate::autograd::{Explanation, Gradient, Op, ProductGradient, Run, Var};
use crate::tensor::{Axes, Tensor, matmul, vector};

struct Linear;

impl Var {
    /// Maps `[…, in]` to `[…, out]` with `weight [out, in]` and `bias [out]`.
    #[track_caller]
    pub fn linear(&self, weight: &Var, bias: &Var) -> Var {
        self.apply(Linear, &[weight, bias])
    }
}

impl Op for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    // ANCHOR: forward
    // y = x Wᵀ + b: x […, in], W [out, in], b [out]
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let mut y = matmul::matmul_t(&inputs[0], &inputs[1]);
        vector::add_to_rows(y.data_mut(), inputs[2].data());
        y
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = x Wᵀ + b, so dx = dy W, dW = dyᵀ x, and db sums the rows of dy
    fn backward(&self, run: Run<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        Gradient::all_dense(self.gradients(run, dy))
    }

    fn gradients(&self, run: Run<'_>, dy: &Tensor) -> Vec<Option<Gradient>> {
        let (x, weight) = (&run.inputs[0], &run.inputs[1]);
        let mut db = Tensor::zeros(run.inputs[2].shape());
        let sums = db.data_mut();
        for row in dy.data().chunks(dy.last().max(1)) {
            vector::add(sums, row);
        }
        let (dx, dy, x) = (matmul::matmul(dy, weight), dy.clone(), x.clone());
        vec![
            Some(Gradient::Dense(dx)),
            Some(Gradient::Product(ProductGradient { dy, x })),
            Some(Gradient::Dense(db)),
        ]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: Run<'_>, index: &[usize]) -> Explanation {
        let (x, weight) = (&run.inputs[0], &run.inputs[1]);
        let (&out, leading) = index.split_last().expect("a linear map has a last axis");
        let products = (0..x.last()).fold(Explanation::new("sum(x * w) + b"), |sum, k| {
            sum.cell("x", 0, x, &[leading, &[k]].concat())
                .cell("w", 1, weight, &[out, k])
        });
        products.cell("b", 2, &run.inputs[2], &[out])
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
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    vec![
        Case::new(
            "a batch",
            [numbers(&[2, 3, 4]), numbers(&[5, 4]), numbers(&[5])],
            |_, v| v[0].linear(&v[1], &v[2]),
        ),
        Case::new(
            "batch 1, length 1",
            [numbers(&[1, 1, 4]), numbers(&[4, 4]), numbers(&[4])],
            |_, v| v[0].linear(&v[1], &v[2]),
        ),
        Case::new(
            "one input, one output",
            [numbers(&[2, 1]), numbers(&[1, 1]), numbers(&[1])],
            |_, v| v[0].linear(&v[1], &v[2]),
        ),
        Case::new(
            "long rows",
            [numbers(&[2, 40]), numbers(&[2, 40]), numbers(&[2])],
            |_, v| v[0].linear(&v[1], &v[2]),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn linear_is_checked() {
        check::all(super::cases());
    }
}
