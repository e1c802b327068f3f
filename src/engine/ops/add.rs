//! Addition with broadcasting: `y = a + b`.

use crate::autograd::{Explanation, Op, OpRun, Var, stretched};
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
        Explanation::new("a + b")
            .cell(
                "a",
                0,
                &run.inputs[0],
                &broadcast::source(&run.inputs[0], index),
            )
            .cell(
                "b",
                1,
                &run.inputs[1],
                &broadcast::source(&run.inputs[1], index),
            )
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        stretched(inputs, output)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    vec![
        Case::new(
            "an axis that is missing",
            [numbers(&[2, 3, 4]), numbers(&[4])],
            |_, v| v[0].add(&v[1]),
        ),
        Case::new(
            "an axis of one cell",
            [numbers(&[3, 1]), numbers(&[2, 3, 4])],
            |_, v| v[0].add(&v[1]),
        ),
        Case::new(
            "batch 1, length 1",
            [numbers(&[1, 1, 4]), numbers(&[1, 1, 4])],
            |_, v| v[0].add(&v[1]),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn add_is_checked() {
        check::all(super::cases());
    }

    #[test]
    fn a_tensor_added_to_itself_gathers_both_gradients() {
        check::op(&[check::normal(&[3])], |_, v| v[0].add(&v[0]));
    }
}
