//! The sigmoid linear unit, also called Swish: `y = x / (1 + exp(−x))` (Ramachandran et al. 2017).

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::Tensor;

struct Silu;

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Var {
    // ANCHOR: forward
    /// Each cell times its own sigmoid.
    pub fn silu(&self) -> Var {
        let y = self.value().map(|x| x * sigmoid(x));
        self.tape().record(Silu, &[self], y)
    }
    // ANCHOR_END: forward
}

impl Op for Silu {
    fn name(&self) -> &'static str {
        "silu"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].silu()
    }

    // ANCHOR: backward
    // forward was y = x σ(x), so dx = dy (σ + x σ (1 − σ))
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(inputs[0].zip(dy, |x, d| {
            let s = sigmoid(x);
            d * (s + x * s * (1.0 - s))
        }))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("x / (1 + exp(-x))").cell("x", 0, &inputs[0], index)
    }

    fn flops(&self, _: &[Tensor], output: &Tensor) -> u64 {
        4 * output.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::ops::check;
    use crate::tensor::Tensor;

    #[test]
    fn silu_and_its_gradient() {
        check::op(&[check::normal(&[3, 4])], |_, v| v[0].silu());
    }

    #[test]
    fn silu_agrees_with_published_figures() {
        // CTranslate2, tests/ops_test.cc, at .2 and −1.3; and at 1.
        let tape = Tape::eval(&Default::default());
        let x = tape.input("x", Tensor::new(&[3], vec![0.2, -1.3, 1.0]), &["d"]);
        let expected = [0.109_966_8, -0.278_414_5, 0.731_058_6];
        for (y, e) in x.silu().value().data().iter().zip(expected) {
            assert!((y - e).abs() < 1e-6, "{y} {e}");
        }
    }
}
