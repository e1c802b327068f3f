//! The two kernels of a decoding step: a linear map of a few rows, and attention of one query. Every row is computed
//! separately and in a fixed order, so that no bit of it depends on the rest of the batch.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use crate::nn::activation::Activation;
use crate::nn::feed_forward::FeedForward;
use crate::nn::linear::Linear;
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::params::Params;
use crate::tensor::{Tensor, matmul, vector};

/// Number of outputs that the loops compute side by side: a panel, or part of one.
const SIDE: usize = matmul::PANEL;
/// Number of rows for which the weights are read once.
const ROWS: usize = 4;

/// A linear map laid out for few rows. The weights of a panel's outputs are stored together, input by input, so that a
/// step reads them once from front to back: with one row, reading them is what takes the time.
pub struct Packed {
    inputs: usize,
    outputs: usize,
    /// Weights `[outputs / panel, inputs, panel]`, padded with zeros; the size of a panel depends on the chip.
    panels: Vec<f32>,
    bias: Option<Vec<f32>>,
}

impl Packed {
    /// Packs `weight [out, in]` and `bias [out]`.
    pub fn new(weight: &Tensor, bias: Option<&Tensor>) -> Self {
        let (outputs, inputs) = (weight.shape()[0], weight.last());
        let panel = matmul::panel();
        let mut panels = vec![0.0; outputs.next_multiple_of(panel) * inputs];
        let rows = weight.data().chunks_exact(inputs.max(1));
        for (out, row) in rows.enumerate() {
            let first = out / panel * panel * inputs + out % panel;
            for (cell, x) in panels[first..].iter_mut().step_by(panel).zip(row) {
                *cell = *x;
            }
        }
        Self {
            inputs,
            outputs,
            panels,
            bias: bias.map(|bias| bias.data().to_vec()),
        }
    }

    /// Packs the map of a layer.
    pub fn of(map: &Linear, params: &Params) -> Self {
        let bias = map.bias.map(|bias| params.get(bias));
        Self::new(params.get(map.weight), bias)
    }

    /// Applies the map to `[rows, in]`, which gives `[rows, out]`.
    pub fn forward(&self, x: &[f32]) -> Vec<f32> {
        let (inputs, outputs) = (self.inputs, self.outputs);
        let mut out = matmul::packed(x, &self.panels, inputs, outputs, |out| {
            product(&self.panels, inputs, x, outputs, out);
        });
        if let Some(bias) = &self.bias {
            vector::add_to_rows(&mut out, bias);
        }
        out
    }

    /// Number of floating-point operations per row.
    pub fn flops(&self) -> u64 {
        2 * (self.inputs * self.outputs) as u64
    }
}

#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl+fma", "x86_64+avx2+fma"))]
fn product(panels: &[f32], inputs: usize, x: &[f32], outputs: usize, out: &mut [f32]) {
    // Without the FMA instruction, `mul_add` would be a function call.
    let fused = target_cfg_f!(target_feature = "fma");
    let together = matmul::panel();
    for (n, panel) in panels.chunks_exact(inputs * together).enumerate() {
        for side in (0..together).step_by(SIDE) {
            let first = n * together + side;
            let panel = (&panel[side..], together);
            if first >= outputs {
                break;
            }
            let columns = first..outputs.min(first + SIDE);
            let blocks = x.chunks(ROWS * inputs).zip(out.chunks_mut(ROWS * outputs));
            for (x, out) in blocks {
                if x.len() == ROWS * inputs {
                    let x: [&[f32]; ROWS] =
                        std::array::from_fn(|r| &x[r * inputs..(r + 1) * inputs]);
                    let sums = tile(panel, x, fused);
                    for (sums, out) in sums.iter().zip(out.chunks_mut(outputs)) {
                        out[columns.clone()].copy_from_slice(&sums[..columns.len()]);
                    }
                    continue;
                }
                for (x, out) in x.chunks(inputs).zip(out.chunks_mut(outputs)) {
                    let [sums] = tile(panel, [x], fused);
                    out[columns.clone()].copy_from_slice(&sums[..columns.len()]);
                }
            }
        }
    }
}

/// Computes [`SIDE`] outputs for `N` rows, each summed from the first input to the last. `apart` is the distance
/// between the weights of successive inputs.
///
/// Counted loops and slices of equal length let the compiler keep all sums in registers.
#[inline(always)]
fn tile<const N: usize>(
    (weights, apart): (&[f32], usize),
    x: [&[f32]; N],
    fused: bool,
) -> [[f32; SIDE]; N] {
    let inputs = x[0].len();
    let x = x.map(|x| &x[..inputs]);
    let mut sums = [[0.0_f32; SIDE]; N];
    for (k, weights) in weights.chunks(apart).take(inputs).enumerate() {
        let weights = &weights[..SIDE];
        for r in 0..N {
            let x = x[r][k];
            for j in 0..SIDE {
                sums[r][j] = if fused {
                    x.mul_add(weights[j], sums[r][j])
                } else {
                    sums[r][j] + x * weights[j]
                };
            }
        }
    }
    sums
}

