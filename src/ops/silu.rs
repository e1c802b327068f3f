//! The sigmoid linear unit, also called Swish: `y = x / (1 + exp(−x))` (Ramachandran et al. 2017).

use crate::autograd::{Explanation, Op, Run, Var};
use crate::tensor::Tensor;

struct Silu;

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// `x σ(x)`.
pub fn silu(x: f32) -> f32 {
    x * sigmoid(x)
}

impl Var {
    /// Each cell times its own sigmoid.
    pub fn silu(&self) -> Var {
        self.apply(Silu, &[])
    }
}

impl Op for Silu {
    fn name(&self) -> &'static str {
        "silu"
    }

    // ANCHOR: forward
    // y = x σ(x)
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].map(silu)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = x σ(x), so dx = dy (σ + x σ (1 − σ))
    fn backward(&self, run: Run<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(run.inputs[0].zip(dy, |x, d| {
            let s = sigmoid(x);
            d * (s + x * s * (1.0 - s))
        }))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: Run<'_>, index: &[usize]) -> Explanation {
        Explanation::new("x / (1 + exp(-x))").cell("x", 0, &run.inputs[0], index)
    }

    fn flops(&self, _: &[Tensor], output: &Tensor) -> u64 {
        4 * output.len() as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    vec![
        Case::new("a matrix", [numbers(&[3, 4])], |_, v| v[0].silu()),
        Case::new("one cell", [numbers(&[1])], |_, v| v[0].silu()),
    ]
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::ops::check;
    use crate::tensor::Tensor;

    #[test]
    fn silu_is_checked() {
        check::all(super::cases());
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
