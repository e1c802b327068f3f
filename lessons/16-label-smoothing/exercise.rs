//! Write label smoothing. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// The smoothed target of every prediction: a distribution over the vocabulary.
///
/// - `targets […]`: ids as whole numbers; the result `[…, vocabulary]`
/// - the right token loses the share `smoothing` of its probability, which the others divide equally
/// - `padding` is none of the others and has 0; where the target is `padding`, the whole row is 0
///
/// An example: targets `[2]`, vocabulary 5, smoothing 0.3 and padding 0 give `[[0, 0.1, 0.7, 0.1, 0.1]]`.
///
/// # Guidance
///
/// The right token has the probability `1 − smoothing`. The tokens that are neither the right one nor `padding` share
/// the rest. What you can use:
///
/// - `targets.data() -> &[f32]`, all ids in order; `targets.shape() -> &[usize]`
/// - `Tensor::new(shape: &[usize], cells: Vec<f32>) -> Tensor`, cells row by row
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let _ = (targets, vocabulary, smoothing, padding);
    todo!("write smoothed_targets")
}