/// Keys and values that a query attends to. Row `row_ids[t]` of each matrix belongs to position `t`.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// Keys, `[rows, d_model]`.
    pub keys: &'a [f32],
    /// Values, `[rows, d_model]`.
    pub values: &'a [f32],
    /// Row of each position.
    pub row_ids: &'a [u32],
}

/// The linear maps of a multi-head attention, packed for few rows.
pub struct PackedAttention {
    /// W_Q.
    pub query: Packed,
    /// W_K.
    pub key: Packed,
    /// W_V.
    pub value: Packed,
    /// W_O.
    pub output: Packed,
    heads: usize,
}

impl PackedAttention {
    /// Packs the linear maps of `attention`.
    pub fn new(attention: &MultiHeadAttention, params: &Params) -> Self {
        Self {
            query: Packed::of(&attention.query, params),
            key: Packed::of(&attention.key, params),
            value: Packed::of(&attention.value, params),
            output: Packed::of(&attention.output, params),
            heads: attention.heads,
        }
    }

    /// Attention of each row of `x [rows, d_model]` over the keys and values that `seen` returns for it, to which W_K
    /// and W_V have already been applied.
    pub fn forward<'s>(&self, x: &[f32], seen: impl Fn(usize) -> Seen<'s>) -> Vec<f32> {
        let d = self.query.outputs;
        let queries = self.query.forward(x);
        let mut context = vec![0.0; queries.len()];
        let rows = queries.chunks(d).zip(context.chunks_mut(d));
        for (row, (query, out)) in rows.enumerate() {
            attend(query, seen(row), self.heads, out);
        }
        self.output.forward(&context)
    }
}

/// The linear maps of a feed-forward layer, packed for few rows.
pub struct PackedFeedForward {
    /// W₁.
    pub w_1: Packed,
    /// W₂.
    pub w_2: Packed,
    activation: Activation,
}

impl PackedFeedForward {
    /// Packs the linear maps of `layer`.
    pub fn new(layer: &FeedForward, params: &Params) -> Self {
        Self {
            w_1: Packed::of(&layer.w_1, params),
            w_2: Packed::of(&layer.w_2, params),
            activation: layer.activation,
        }
    }

    /// Applies the layer to each row of `x [rows, d_model]`.
    pub fn forward(&self, x: &[f32]) -> Vec<f32> {
        let mut inner = self.w_1.forward(x);
        self.activation.cells(&mut inner);
        self.w_2.forward(&inner)
    }
}

/// Attention of one query `[d_model]` with `heads` heads; adds the context `[d_model]` to `out`.
fn attend(query: &[f32], seen: Seen<'_>, heads: usize, out: &mut [f32]) {
    let d_k = query.len() / heads;
    let scale = 1.0 / (d_k as f32).sqrt();
    let mut weights = vec![0.0; seen.row_ids.len()];
    for head in 0..heads {
        let columns = head * d_k..(head + 1) * d_k;
        let query = &query[columns.clone()];
        scores(
            query,
            seen.keys,
            seen.row_ids,
            out.len(),
            columns.start,
            &mut weights,
        );
        vector::masked_softmax(&mut weights, scale, None);
        mix(
            &weights,
            seen.values,
            seen.row_ids,
            columns.start,
            out.len(),
            &mut out[columns],
        );
    }
}

#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
fn scores(
    query: &[f32],
    keys: &[f32],
    row_ids: &[u32],
    width: usize,
    first: usize,
    out: &mut [f32],
) {
    for (out, &row) in out.iter_mut().zip(row_ids) {
        let key = &keys[row as usize * width + first..][..query.len()];
        *out = vector::lanes2(query, key, |q, k| q * k);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
fn mix(
    weights: &[f32],
    values: &[f32],
    row_ids: &[u32],
    first: usize,
    width: usize,
    out: &mut [f32],
) {
    for (weight, &row) in weights.iter().zip(row_ids) {
        let value = &values[row as usize * width + first..][..out.len()];
        for (out, v) in out.iter_mut().zip(value) {
            *out += weight * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::random;

    #[test]
    fn a_packed_map_is_the_matrix_product_and_a_row_has_the_same_bits_in_any_company() {
        for (rows, inputs, outputs) in [(1, 3, 5), (7, 20, 33), (9, 16, 64), (14, 500, 600)] {
            let x = random::normal(&[rows, inputs], 1.0, 3, "x");
            let weight = random::normal(&[outputs, inputs], 1.0, 3, "weight");
            let map = Packed::new(&weight, None);
            let y = map.forward(x.data());
            let whole = matmul::matmul_t(&x, &weight);
            assert!(
                y.iter()
                    .zip(whole.data())
                    .all(|(a, b)| (a - b).abs() < 1e-4)
            );
            // The portable loops give the same bits, here and on other chips with fused multiply-add.
            let mut loops = vec![f32::NAN; y.len()];
            product(&map.panels, inputs, x.data(), outputs, &mut loops);
            assert_eq!(loops, y, "{rows} rows");
            let one_by_one = x.data().chunks(inputs).flat_map(|x| map.forward(x));
            assert!(one_by_one.eq(y.iter().copied()), "{rows} rows");
        }
    }
}
