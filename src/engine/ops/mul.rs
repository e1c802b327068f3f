//! Element-wise multiplication with broadcasting: `y = a ⊙ b`.

use crate::autograd::{Explanation, Op, OpRun, Var, explain_pair, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct Mul;

impl Var {
    /// `self ⊙ other`; axes of size 1 and missing leading axes are broadcast.
    #[track_caller]
    pub fn mul(&self, other: &Var) -> Var {
        self.apply(Mul, &[other])
    }
}

impl Op for Mul {
    fn name(&self) -> &'static str {
        "mul"
    }

    // ANCHOR: forward
    // y = a ⊙ b; axes of size 1 and missing leading axes are broadcast.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        broadcast::zip(&inputs[0], &inputs[1], |a, b| a * b)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = a ⊙ b, so da = dy ⊙ b and db = dy ⊙ a, summed over the broadcast axes
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let by = |other: &Tensor, shape: &[usize]| {
            broadcast::sum_to(&broadcast::zip(dy, other, |d, x| d * x), shape)
        };
        vec![
            Some(by(&run.inputs[1], run.inputs[0].shape())),
            Some(by(&run.inputs[0], run.inputs[1].shape())),
        ]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        explain_pair("a * b", &run, index)
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        stretched(inputs, output)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::pairs(|x| x, Var::mul)
}
