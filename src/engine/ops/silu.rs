//! The sigmoid linear unit, also called Swish: `y = x / (1 + exp(−x))` (Ramachandran et al. 2017).

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::{Tensor, vector};

struct Silu;

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
        let mut y = inputs[0].clone();
        vector::silu(y.data_mut());
        y
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = x σ(x), so dx = dy (σ + x σ (1 − σ))
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let mut dx = dy.clone();
        vector::silu_back(dx.data_mut(), run.inputs[0].data());
        vec![Some(dx)]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("x / (1 + exp(-x))").cell("x", 0, &run.inputs[0], index)
    }

    fn flops(&self, _: &[Tensor], output: &Tensor) -> u64 {
        4 * output.len() as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::cells(|x| x, Var::silu)
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::tensor::Tensor;

    #[test]
    fn silu_agrees_with_published_figures() {
        // CTranslate2, tests/ops_test.cc, for 0.2 and −1.3; the third value is for 1.
        let tape = Tape::eval(&Default::default());
        let x = tape.input("x", Tensor::new(&[3], vec![0.2, -1.3, 1.0]), &["d"]);
        let expected = [0.109_966_8, -0.278_414_5, 0.731_058_6];
        for (y, e) in x.silu().value().data().iter().zip(expected) {
            assert!((y - e).abs() < 1e-6, "{y} {e}");
        }
    }

    #[test]
    fn silu_is_its_formula_over_the_whole_range() {
        let x: Vec<f32> = (-120_000..120_000).map(|i| i as f32 / 1_000.0).collect();
        let x = [&x[..], &[-1e30, 1e30]].concat();
        let tape = Tape::eval(&Default::default());
        let input = tape.input("x", Tensor::new(&[x.len()], x.clone()), &["d"]);
        for (x, y) in x.into_iter().zip(input.silu().value().data()) {
            let exact = f64::from(x) / (1.0 + (-f64::from(x)).exp());
            let off = (f64::from(*y) - exact).abs();
            // Below −87, where `vector::exp` returns 0, the exact value is smaller than 87 e⁻⁸⁷.
            assert!(off <= 5e-7 * exact.abs() + 1.5e-36, "{x}: {y} {exact}");
        }
    }
}
