//! Normalisation of every row of the last axis to mean 0 and standard deviation 1 (Ba et al. 2016), in
//! two forms: `(x − mean) / (std + ε)` and `(x − mean) / √(variance + ε)`.

use super::row_mean::row;
use super::row_std::{Deviation, moments};
use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;
use crate::tensor::vector::{self, Moments};

struct Normalize(Spread);

/// The divisor of a normalised row: a standard deviation, with ε.
#[derive(Clone, Copy)]
pub(super) struct Spread {
    pub deviation: Deviation,
    pub epsilon: f32,
}

impl Spread {
    /// The divisor for a row with this variance. The Annotated Transformer adds ε to the unbiased
    /// standard deviation; the paper and TensorFlow add ε to the population variance under the square
    /// root.
    pub fn of(self, variance: f32) -> f32 {
        match self.deviation {
            Deviation::Unbiased => variance.sqrt() + self.epsilon,
            Deviation::Population => (variance + self.epsilon).sqrt(),
        }
    }

    /// The factor in `d spread / d x_i = slope · y_i` for a normalised row `y` of `n` cells. Returns 0 for a row of
    /// equal numbers, where the spread has no derivative.
    pub fn slope(self, variance: f32, n: usize) -> f32 {
        if variance == 0.0 {
            return 0.0;
        }
        let spread = self.of(variance);
        // d spread / d x_i = (x_i − mean) / (m · root), and x_i − mean = y_i · spread.
        let root = match self.deviation {
            Deviation::Unbiased => variance.sqrt(),
            Deviation::Population => spread,
        };
        spread / (self.deviation.divisor(n) * root)
    }
}

impl Var {
    /// Subtracts its mean from each row of the last axis and divides by `std + epsilon`
    /// ([`Deviation::Unbiased`]) or `√(variance + epsilon)` ([`Deviation::Population`]).
    pub fn normalize(&self, deviation: Deviation, epsilon: f32) -> Var {
        self.apply(Normalize(Spread { deviation, epsilon }), &[])
    }
}

impl Op for Normalize {
    fn name(&self) -> &'static str {
        "normalize"
    }

    // ANCHOR: forward
    // y = (x − mean) / spread, row by row
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let mut y = inputs[0].clone();
        let width = y.last().max(1);
        for row in y.data_mut().chunks_mut(width) {
            let (mean, variance) = moments(row, self.0.deviation);
            vector::shift_scaled(row, mean, 1.0 / self.0.of(variance));
        }
        y
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = (x − mean) / spread, with spread depending on the whole row, so
    // dx = (dy − mean(dy) − y · Σ dy y · slope) / spread, where slope = d spread / d x over y
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (mut dx, x) = (dy.clone(), &run.inputs[0]);
        let n = x.last().max(1);
        for (dx, x) in dx.data_mut().chunks_mut(n).zip(x.data().chunks(n)) {
            let (mean, variance) = moments(x, self.0.deviation);
            let moments = Moments {
                mean,
                spread: self.0.of(variance),
                slope: self.0.slope(variance, n),
            };
            vector::normal_row_back(dx, x, moments);
        }
        vec![Some(dx)]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let formula = match self.0.deviation {
            Deviation::Unbiased => {
                "(x - mean(row)) / (sqrt(sum((row - mean(row))^2) / (count(row) - 1)) + eps)"
            }
            Deviation::Population => {
                "(x - mean(row)) / sqrt(sum((row - mean(row))^2) / count(row) + eps)"
            }
        };
        let x = &run.inputs[0];
        let first = Explanation::new(formula)
            .cell("x", 0, x, index)
            .constant("eps", self.0.epsilon);
        row(first, "row", x, index)
    }

    fn flops(&self, _: &[Tensor], output: &Tensor) -> u64 {
        6 * output.len() as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};
    use crate::autograd::Tape;

    // Include a large ε, so that a gradient that ignores it is caught.
    let forms = [Deviation::Unbiased, Deviation::Population].into_iter();
    let forms = forms.flat_map(|form| [(form, 1e-6), (form, 0.5)]);
    let cases = forms.flat_map(|(form, epsilon)| {
        let build = move |_: &Tape, v: &[Var]| v[0].normalize(form, epsilon);
        [
            Case::new("a batch of rows", [numbers(&[2, 3, 5])], build),
            Case::new("batch 1, length 1", [numbers(&[1, 1, 5])], build),
            Case::new("long rows", [numbers(&[2, 40])], build),
        ]
    });
    let of_one = |_: &Tape, v: &[Var]| v[0].normalize(Deviation::Population, 0.5);
    let last = Case::new("rows of one cell", [numbers(&[3, 1])], of_one);
    cases.chain([last]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;

    const BOTH: [Deviation; 2] = [Deviation::Unbiased, Deviation::Population];

    #[test]
    fn rows_of_equal_cells_have_a_slope_too() {
        check::op(&[Tensor::full(&[2, 3], 2.0)], |_, v| {
            v[0].normalize(Deviation::Population, 0.5)
        });
    }

    #[test]
    fn the_two_forms_differ_as_one_over_n_and_n_minus_one() {
        let tape = Tape::eval(&Default::default());
        let x = Tensor::new(&[1, 4], vec![1.0, 0.0, 0.0, 0.0]);
        let x = tape.input("x", x, &["b", "d"]);
        let of = |deviation| x.normalize(deviation, 1e-6).value();
        let near = |y: Tensor, expected: [f32; 4]| {
            y.data()
                .iter()
                .zip(expected)
                .all(|(y, e)| (y - e).abs() < 1e-4)
        };
        assert!(near(of(Deviation::Unbiased), [1.5, -0.5, -0.5, -0.5]));
        assert!(near(
            of(Deviation::Population),
            [1.732, -0.5773, -0.5773, -0.5773]
        ));
    }

    #[test]
    fn normalize_agrees_with_published_figures() {
        // CTranslate2, tests/ops_test.cc: population variance, with scale and bias.
        let tape = Tape::eval(&Default::default());
        let x = Tensor::new(&[1, 5], vec![-0.2, 3.0, 1.2, -1.1, 0.0]);
        let x = tape.input("x", x, &["b", "d"]);
        let scale = [0.2, 2.1, 1.1, -0.6, 0.7];
        let bias = [-6.6, -5.7, 0.01, 2.0, 0.0];
        let expected = [-6.710_264, -2.107_929, 0.492_053, 2.712_477, -0.286_970];
        let y = x.normalize(Deviation::Population, 1e-5).value();
        for i in 0..5 {
            let y = y.data()[i] * scale[i] + bias[i];
            assert!((y - expected[i]).abs() < 1e-4, "{y} {}", expected[i]);
        }
    }

    #[test]
    fn a_row_of_equal_numbers_becomes_zeros_and_passes_no_infinity_back() {
        for deviation in BOTH {
            let tape = Tape::eval(&Default::default());
            let x = tape.input("x", Tensor::full(&[1, 3], 2.0), &["b", "d"]);
            let y = x.normalize(deviation, 1e-6);
            assert_eq!(y.value().data(), [0.0; 3]);
            let grads = y.backward_from(&Tensor::new(&[1, 3], vec![1.0, 2.0, 3.0]));
            assert!(grads.get(&x).unwrap().data().iter().all(|d| d.is_finite()));
        }
    }
}
