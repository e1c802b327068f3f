//! Element-wise division with broadcasting: `y = a / b`.

use crate::autograd::{Explanation, Op, OpRun, Var, stretched};
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
        Explanation::new("a / b")
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

    // Divisors away from 0, where the quotient has no derivative.
    let below = |shape: &[usize]| numbers(shape).of(|x| x + 2.0 * x.signum());
    vec![
        Case::new(
            "an axis that is missing",
            [numbers(&[2, 3, 4]), below(&[4])],
            |_, v| v[0].div(&v[1]),
        ),
        Case::new(
            "an axis of one cell",
            [numbers(&[3, 1]), below(&[2, 3, 4])],
            |_, v| v[0].div(&v[1]),
        ),
        Case::new(
            "batch 1, length 1",
            [below(&[1, 1, 4]), below(&[1, 1, 4])],
            |_, v| v[0].div(&v[1]),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn div_is_checked() {
        check::all(super::cases());
    }
}
