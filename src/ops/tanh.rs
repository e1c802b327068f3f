//! The hyperbolic tangent of every cell: `y = tanh(x)`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::Tensor;

struct Tanh;

impl Var {
    // ANCHOR: forward
    /// Every cell squeezed between −1 and 1.
    pub fn tanh(&self) -> Var {
        self.tape()
            .record(Tanh, &[self], self.value().map(f32::tanh))
    }
    // ANCHOR_END: forward
}

impl Op for Tanh {
    fn name(&self) -> &'static str {
        "tanh"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].tanh()
    }

    // ANCHOR: backward
    // forward was y = tanh(x), so dx = dy · (1 − y²)
    fn backward(&self, _: &[Tensor], y: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.zip(y, |d, y| d * (1.0 - y * y)))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("tanh(x)").cell("x", 0, &inputs[0], index)
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn tanh_and_its_gradient() {
        check::op(&[check::normal(&[3, 4])], |_, v| v[0].tanh());
    }
}
