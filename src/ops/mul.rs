//! Multiplication cell by cell, with broadcasting: `y = a ⊙ b`.

use crate::autograd::{Explanation, Op, Var, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct Mul;

impl Var {
    // ANCHOR: forward
    /// `self ⊙ other`; axes of size 1, and missing leading axes, stretch.
    #[track_caller]
    pub fn mul(&self, other: &Var) -> Var {
        let y = broadcast::zip(&self.value(), &other.value(), |a, b| a * b);
        self.tape().record(Mul, &[self, other], y)
    }
    // ANCHOR_END: forward
}

impl Op for Mul {
    fn name(&self) -> &'static str {
        "mul"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].mul(&inputs[1])
    }

    // ANCHOR: backward
    // forward was y = a ⊙ b, so da = dy ⊙ b and db = dy ⊙ a, summed over what stretched
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let by = |other: &Tensor, shape: &[usize]| {
            broadcast::sum_to(&broadcast::zip(dy, other, |d, x| d * x), shape)
        };
        vec![
            Some(by(&inputs[1], inputs[0].shape())),
            Some(by(&inputs[0], inputs[1].shape())),
        ]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("a * b")
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
    fn mul_and_its_gradient() {
        let (x, y) = (check::normal(&[2, 3, 4]), check::normal(&[3, 1]));
        check::op(&[x, y], |_, v| v[0].mul(&v[1]));
    }
}
