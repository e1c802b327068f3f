//! Write softmax. In the course, or under `exercise watch`, every save is checked.

/// Turns the scores of one row into weights. The ratio of two weights depends only on the difference of their scores: a
/// score that is higher by 1 has e times the weight.
///
/// - `scores`: `n` numbers of any size, such as 1,000; `n` may be 0
/// - a score of `f32::NEG_INFINITY` is blocked: its weight is 0
/// - the result: `n` weights that sum to 1; if every score is blocked, `n` zeros
///
/// An example: the scores `[0, 0, 1]` give `[0.212, 0.212, 0.576]`.
///
/// # Guidance
///
/// A weight is `exp(score)`, divided by the sum of `exp(score)` over the row. `exp` overflows in `f32` above 88, but
/// scores of 1,000 must still give weights.
///
/// What you can use: `x.exp()`, `f32::max`, and the iterators of slices (`fold`, `map`, `sum`, `collect`).
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let _ = scores;
    todo!("write softmax")
}
