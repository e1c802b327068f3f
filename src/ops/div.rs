//! Division cell by cell, with broadcasting: `y = a / b`.

use crate::autograd::{Explanation, Op, Var, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct Div;

impl Var {
    // ANCHOR: forward
    /// `self / other`; axes of size 1, and missing leading axes, stretch.
    #[track_caller]
    pub fn div(&self, other: &Var) -> Var {
        let y = broadcast::zip(&self.value(), &other.value(), |a, b| a / b);
        self.tape().record(Div, &[self, other], y)
    }
    // ANCHOR_END: forward
}

impl Op for Div {
    fn name(&self) -> &'static str {
        "div"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].div(&inputs[1])
    }

    // ANCHOR: backward
    // forward was y = a / b, so da = dy / b and db = −dy y / b, summed over what stretched
    fn backward(&self, inputs: &[Tensor], y: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let da = broadcast::zip(dy, &inputs[1], |d, b| d / b);
        let db = da.zip(y, |d, y| -d * y);
        vec![
            Some(broadcast::sum_to(&da, inputs[0].shape())),
            Some(broadcast::sum_to(&db, inputs[1].shape())),
        ]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("a / b")
            .cell("a", 0, &inputs[0], &broadcast::source(&inputs[0], index))
            .cell("b", 1, &inputs[1], &broadcast::source(&inputs[1], index))
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        stretched(inputs, output)
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn div_and_its_gradient() {
        let (x, y) = (check::normal(&[2, 3, 4]), check::normal(&[3, 1]));
        // Away from 0, where a quotient has no slope.
        let y = y.map(|y| y + 2.0 * y.signum());
        check::op(&[x, y], |_, v| v[0].div(&v[1]));
    }
}
