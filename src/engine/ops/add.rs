//! Addition with broadcasting: `y = a + b`.

use crate::autograd::{Explanation, Op, OpRun, Var, explain_pair, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct Add;

impl Var {
    /// `self + other`; axes of size 1 and missing leading axes are broadcast.
    #[track_caller]
    pub fn add(&self, other: &Var) -> Var {
        self.apply(Add, &[other])
    }
}

impl Op for Add {
    fn name(&self) -> &'static str {
        "add"
    }

    // ANCHOR: forward
    // y = a + b; axes of size 1 and missing leading axes are broadcast.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        broadcast::zip(&inputs[0], &inputs[1], |a, b| a + b)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = a + b, so da = dy and db = dy, summed over the broadcast axes
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        run.inputs
            .iter()
            .map(|x| Some(broadcast::sum_to(dy, x.shape())))
            .collect()
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        explain_pair("a + b", &run, index)
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        stretched(inputs, output)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::pairs(|x| x, Var::add)
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn a_tensor_added_to_itself_gathers_both_gradients() {
        check::op(&[check::normal(&[3])], |_, v| v[0].add(&v[0]));
    }
}
