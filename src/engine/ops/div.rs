//! Element-wise division with broadcasting: `y = a / b`.

use crate::autograd::{Explanation, Op, OpRun, Var, explain_pair, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct Div;

impl Var {
    /// `self / other`; axes of size 1 and missing leading axes are broadcast.
    #[track_caller]
    pub fn div(&self, other: &Var) -> Var {
        self.apply(Div, &[other])
    }
}

impl Op for Div {
    fn name(&self) -> &'static str {
        "div"
    }

    // ANCHOR: forward
    // y = a / b; axes of size 1 and missing leading axes are broadcast.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        broadcast::zip(&inputs[0], &inputs[1], |a, b| a / b)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = a / b, so da = dy / b and db = −dy y / b, summed over the broadcast axes
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let da = broadcast::zip(dy, &run.inputs[1], |d, b| d / b);
        let db = da.zip(run.output, |d, y| -d * y);
        vec![
            Some(broadcast::sum_to(&da, run.inputs[0].shape())),
            Some(broadcast::sum_to(&db, run.inputs[1].shape())),
        ]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        explain_pair("a / b", &run, index)
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        stretched(inputs, output)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    // Divisors away from 0, where the quotient has no derivative.
    super::check::pairs(|x| x + 2.0 * x.signum(), Var::div)
}
