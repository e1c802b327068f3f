//! The standard deviation of every row of the last axis: `y = √(Σ_i (x_i − mean)² / m)`.

use serde::{Deserialize, Serialize};

use super::row_mean::{axes, one_a_row, row};
use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor, vector};

/// The divisor of the sum of squares for a row of `n` numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deviation {
    /// `n − 1`: PyTorch's `std`, as the Annotated Transformer uses it ("unbiased").
    Unbiased,
    /// `n`: the population variance, as in the paper on layer normalisation, in TensorFlow, and in
    /// PyTorch's own `LayerNorm`.
    Population,
}

impl Deviation {
    /// The divisor for `n` numbers.
    pub fn divisor(self, n: usize) -> f32 {
        match self {
            Self::Unbiased => n as f32 - 1.0,
            Self::Population => n as f32,
        }
    }
}

struct RowStd(Deviation);

impl Var {
    /// The standard deviation of each row of the last axis, which stays as an axis of size 1:
    /// `[…, n]` → `[…, 1]`.
    pub fn row_std(&self, deviation: Deviation) -> Var {
        self.apply(RowStd(deviation), &[])
    }
}

/// Mean and variance of one row.
pub(super) fn moments(row: &[f32], deviation: Deviation) -> (f32, f32) {
    let mean = vector::sum(row) / row.len() as f32;
    let squares = vector::squares(row, mean);
    (mean, squares / deviation.divisor(row.len()))
}

impl Op for RowStd {
    fn name(&self) -> &'static str {
        "row_std"
    }

    // ANCHOR: forward
    // y = √(Σ (x_i − mean)² / m), row by row: […, n] → […, 1]
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let x = &inputs[0];
        let rows = x.data().chunks(x.last().max(1));
        let y = rows.map(|row| moments(row, self.0).1.sqrt()).collect();
        Tensor::new(&one_a_row(x), y)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = √(Σ (x − mean)² / m), so dx = dy (x − mean) / (m y)
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let y = run.output;
        let (mut dx, n) = (run.inputs[0].clone(), run.inputs[0].last());
        let rows = dx.data_mut().chunks_mut(n);
        for ((row, &y), &dy) in rows.zip(y.data()).zip(dy.data()) {
            let mean = moments(row, self.0).0;
            let slope = dy / (self.0.divisor(n) * y);
            row.iter_mut().for_each(|x| *x = slope * (*x - mean));
        }
        vec![Some(dx)]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let formula = match self.0 {
            Deviation::Unbiased => "sqrt(sum((x - mean(x))^2) / (count(x) - 1))",
            Deviation::Population => "sqrt(sum((x - mean(x))^2) / count(x))",
        };
        row(Explanation::new(formula), "x", &run.inputs[0], index)
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        axes(inputs)
    }

    fn flops(&self, inputs: &[Tensor], _: &Tensor) -> u64 {
        4 * inputs[0].len() as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    let forms = [Deviation::Unbiased, Deviation::Population].into_iter();
    let cases = forms.flat_map(|form| {
        let case = |about, shape: &[usize]| {
            Case::new(about, [numbers(shape)], move |_, v| v[0].row_std(form))
        };
        [
            case("a batch of rows", &[2, 3, 4]),
            case("batch 1, length 1", &[1, 1, 4]),
            case("long rows", &[2, 40]),
        ]
    });
    cases.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;

    #[test]
    fn the_unbiased_form_divides_by_one_less() {
        let tape = Tape::eval(&Default::default());
        let x = Tensor::new(&[1, 4], vec![1.0, 0.0, 0.0, 0.0]);
        let x = tape.input("x", x, &["b", "d"]);
        let std = |deviation| x.row_std(deviation).value().data()[0];
        assert_eq!(std(Deviation::Unbiased), 0.5);
        assert!((std(Deviation::Population) - 0.1875_f32.sqrt()).abs() < 1e-7);
    }
}
