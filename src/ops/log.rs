//! The natural logarithm of every cell: `y = log(x)`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::Tensor;

struct Log;

impl Var {
    // ANCHOR: forward
    /// The natural logarithm of every cell; −∞ for 0.
    pub fn log(&self) -> Var {
        self.tape().record(Log, &[self], self.value().map(f32::ln))
    }
    // ANCHOR_END: forward
}

impl Op for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].log()
    }

    // ANCHOR: backward
    // forward was y = log(x), so dx = dy / x
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.zip(&inputs[0], |d, x| d / x))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("log(x)").cell("x", 0, &inputs[0], index)
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn log_and_its_gradient() {
        check::op(&[check::normal(&[3, 4]).map(|x| 1.0 + x * x)], |_, v| {
            v[0].log()
        });
    }
}
