//! Loops over rows that the operations, their fused forms and the decoder share, compiled for the chip's vector unit.
//!
//! Sums are accumulated in 16 lanes on every chip, so that the bits are the same on all.

use multiversion::multiversion;

use super::mask::MaskRow;
#[cfg(target_arch = "x86_64")]
use super::short;

pub(super) const LANES: usize = 16;

/// `eˣ` to within two units in the last place, and exactly 0 below −87, where f32 has no normal numbers left.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // x = n · ln 2 + r: 2ⁿ goes into the bits of the exponent, and eʳ is a polynomial (Cephes).
    const ROUND: f32 = 12_582_912.0; // 1.5 · 2²³: adding it leaves the nearest whole number in the low bits.
    let inside = x.clamp(-87.0, 88.0);
    let shifted = inside * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = inside - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let p = 1.987_569_1e-4;
    let p = p * r + 1.398_199_9e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 1.666_666_5e-1;
    let p = p * r + 5e-1;
    let power = p * r * r + r + 1.0;
    let scale = f32::from_bits(
        shifted
            .to_bits()
            .wrapping_sub(0x4B40_0000)
            .wrapping_add(127)
            << 23,
    );
    if x < -87.0 { 0.0 } else { power * scale }
}

/// The sum of `f` over all cells, accumulated in lanes.
#[inline(always)]
fn lanes(x: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0; LANES];
    let (whole, rest) = x.as_chunks::<LANES>();
    for part in whole {
        for (sum, &x) in sums.iter_mut().zip(part) {
            *sum += f(x);
        }
    }
    for (sum, &x) in sums.iter_mut().zip(rest) {
        *sum += f(x);
    }
    fold(sums)
}

/// The sum of `f` over all pairs of cells, accumulated in lanes. For callers that are themselves compiled for the
/// chip's vector unit.
#[inline(always)]
pub fn lanes2(x: &[f32], y: &[f32], f: impl Fn(f32, f32) -> f32) -> f32 {
    let mut sums = [0.0; LANES];
    let (xs, x_rest) = x.as_chunks::<LANES>();
    let (ys, y_rest) = y.as_chunks::<LANES>();
    for (x, y) in xs.iter().zip(ys) {
        for ((sum, &x), &y) in sums.iter_mut().zip(x).zip(y) {
            *sum += f(x, y);
        }
    }
    for ((sum, &x), &y) in sums.iter_mut().zip(x_rest).zip(y_rest) {
        *sum += f(x, y);
    }
    fold(sums)
}

#[inline(always)]
fn fold(mut sums: [f32; LANES]) -> f32 {
    for half in [8, 4, 2, 1] {
        for i in 0..half {
            sums[i] += sums[i + half];
        }
    }
    sums[0]
}

#[inline(always)]
fn largest(x: &[f32]) -> f32 {
    let mut most = [f32::NEG_INFINITY; LANES];
    let (whole, rest) = x.as_chunks::<LANES>();
    for part in whole {
        for (most, &x) in most.iter_mut().zip(part) {
            *most = if x > *most { x } else { *most };
        }
    }
    for (most, &x) in most.iter_mut().zip(rest) {
        *most = if x > *most { x } else { *most };
    }
    most.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b))
}

/// Softmax of a row, in place; returns the logarithm of the sum of its exponentials.
#[inline(always)]
fn softmax_row(row: &mut [f32]) -> f32 {
    if row.len() <= LANES {
        return softmax_short(row);
    }
    // Subtract the maximum: exp overflows f32 above 88.
    let (log_sum, share) = exponentials_row(row, largest(row));
    for x in row.iter_mut() {
        *x *= share;
    }
    log_sum
}

/// [`softmax_row`] of a row that fits into one vector, as attention's rows do if sentences are short. It is padded with
/// −∞, whose exponential adds 0, so the bits are those of the loops.
#[inline(always)]
fn softmax_short(row: &mut [f32]) -> f32 {
    let mut x = padded(row, f32::NEG_INFINITY);
    let max = largest(&x);
    for x in &mut x {
        *x = exp(*x - max);
    }
    let sum = fold(x);
    let share = 1.0 / sum;
    for x in &mut x {
        *x *= share;
    }
    row.copy_from_slice(&x[..row.len()]);
    max + sum.ln()
}

