//! The hyperbolic tangent of every cell: `y = tanh(x)`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct Tanh;

impl Var {
    /// The hyperbolic tangent of every cell, between −1 and 1.
    pub fn tanh(&self) -> Var {
        self.apply(Tanh, &[])
    }
}

impl Op for Tanh {
    fn name(&self) -> &'static str {
        "tanh"
    }

    // ANCHOR: forward
    // y = tanh(x)
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].map(f32::tanh)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = tanh(x), so dx = dy · (1 − y²)
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.zip(run.output, |d, y| d * (1.0 - y * y)))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("tanh(x)").cell("x", 0, &run.inputs[0], index)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::cells(|x| x, Var::tanh)
}
