//! The rectifier: `y = max(0, x)`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::Tensor;

struct Relu;

impl Var {
    // ANCHOR: forward
    /// Negative cells become 0, the others stay.
    pub fn relu(&self) -> Var {
        let y = self.value().map(|x| x.max(0.0));
        self.tape().record(Relu, &[self], y)
    }
    // ANCHOR_END: forward
}

impl Op for Relu {
    fn name(&self) -> &'static str {
        "relu"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].relu()
    }

    // ANCHOR: backward
    // forward was y = max(0, x), so dx = dy where x > 0, else 0 (at 0 itself too, as PyTorch has it)
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(
            inputs[0].zip(dy, |x, d| if x > 0.0 { d } else { 0.0 }),
        )]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("max(0, x)").cell("x", 0, &inputs[0], index)
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn relu_and_its_gradient() {
        // Away from the kink at 0, where there is no slope.
        let x = check::normal(&[3, 4]).map(|x| x + 0.2 * x.signum());
        check::op(&[x], |_, v| v[0].relu());
    }
}