/// At most [`LANES`] cells as a vector, padded with `fill`.
#[inline(always)]
fn padded(cells: &[f32], fill: f32) -> [f32; LANES] {
    let mut all = [fill; LANES];
    all[..cells.len()].copy_from_slice(cells);
    all
}

/// Softmax of a row, in place: makes its cells positive with sum 1. Returns the logarithm of the sum of its
/// exponentials.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn softmax(row: &mut [f32]) -> f32 {
    softmax_row(row)
}

/// Adds `bias`, if any, to a row of scores, and returns their sum and the largest, all in one pass.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn biased(row: &mut [f32], bias: Option<&[f32]>) -> (f32, f32) {
    let Some(bias) = bias else {
        return (lanes(row, |x| x), largest(row));
    };
    let (mut sums, mut most) = ([0.0; LANES], [f32::NEG_INFINITY; LANES]);
    let ((xs, x_rest), (bs, b_rest)) = (row.as_chunks_mut::<LANES>(), bias.as_chunks::<LANES>());
    for (x, b) in xs.iter_mut().zip(bs) {
        for i in 0..LANES {
            x[i] += b[i];
            sums[i] += x[i];
            most[i] = if x[i] > most[i] { x[i] } else { most[i] };
        }
    }
    for (i, (x, b)) in x_rest.iter_mut().zip(b_rest).enumerate() {
        *x += b;
        sums[i] += *x;
        most[i] = if *x > most[i] { *x } else { most[i] };
    }
    let most = most.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    (fold(sums), most)
}

/// Replaces every cell `x` by `exp(x − max)`, in one pass. Returns the logarithm of the sum of `exp(x)`, and the factor
/// that turns the new cells into a [`softmax`].
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn exponentials(row: &mut [f32], max: f32) -> (f32, f32) {
    exponentials_row(row, max)
}

#[inline(always)]
fn exponentials_row(row: &mut [f32], max: f32) -> (f32, f32) {
    let mut sums = [0.0; LANES];
    let (whole, rest) = row.as_chunks_mut::<LANES>();
    for part in whole {
        for (x, sum) in part.iter_mut().zip(&mut sums) {
            *x = exp(*x - max);
            *sum += *x;
        }
    }
    for (x, sum) in rest.iter_mut().zip(&mut sums) {
        *x = exp(*x - max);
        *sum += *x;
    }
    let sum = fold(sums);
    (max + sum.ln(), 1.0 / sum)
}

/// `x = (share · x − shift) · scale`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn share_shift_scaled(x: &mut [f32], share: f32, shift: f32, scale: f32) {
    for x in x {
        *x = (*x * share - shift) * scale;
    }
}

/// The logarithm of [`softmax`], in place: `x − log Σ exp(x)`, without probabilities, which could round to 0.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn log_softmax(row: &mut [f32]) {
    let max = largest(row);
    let log_sum = max + lanes(row, |x| exp(x - max)).ln();
    for x in row {
        *x -= log_sum;
    }
}

/// `1 / (1 + e⁻ˣ)`, for a negative `x` computed as `eˣ / (1 + eˣ)`, because `e⁻ˣ` could overflow.
#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    let e = exp(-x.abs());
    (if x < 0.0 { e } else { 1.0 }) / (1.0 + e)
}

/// Each cell times its own sigmoid, in place.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn silu(x: &mut [f32]) {
    for x in x {
        *x *= sigmoid(*x);
    }
}

/// Multiplies gradients by the derivative of [`silu`] at `x`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn silu_back(slopes: &mut [f32], x: &[f32]) {
    for (slope, &x) in slopes.iter_mut().zip(x) {
        let s = sigmoid(x);
        *slope *= s + x * s * (1.0 - s);
    }
}

