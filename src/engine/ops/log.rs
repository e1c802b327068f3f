//! The natural logarithm of every cell: `y = log(x)`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct Log;

impl Var {
    /// The natural logarithm of every cell; −∞ for 0.
    pub fn log(&self) -> Var {
        self.apply(Log, &[])
    }
}

impl Op for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    // ANCHOR: forward
    // y = log(x); −∞ for 0
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].map(f32::ln)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = log(x), so dx = dy / x
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.zip(&run.inputs[0], |d, x| d / x))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("log(x)").cell("x", 0, &run.inputs[0], index)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::cells(|x| 1.0 + x * x, Var::log)
}
