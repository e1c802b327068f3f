//! Subtraction with broadcasting: `y = a − b`.

use crate::autograd::{Explanation, Op, Var, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct Sub;

impl Var {
    // ANCHOR: forward
    /// `self − other`; axes of size 1, and missing leading axes, stretch.
    #[track_caller]
    pub fn sub(&self, other: &Var) -> Var {
        let y = broadcast::zip(&self.value(), &other.value(), |a, b| a - b);
        self.tape().record(Sub, &[self, other], y)
    }
    // ANCHOR_END: forward
}

impl Op for Sub {
    fn name(&self) -> &'static str {
        "sub"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].sub(&inputs[1])
    }

    // ANCHOR: backward
    // forward was y = a − b, so da = dy and db = −dy, summed over what stretched
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![
            Some(broadcast::sum_to(dy, inputs[0].shape())),
            Some(broadcast::sum_to(dy, inputs[1].shape()).map(|d| -d)),
        ]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("a - b")
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
    fn sub_and_its_gradient() {
        let (x, y) = (check::normal(&[2, 3, 4]), check::normal(&[3, 1]));
        check::op(&[x, y], |_, v| v[0].sub(&v[1]));
    }
}