/// [`softmax`] of `scale · row`, with −1e9 in the cells that `mask` blocks, or with its bias added.
pub fn masked_softmax(row: &mut [f32], scale: f32, mask: Option<MaskRow<'_>>) {
    #[cfg(target_arch = "x86_64")]
    if (1..=LANES).contains(&row.len()) && short::is_here() {
        // SAFETY: `is_here` has checked the features that the function is compiled for.
        return unsafe { short::masked_softmax(row, scale, mask) };
    }
    masked_softmax_loops(row, scale, mask);
}

#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
fn masked_softmax_loops(row: &mut [f32], scale: f32, mask: Option<MaskRow<'_>>) {
    match mask {
        Some(MaskRow::Keep(mask)) => {
            for (x, m) in row.iter_mut().zip(mask) {
                *x = if *m == 0.0 { -1e9 } else { *x * scale };
            }
        }
        Some(MaskRow::Bias(bias)) => {
            for (x, b) in row.iter_mut().zip(bias) {
                *x = *x * scale + b;
            }
        }
        None => {
            for x in row.iter_mut() {
                *x *= scale;
            }
        }
    }
    softmax_row(row);
}

/// The backward pass through [`masked_softmax`] and dropout: turns the gradient with respect to the weights after
/// dropout into that with respect to the scores. `kept` holds the dropout factors.
pub fn softmax_back(slope: &mut [f32], weights: &[f32], kept: Option<&[f32]>, scale: f32) {
    #[cfg(target_arch = "x86_64")]
    if (1..=LANES).contains(&slope.len()) && short::is_here() {
        // SAFETY: `is_here` has checked the features that the function is compiled for.
        return unsafe { short::softmax_back(slope, weights, kept, scale) };
    }
    softmax_back_loops(slope, weights, kept, scale);
}

#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
fn softmax_back_loops(slope: &mut [f32], weights: &[f32], kept: Option<&[f32]>, scale: f32) {
    if slope.len() <= LANES {
        let (mut d, w) = (padded(slope, 0.0), padded(weights, 0.0));
        if let Some(kept) = kept {
            let kept = padded(kept, 0.0);
            for (d, k) in d.iter_mut().zip(kept) {
                *d *= k;
            }
        }
        let along = lanes2(&d, &w, |d, w| d * w);
        for (d, w) in d.iter_mut().zip(w) {
            *d = w * (*d - along) * scale;
        }
        return slope.copy_from_slice(&d[..slope.len()]);
    }
    if let Some(kept) = kept {
        for (d, k) in slope.iter_mut().zip(kept) {
            *d *= k;
        }
    }
    let along = lanes2(slope, weights, |d, w| d * w);
    for (d, w) in slope.iter_mut().zip(weights) {
        *d = w * (*d - along) * scale;
    }
}

/// Computes one dropout factor per random word: 0 if the word, scaled to 0..1, is below `p`, otherwise `kept`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn dropped(words: &[u32], p: f32, kept: f32, factors: &mut [f32]) {
    for (factor, word) in factors.iter_mut().zip(words) {
        // The upper 24 bits, as in rand's conversion to f32.
        let share = (word >> 8) as f32 * (1.0 / 16_777_216.0);
        *factor = if share < p { 0.0 } else { kept };
    }
}

/// `x = (x − shift) · scale`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn shift_scaled(x: &mut [f32], shift: f32, scale: f32) {
    for x in x {
        *x = (*x - shift) * scale;
    }
}

/// `Σ x`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn sum(x: &[f32]) -> f32 {
    lanes(x, |x| x)
}

/// `Σ x · y`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn dot(x: &[f32], y: &[f32]) -> f32 {
    lanes2(x, y, |x, y| x * y)
}

/// `Σ (x − mean)²`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn squares(x: &[f32], mean: f32) -> f32 {
    lanes(x, |x| (x - mean) * (x - mean))
}

/// `y += x`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn add(y: &mut [f32], x: &[f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += x;
    }
}

/// `y *= x`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn mul(y: &mut [f32], x: &[f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y *= x;
    }
}

/// `x · y`, cell by cell, copied and multiplied in pieces that stay in the L1 cache.
pub fn times(x: &[f32], y: &[f32]) -> Vec<f32> {
    const PIECE: usize = 1 << 10;
    let mut product = Vec::with_capacity(x.len());
    for (x, y) in x.chunks(PIECE).zip(y.chunks(PIECE)) {
        let at = product.len();
        product.extend_from_slice(x);
        mul(&mut product[at..], y);
    }
    product
}

