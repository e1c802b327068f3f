//! The Gaussian error linear unit `y = x · Φ(x)` (Hendrycks and Gimpel 2016), and its two
//! approximations.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

/// How Φ, the standard normal cumulative distribution function, is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gelu {
    /// Exactly: `Φ(x) = (1 + erf(x / √2)) / 2`.
    Exact,
    /// `(1 + tanh(√(2/π) · (x + 0.044715 x³))) / 2`.
    Tanh,
    /// `1 / (1 + exp(−1.702 x))`.
    Sigmoid,
}

const TANH_CUBE: f64 = 0.044_715;
const SIGMOID_SLOPE: f64 = 1.702;

impl Gelu {
    /// `x Φ(x)`.
    pub fn of(self, x: f32) -> f32 {
        let x = f64::from(x);
        (x * self.share(x).0) as f32
    }

    /// Φ(x), and its derivative.
    fn share(self, x: f64) -> (f64, f64) {
        use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, PI};
        match self {
            Self::Exact => {
                let density = (-x * x / 2.0).exp() / (2.0 * PI).sqrt();
                (0.5 * (1.0 + libm::erf(x * FRAC_1_SQRT_2)), density)
            }
            Self::Tanh => {
                let root = FRAC_2_PI.sqrt();
                let tanh = (root * (x + TANH_CUBE * x.powi(3))).tanh();
                let inner = root * (1.0 + 3.0 * TANH_CUBE * x * x);
                (0.5 * (1.0 + tanh), 0.5 * (1.0 - tanh * tanh) * inner)
            }
            Self::Sigmoid => {
                let share = 1.0 / (1.0 + (-SIGMOID_SLOPE * x).exp());
                (share, SIGMOID_SLOPE * share * (1.0 - share))
            }
        }
    }

    fn formula(self) -> &'static str {
        match self {
            Self::Exact => "x * (1 + erf(x / sqrt(2))) / 2",
            Self::Tanh => "x * (1 + tanh(sqrt(0.63661977) * (x + 0.044715 * x^3))) / 2",
            Self::Sigmoid => "x / (1 + exp(-1.702 * x))",
        }
    }
}

impl Var {
    /// Multiplies each cell by the probability that a standard normal variable is below it.
    pub fn gelu(&self, form: Gelu) -> Var {
        self.apply(form, &[])
    }
}

impl Op for Gelu {
    fn name(&self) -> &'static str {
        "gelu"
    }

    // ANCHOR: forward
    // y = x Φ(x): each cell times the probability that a standard normal variable is below it
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].map(|x| self.of(x))
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = x Φ(x), so dx = dy (Φ(x) + x Φ'(x))
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let slope = |x: f32| {
            let (share, density) = self.share(f64::from(x));
            (share + f64::from(x) * density) as f32
        };
        vec![Some(run.inputs[0].zip(dy, |x, d| d * slope(x)))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new(self.formula()).cell("x", 0, &run.inputs[0], index)
    }

    fn flops(&self, _: &[Tensor], output: &Tensor) -> u64 {
        10 * output.len() as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    let case = |about, shape: &[usize], form| {
        Case::new(about, [numbers(shape)], move |_, v| v[0].gelu(form))
    };
    vec![
        case("exact", &[3, 4], Gelu::Exact),
        case("by the hyperbolic tangent", &[3, 4], Gelu::Tanh),
        case("by the sigmoid", &[3, 4], Gelu::Sigmoid),
        case("one cell", &[1], Gelu::Exact),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;

    const FORMS: [Gelu; 3] = [Gelu::Exact, Gelu::Tanh, Gelu::Sigmoid];

    #[test]
    fn gelu_agrees_with_published_figures() {
        // CTranslate2, tests/ops_test.cc, for 0.2 and −1.3; the third value is for 1.
        let expected = [
            [0.115_851_94, -0.125_840_63, 0.841_344_7],
            [0.115_851_43, -0.126_070_99, 0.841_192],
            [0.116_857_54, -0.128_212_11, 0.845_795_77],
        ];
        let tape = Tape::eval(&Default::default());
        let x = tape.input("x", Tensor::new(&[3], vec![0.2, -1.3, 1.0]), &["d"]);
        for (form, expected) in FORMS.into_iter().zip(expected) {
            for (y, e) in x.gelu(form).value().data().iter().zip(expected) {
                assert!((y - e).abs() < 1e-6, "{form:?}: {y} {e}");
            }
        }
    }
}
