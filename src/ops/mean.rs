//! The mean of all cells: `y = Σ x / n`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Axes, Tensor};

struct Mean;

impl Var {
    // ANCHOR: forward
    /// One number: the mean of all cells (in f64, then rounded). Panics if there are none.
    #[track_caller]
    pub fn mean(&self) -> Var {
        let x = self.value();
        assert!(!x.is_empty(), "mean: {:?} has no cells", x.shape());
        self.tape().record(
            Mean,
            &[self],
            Tensor::scalar((x.sum() / x.len() as f64) as f32),
        )
    }
    // ANCHOR_END: forward
}

impl Op for Mean {
    fn name(&self) -> &'static str {
        "mean"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].mean()
    }

    // ANCHOR: backward
    // forward was y = Σ x / n, so every dx = dy / n
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let x = &inputs[0];
        vec![Some(Tensor::full(x.shape(), dy.data()[0] / x.len() as f32))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, _: &[usize]) -> Explanation {
        let x = &inputs[0];
        x.indices().fold(Explanation::new("mean(x)"), |e, index| {
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
    fn mean_and_its_gradient() {
        check::op(&[check::normal(&[2, 3, 4])], |_, v| v[0].mean());
    }
}
