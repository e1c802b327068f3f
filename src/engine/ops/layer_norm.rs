//! Layer normalisation in one step: `y = scale ⊙ (x − mean) / spread + bias`, row by row, where `spread` is the
//! standard deviation with ε. Fuses [`normalize`](Var::normalize), [`mul`](Var::mul) and [`add`](Var::add).

use super::normalize::Spread;
use super::row_mean::row;
use super::row_std::{Deviation, moments};
use crate::autograd::{Component, Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;
use crate::tensor::vector::{self, Moments};

/// The backward pass of layer normalisation with the population's deviation, which a tape may replace.
///
/// The function takes `x [n, d]`, the scale `[d]`, ε and the gradient `dy [n, d]`, and returns the gradients with respect
/// to x, scale and bias.
pub const LAYER_NORM_BACKWARD: Component<NormBackwardFn> = Component::new("layer_norm_backward");

/// The signature of [`LAYER_NORM_BACKWARD`].
pub type NormBackwardFn = fn(&Tensor, &Tensor, f32, &Tensor) -> [Tensor; 3];

struct LayerNorm(Spread);

impl Var {
    /// Normalises, scales and shifts `[…, n]` by `scale` and `bias [n]`. See [`Var::normalize`] for the two forms of
    /// the divisor.
    #[track_caller]
    pub fn layer_norm(&self, scale: &Var, bias: &Var, deviation: Deviation, epsilon: f32) -> Var {
        self.apply(LayerNorm(Spread { deviation, epsilon }), &[scale, bias])
    }

    /// This result of a layer normalisation of `x`, with the gradients of `function` instead of its own.
    #[track_caller]
    pub fn with_norm_backward(
        &self,
        function: NormBackwardFn,
        [x, scale, bias]: [&Var; 3],
        epsilon: f32,
    ) -> Var {
        self.apply(WithBackward { function, epsilon }, &[x, scale, bias])
    }
}

/// A finished layer normalisation whose gradients come from a function.
struct WithBackward {
    function: NormBackwardFn,
    epsilon: f32,
}

impl Op for WithBackward {
    fn name(&self) -> &'static str {
        "layer_norm"
    }

    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].clone()
    }

    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (x, scale, bias) = (&run.inputs[1], &run.inputs[2], &run.inputs[3]);
        let rows = [x.len() / x.last().max(1), x.last()];
        let gradients = (self.function)(&x.reshape(&rows), scale, self.epsilon, &dy.reshape(&rows));
        let shapes = [&rows[..], scale.shape(), bias.shape()];
        for (gradient, shape) in gradients.iter().zip(shapes) {
            assert!(
                gradient.shape() == shape,
                "layer_norm_backward: a gradient has the shape {:?}; it must be {shape:?}",
                gradient.shape()
            );
        }
        let [dx, dscale, dbias] = gradients;
        // No gradient for the result: it would flow through the steps that the function replaces.
        vec![None, Some(dx.reshape(x.shape())), Some(dscale), Some(dbias)]
    }

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("y").cell("y", 0, &run.inputs[0], index)
    }
}

/// Normalises one row in place; returns its mean, spread and variance.
fn norm_row(row: &mut [f32], spread: Spread, scale: &[f32], bias: &[f32]) -> [f32; 3] {
    let (mean, variance) = moments(row, spread.deviation);
    let wide = spread.of(variance);
    vector::norm_row(row, mean, 1.0 / wide, scale, bias);
    [mean, wide, variance]
}

/// [`Var::layer_norm`] for plain rows, in place.
pub fn layer_norm_rows(
    x: &mut [f32],
    scale: &Tensor,
    bias: &Tensor,
    deviation: Deviation,
    epsilon: f32,
) {
    let spread = Spread { deviation, epsilon };
    for row in x.chunks_mut(scale.len().max(1)) {
        norm_row(row, spread, scale.data(), bias.data());
    }
}

