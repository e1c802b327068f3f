//! The sum of all cells: `y = Σ x`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Axes, Tensor};

struct Sum;

impl Var {
    // ANCHOR: forward
    /// One number: all cells added up (in f64, then rounded).
    pub fn sum(&self) -> Var {
        self.tape()
            .record(Sum, &[self], Tensor::scalar(self.value().sum() as f32))
    }
    // ANCHOR_END: forward
}

impl Op for Sum {
    fn name(&self) -> &'static str {
        "sum"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].sum()
    }

    // ANCHOR: backward
    // forward was y = Σ x, so every dx = dy
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(Tensor::full(inputs[0].shape(), dy.data()[0]))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, _: &[usize]) -> Explanation {
        let x = &inputs[0];
        x.indices().fold(Explanation::new("sum(x)"), |e, index| {
            e.cell("x", 0, x, &index)
        })
    }

    fn axes(&self, _: &[Axes], _: &Tensor) -> Axes {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn sum_and_its_gradient() {
        check::op(&[check::normal(&[2, 3, 4])], |_, v| v[0].sum());
    }
}
