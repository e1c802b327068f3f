//! The mean of all cells: `y = Σ x / n`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct Mean;

impl Var {
    /// One number: the mean of all cells (in f64, then rounded). Panics if there are none.
    #[track_caller]
    pub fn mean(&self) -> Var {
        self.apply(Mean, &[])
    }
}

impl Op for Mean {
    fn name(&self) -> &'static str {
        "mean"
    }

    // ANCHOR: forward
    // y = Σ x / n, in f64, then rounded
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let x = &inputs[0];
        assert!(!x.is_empty(), "mean: {:?} has no cells", x.shape());
        Tensor::scalar((x.sum() / x.len() as f64) as f32)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = Σ x / n, so every dx = dy / n
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let x = &run.inputs[0];
        vec![Some(Tensor::full(x.shape(), dy.data()[0] / x.len() as f32))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, _: &[usize]) -> Explanation {
        let x = &run.inputs[0];
        x.indices().fold(Explanation::new("mean(x)"), |e, index| {
            e.cell("x", 0, x, &index)
        })
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    vec![
        Case::new("a batch", [numbers(&[2, 3, 4])], |_, v| v[0].mean()),
        Case::new("one cell", [numbers(&[1, 1])], |_, v| v[0].mean()),
    ]
}
