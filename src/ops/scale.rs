//! Multiplication by a fixed number: `y = x · factor`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::Tensor;

struct Scale {
    factor: f32,
}

impl Var {
    // ANCHOR: forward
    /// Every cell times `factor`.
    pub fn scale(&self, factor: f32) -> Var {
        self.tape()
            .record(Scale { factor }, &[self], self.value().map(|x| x * factor))
    }
    // ANCHOR_END: forward
}

impl Op for Scale {
    fn name(&self) -> &'static str {
        "scale"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].scale(self.factor)
    }

    // ANCHOR: backward
    // forward was y = x · factor, so dx = dy · factor
    fn backward(&self, _: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.map(|d| d * self.factor))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("x * factor")
            .cell("x", 0, &inputs[0], index)
            .constant("factor", self.factor)
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn scale_and_its_gradient() {
        check::op(&[check::normal(&[2, 3])], |_, v| v[0].scale(0.125));
    }
}
