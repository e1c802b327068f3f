//! Write the alignment that attention suggests, and its error rate. In the course,
//! or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// The links that cross-attention suggests, as (source, target) pairs in the order of the target tokens, and their
/// alignment error rate (Och and Ney 2003, all true links sure).
///
/// - `weights [heads, positions, source]`: the cross-attention of one layer. Position `t` of the decoder is the one
///   that *predicts* token `t`; the last position predicts the EOS, which has no link.
/// - `truth`: the true links, (source, target), at least one
/// - a token is linked to the source token with the largest weight averaged over heads; of equal ones to the first
/// - the error is 0 if the links found are exactly the true ones, and 1 if none of them is; a link counts twice if it
///   is found and true, once if it is only one of the two
///
/// An example: one head with the rows `[0.9, 0.1]`, `[0.2, 0.8]`, `[0.5, 0.5]` and the truth `[(0, 0), (0, 1)]`
/// give the links `[(0, 0), (1, 1)]` and the error 0.5.
///
/// # Guidance
///
/// In the example two links are found and two are true, four in all. One of them is both, so it counts twice: half of
/// the four agree, and the error is the other half.
///
/// What you can use: `weights.shape() -> &[usize]`, `weights.at(&[head, position, source]) -> f32`,
/// `truth.contains(&link) -> bool`.
pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let _ = (weights, truth);
    todo!("write alignment")
}
