//! Attention's scores and its softmax in half precision.

/// The largest number of `f16`.
const LARGEST: f32 = 65_504.0;

/// Rounds to the nearest number of `f16`, which has 11 significant bits and, near 0, steps of 2⁻²⁴; infinite above
/// [`LARGEST`].
pub fn half(x: f32) -> f32 {
    let exponent = ((x.to_bits() >> 23) & 0xFF) as i32 - 127;
    let step = 2.0_f32.powi(exponent.max(-14) - 10);
    let rounded = (x / step).round_ties_even() * step;
    if rounded.abs() > LARGEST {
        f32::INFINITY.copysign(x)
    } else {
        rounded
    }
}

/// Width of the query and the key, and the number in each of their channels.
const D_K: usize = 64;
const CELL: f32 = 40.0;

/// Number of equal scores in the row whose exponentials are added.
const KEYS: usize = 4096;

/// A precision: how it rounds the result of an operation.
pub type Precision = fn(f32) -> f32;

/// The computation `name` with these roundings.
pub fn computed(name: &str, round: Precision) -> Option<f32> {
    Some(match name {
        "after" => divided_after(round),
        "before" => divided_before(round),
        // e¹², the exponential of a score of 12.
        "exponential" => round(12.0_f32.exp()),
        "sum" => sum(round),
        _ => return None,
    })
}

/// The score of a query and a key, divided by √d_k after the product.
fn divided_after(round: Precision) -> f32 {
    round(dot(CELL, CELL, round) / (D_K as f32).sqrt())
}

/// The same score, with the query divided by √d_k before the product.
fn divided_before(round: Precision) -> f32 {
    dot(round(CELL / (D_K as f32).sqrt()), CELL, round)
}

/// Dot product of two vectors with equal cells; only the result is rounded, since processors add up in `f32`.
fn dot(query: f32, key: f32, round: Precision) -> f32 {
    round(query * key * D_K as f32)
}

/// Sum over the exponentials of a row of scores that are all 0.
fn sum(round: Precision) -> f32 {
    (0..KEYS).fold(0.0, |sum, _| round(sum + 1.0))
}

/// Full precision, in which these numbers need no rounding.
pub fn full(x: f32) -> f32 {
    x
}
