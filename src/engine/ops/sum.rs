//! The sum of all cells: `y = Σ x`.

use crate::autograd::{Combination, Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct Sum;

impl Var {
    /// One number: the sum of all cells (in f64, then rounded).
    pub fn sum(&self) -> Var {
        self.apply(Sum, &[])
    }
}

impl Op for Sum {
    fn name(&self) -> &'static str {
        "sum"
    }

    // ANCHOR: forward
    // y = Σ x, in f64, then rounded
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        Tensor::scalar(inputs[0].sum() as f32)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = Σ x, so every dx = dy
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(Tensor::full(run.inputs[0].shape(), dy.data()[0]))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, _: &[usize]) -> Explanation {
        let x = &run.inputs[0];
        let sum = Explanation::of(Combination::Sum, "sum(x)");
        x.indices().fold(sum, |e, index| e.cell("x", 0, x, &index))
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    vec![
        Case::new("a batch", [numbers(&[2, 3, 4])], |_, v| v[0].sum()),
        Case::new("one cell", [numbers(&[1, 1])], |_, v| v[0].sum()),
    ]
}
