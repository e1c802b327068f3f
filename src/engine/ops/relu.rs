//! The rectified linear unit (ReLU): `y = max(0, x)`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct Relu;

/// `max(0, x)`; NaN stays NaN, as in PyTorch, so that earlier errors are not hidden.
pub fn relu(x: f32) -> f32 {
    if x <= 0.0 { 0.0 } else { x }
}

impl Var {
    /// Replaces negative cells by 0.
    pub fn relu(&self) -> Var {
        self.apply(Relu, &[])
    }
}

impl Op for Relu {
    fn name(&self) -> &'static str {
        "relu"
    }

    // ANCHOR: forward
    // y = max(0, x)
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].map(relu)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = max(0, x), so dx = dy where x > 0, else 0 (also at 0 itself, as in PyTorch)
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(
            run.inputs[0].zip(dy, |x, d| if x > 0.0 { d } else { 0.0 }),
        )]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("max(0, x)").cell("x", 0, &run.inputs[0], index)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    // Away from the kink.
    super::check::cells(|x| x + 0.2 * x.signum(), Var::relu)
}
