//! Subtraction with broadcasting: `y = a − b`.

use crate::autograd::{Explanation, Op, OpRun, Var, explain_pair, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct Sub;

impl Var {
    /// `self − other`; axes of size 1 and missing leading axes are broadcast.
    #[track_caller]
    pub fn sub(&self, other: &Var) -> Var {
        self.apply(Sub, &[other])
    }
}

impl Op for Sub {
    fn name(&self) -> &'static str {
        "sub"
    }

    // ANCHOR: forward
    // y = a − b; axes of size 1 and missing leading axes are broadcast.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        broadcast::zip(&inputs[0], &inputs[1], |a, b| a - b)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = a − b, so da = dy and db = −dy, summed over the broadcast axes
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![
            Some(broadcast::sum_to(dy, run.inputs[0].shape())),
            Some(broadcast::sum_to(dy, run.inputs[1].shape()).map(|d| -d)),
        ]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        explain_pair("a - b", &run, index)
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        stretched(inputs, output)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::pairs(|x| x, Var::sub)
}