impl Op for LayerNorm {
    fn name(&self) -> &'static str {
        "layer_norm"
    }

    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        self.forward_saving(inputs).0
    }

    // ANCHOR: forward
    // y = scale ⊙ (x − mean) / spread + bias; saves mean, spread and variance, [rows, 3].
    fn forward_saving(&self, inputs: &[Tensor]) -> (Tensor, Vec<Tensor>) {
        let (x, scale, bias) = (&inputs[0], &inputs[1], &inputs[2]);
        let n = x.last().max(1);
        let mut y = Vec::with_capacity(x.len());
        let mut saved = Vec::with_capacity(x.len() / n * 3);
        for row in x.data().chunks(n) {
            let at = y.len();
            y.extend_from_slice(row);
            saved.extend(norm_row(&mut y[at..], self.0, scale.data(), bias.data()));
        }
        let rows = saved.len() / 3;
        let saved = Tensor::new(&[rows, 3], saved);
        (Tensor::new(x.shape(), y), vec![saved])
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = scale · z + bias with z = (x − mean) / spread, so dz = dy · scale,
    // dx = (dz − mean(dz) − z · Σ dz z · slope) / spread, dscale = Σ dy z, dbias = Σ dy
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (x, scale) = (&run.inputs[0], &run.inputs[1]);
        let n = x.last().max(1);
        let (mut dscale, mut dbias) = (Tensor::zeros(scale.shape()), Tensor::zeros(scale.shape()));
        let mut dx = Vec::with_capacity(dy.len());
        let (ds, db) = (dscale.data_mut(), dbias.data_mut());
        let rows = dy.data().chunks(n).zip(x.data().chunks(n));
        let (saved, _) = run.saved[0].data().as_chunks::<3>();
        for ((dy, x), &[mean, spread, variance]) in rows.zip(saved) {
            let (at, slope) = (dx.len(), self.0.slope(variance, n));
            dx.extend_from_slice(dy);
            let moments = Moments {
                mean,
                spread,
                slope,
            };
            vector::norm_row_back(&mut dx[at..], x, scale.data(), moments, ds, db);
        }
        let dx = Tensor::new(x.shape(), dx);
        vec![Some(dx), Some(dscale), Some(dbias)]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let formula = match self.0.deviation {
            Deviation::Unbiased => {
                "scale * (x - mean(row)) / (sqrt(sum((row - mean(row))^2) / (count(row) - 1)) + eps) + bias"
            }
            Deviation::Population => {
                "scale * (x - mean(row)) / sqrt(sum((row - mean(row))^2) / count(row) + eps) + bias"
            }
        };
        let at = index[index.len() - 1];
        let first = Explanation::new(formula)
            .cell("x", 0, &run.inputs[0], index)
            .cell("scale", 1, &run.inputs[1], &[at])
            .cell("bias", 2, &run.inputs[2], &[at])
            .constant("eps", self.0.epsilon);
        row(first, "row", &run.inputs[0], index)
    }

    fn flops(&self, _: &[Tensor], output: &Tensor) -> u64 {
        8 * output.len() as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};
    use crate::autograd::Tape;

    let forms = [Deviation::Unbiased, Deviation::Population].into_iter();
    let forms = forms.flat_map(|form| [(form, 1e-6), (form, 0.5)]);
    let cases = forms.flat_map(|(form, epsilon)| {
        let build = move |_: &Tape, v: &[Var]| v[0].layer_norm(&v[1], &v[2], form, epsilon);
        let inputs = |shape: &[usize], n| [numbers(shape), numbers(&[n]), numbers(&[n])];
        [
            Case::new("a batch of rows", inputs(&[2, 3, 5], 5), build),
            Case::new("batch 1, length 1", inputs(&[1, 1, 5], 5), build),
            Case::new("one row", inputs(&[5], 5), build),
            Case::new("long rows", inputs(&[2, 40], 40), build),
        ]
    });
    let of_one = |_: &Tape, v: &[Var]| v[0].layer_norm(&v[1], &v[2], Deviation::Population, 0.5);
    let last = Case::new(
        "rows of one cell",
        [numbers(&[3, 1]), numbers(&[1]), numbers(&[1])],
        of_one,
    );
    cases.chain([last]).collect()
}
