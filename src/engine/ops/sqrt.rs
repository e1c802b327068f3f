//! The square root of every cell: `y = √x`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct Sqrt;

impl Var {
    /// The square root of every cell; NaN for a negative one.
    pub fn sqrt(&self) -> Var {
        self.apply(Sqrt, &[])
    }
}

impl Op for Sqrt {
    fn name(&self) -> &'static str {
        "sqrt"
    }

    // ANCHOR: forward
    // y = √x; NaN for a negative cell
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].map(f32::sqrt)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = √x, so dx = dy / (2 y); at 0 the slope is infinite
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.zip(run.output, |d, y| d / (2.0 * y)))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("sqrt(x)").cell("x", 0, &run.inputs[0], index)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::cells(|x| 1.0 + x * x, Var::sqrt)
}
