//! Layer normalisation in one step: `y = scale ⊙ (x − mean) / spread + bias`, row by row. The fused form of
//! [`normalize`](Var::normalize), [`mul`](Var::mul) and [`add`](Var::add).

use super::normalize::Spread;
use super::row_std::Deviation;
use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Tensor, vector};

struct LayerNorm {
    spread: Spread,
    /// Mean, spread and variance of every row.
    rows: Vec<(f32, f32, f32)>,
}

impl Var {
    // ANCHOR: forward
    /// `[…, n]` stays so; `scale` and `bias [n]`. See [`Var::normalize`] for the two forms of the spread.
    #[track_caller]
    pub fn layer_norm(&self, scale: &Var, bias: &Var, deviation: Deviation, epsilon: f32) -> Var {
        let spread = Spread { deviation, epsilon };
        let (mut y, scales, biases) = (self.value(), scale.value(), bias.value());
        let n = y.last().max(1);
        let mut rows = Vec::with_capacity(y.len() / n);
        for row in y.data_mut().chunks_mut(n) {
            let mean = vector::sum(row) / n as f32;
            let variance = vector::squares(row, mean) / deviation.divisor(n);
            let wide = spread.of(variance);
            vector::norm_row(row, mean, 1.0 / wide, scales.data(), biases.data());
            rows.push((mean, wide, variance));
        }
        let op = LayerNorm { spread, rows };
        self.tape().record(op, &[self, scale, bias], y)
    }
    // ANCHOR_END: forward
}

impl Op for LayerNorm {
    fn name(&self) -> &'static str {
        "layer_norm"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        let Spread { deviation, epsilon } = self.spread;
        inputs[0].layer_norm(&inputs[1], &inputs[2], deviation, epsilon)
    }

    // ANCHOR: backward
    // forward was y = scale · z + bias with z = (x − mean) / spread, so dz = dy · scale,
    // dx = (dz − mean(dz) − z · Σ dz z · slope) / spread, dscale = Σ dy z, dbias = Σ dy
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (x, scale) = (&inputs[0], &inputs[1]);
        let n = x.last().max(1);
        let (mut dscale, mut dbias) = (Tensor::zeros(scale.shape()), Tensor::zeros(scale.shape()));
        let mut dx = dy.clone();
        let (ds, db) = (dscale.data_mut(), dbias.data_mut());
        let rows = dx.data_mut().chunks_mut(n).zip(x.data().chunks(n));
        for ((dx, x), &(mean, spread, variance)) in rows.zip(&self.rows) {
            let slope = self.spread.slope(variance, n);
            vector::norm_row_back(dx, x, scale.data(), (mean, spread, slope), ds, db);
        }
        vec![Some(dx), Some(dscale), Some(dbias)]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        let formula = match self.spread.deviation {
            Deviation::Unbiased => {
                "scale * (x - mean(row)) / (sqrt(sum((row - mean(row))^2) / (count(row) - 1)) + eps) + bias"
            }
            Deviation::Population => {
                "scale * (x - mean(row)) / sqrt(sum((row - mean(row))^2) / count(row) + eps) + bias"
            }
        };
        let (&at, leading) = index.split_last().expect("a norm has a last axis");
        let first = Explanation::new(formula)
            .cell("x", 0, &inputs[0], index)
            .cell("scale", 1, &inputs[1], &[at])
            .cell("bias", 2, &inputs[2], &[at])
            .constant("eps", self.spread.epsilon);
        (0..inputs[0].last()).fold(first, |explanation, i| {
            explanation.cell("row", 0, &inputs[0], &[leading, &[i]].concat())
        })
    }

    fn flops(&self, _: &[Tensor], output: &Tensor) -> u64 {
        8 * output.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::check;

    #[test]
    fn layer_norm_and_its_gradient_in_both_forms() {
        let inputs = [
            check::normal(&[2, 3, 20]),
            check::normal(&[20]),
            check::normal(&[20]),
        ];
        for deviation in [Deviation::Unbiased, Deviation::Population] {
            check::op(&inputs, |_, v| {
                v[0].layer_norm(&v[1], &v[2], deviation, 1e-6)
            });
        }
    }
}