/// Adds `row` to every row of `x`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn add_to_rows(x: &mut [f32], row: &[f32]) {
    for x in x.chunks_exact_mut(row.len()) {
        for (x, b) in x.iter_mut().zip(row) {
            *x += b;
        }
    }
}

/// LayerNorm of a row, in place: `scale ⊙ (x − mean) · narrow + bias`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn norm_row(row: &mut [f32], mean: f32, narrow: f32, scale: &[f32], bias: &[f32]) {
    for ((x, s), b) in row.iter_mut().zip(scale).zip(bias) {
        *x = (*x - mean) * narrow * s + b;
    }
}

/// What the backward pass through a normalised row needs of the forward pass.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    /// Mean of the row.
    pub mean: f32,
    /// Divisor of the row: its standard deviation with ε.
    pub spread: f32,
    /// Derivative of the spread with respect to a cell, divided by the normalised cell: see `normalize` in
    /// [`crate::ops`].
    pub slope: f32,
}

/// The backward pass through a row of LayerNorm: turns `dy` into the gradient of the row `x`, and adds to those of
/// scale and bias.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn norm_row_back(
    dy: &mut [f32],
    x: &[f32],
    scale: &[f32],
    moments: Moments,
    dscale: &mut [f32],
    dbias: &mut [f32],
) {
    let (mean, narrow) = (moments.mean, 1.0 / moments.spread);
    let gathered = dscale.iter_mut().zip(dbias.iter_mut());
    for ((d, x), (ds, db)) in dy.iter().zip(x).zip(gathered) {
        *ds += d * ((x - mean) * narrow);
        *db += d;
    }
    for (d, s) in dy.iter_mut().zip(scale) {
        *d *= s;
    }
    normal_back(dy, x, moments);
}

/// The backward pass through `(x − mean) / spread`: turns `dy` into the gradient of the row `x`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn normal_row_back(dy: &mut [f32], x: &[f32], moments: Moments) {
    normal_back(dy, x, moments);
}

#[inline(always)]
fn normal_back(dy: &mut [f32], x: &[f32], moments: Moments) {
    let Moments { mean, slope, .. } = moments;
    let narrow = 1.0 / moments.spread;
    let middle = lanes(dy, |d| d) / dy.len() as f32;
    let along = lanes2(dy, x, |d, x| d * ((x - mean) * narrow)) * slope;
    for (d, x) in dy.iter_mut().zip(x) {
        *d = (*d - middle - (x - mean) * narrow * along) * narrow;
    }
}

// ANCHOR: adam
/// One step of Adam over a tensor's cells, after AdamW's `decay`: see [`crate::train::adam`].
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub fn adam(x: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    let s = *step;
    let cells = x.iter_mut().zip(g).zip(m.iter_mut().zip(v.iter_mut()));
    for ((x, &g), (m, v)) in cells {
        let g = g * s.gradient;
        *m = s.beta1 * *m + (1.0 - s.beta1) * g;
        *v = s.beta2 * *v + (1.0 - s.beta2) * g * g;
        *x -= s.rate * s.decay * *x;
        *x -= s.rate * (*m / s.correction1) / ((*v / s.correction2).sqrt() + s.epsilon);
    }
}
// ANCHOR_END: adam

/// The numbers of one step of [`adam`].
#[derive(Clone, Copy, Debug)]
pub struct AdamStep {
    /// The factor by which the gradient is multiplied first.
    pub gradient: f32,
    /// The learning rate.
    pub rate: f32,
    /// Decay rate of the mean gradient.
    pub beta1: f32,
    /// Decay rate of the mean square.
    pub beta2: f32,
    /// `1 − beta1ᵗ`.
    pub correction1: f32,
    /// `1 − beta2ᵗ`.
    pub correction2: f32,
    /// ε, added to the square root.
    pub epsilon: f32,
    /// Weight decay: a step first takes `rate · decay` of each weight away.
    pub decay: f32,
}

#[cfg(test)]
mod tests;
