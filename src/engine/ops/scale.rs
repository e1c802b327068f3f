//! Multiplication by a fixed number: `y = x · factor`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct Scale {
    factor: f32,
}

impl Var {
    /// Every cell times `factor`.
    pub fn scale(&self, factor: f32) -> Var {
        self.apply(Scale { factor }, &[])
    }
}

impl Op for Scale {
    fn name(&self) -> &'static str {
        "scale"
    }

    // ANCHOR: forward
    // y = x · factor
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].map(|x| x * self.factor)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = x · factor, so dx = dy · factor
    fn backward(&self, _: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.map(|d| d * self.factor))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("x * factor")
            .cell("x", 0, &run.inputs[0], index)
            .constant("factor", self.factor)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::cells(|x| x, |x| x.scale(0.125))
}
