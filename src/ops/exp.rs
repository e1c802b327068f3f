//! The exponential of every cell: `y = exp(x)`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::Tensor;

struct Exp;

impl Var {
    // ANCHOR: forward
    /// e to the power of every cell.
    pub fn exp(&self) -> Var {
        self.tape().record(Exp, &[self], self.value().map(f32::exp))
    }
    // ANCHOR_END: forward
}

impl Op for Exp {
    fn name(&self) -> &'static str {
        "exp"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].exp()
    }

    // ANCHOR: backward
    // forward was y = exp(x), so dx = dy · y
    fn backward(&self, _: &[Tensor], y: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.zip(y, |d, y| d * y))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("exp(x)").cell("x", 0, &inputs[0], index)
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn exp_and_its_gradient() {
        check::op(&[check::normal(&[3, 4])], |_, v| v[0].exp());
    }
}
