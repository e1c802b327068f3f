//! The exponential of every cell: `y = exp(x)`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct Exp;

impl Var {
    /// e to the power of every cell.
    pub fn exp(&self) -> Var {
        self.apply(Exp, &[])
    }
}

impl Op for Exp {
    fn name(&self) -> &'static str {
        "exp"
    }

    // ANCHOR: forward
    // y = exp(x)
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].map(f32::exp)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = exp(x), so dx = dy · y
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.zip(run.output, |d, y| d * y))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("exp(x)").cell("x", 0, &run.inputs[0], index)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::cells(|x| x, Var::exp)
}
