//! Write the backward pass of layer normalisation. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// The gradients of a loss with respect to all inputs of layer normalisation. Derive them.
///
/// The forward pass was, for each row of `x`: subtract the mean and divide by the root of variance plus epsilon, which
/// gives `x̂`; then each channel is multiplied by its scale, and its bias added. The variance is the mean of the
/// squared distances, divided by `d`, as in PyTorch's LayerNorm.
///
/// - `x [n, d]`, `scale [d]`, and `dy [n, d]`, the gradient of the loss with respect to `y`
/// - the result: `[dx [n, d], dscale [d], dbias [d]]`
///
/// An example: x `[[-1, 1]]`, scale `[2, 2]`, epsilon 0 and dy `[[1, 3]]` give dx `[[0, 0]]`, dscale `[-1, 3]` and
/// dbias `[1, 3]`. Finite differences help where the example does not: raise one cell of x by 0.001, run the forward
/// pass again, and the sum of all cells of `y` times those of `dy` rises by 0.001 times that cell of dx. Adding the
/// same number to a whole row changes nothing, so each row of dx sums to 0.
///
/// # Guidance
///
/// Three steps, and the check says after each save which of them are right: `dbias`, then `dscale`, then `dx`. Return
/// `Tensor::zeros(x.shape())` for what is still missing. A cell of x reaches y in three ways: directly, through the mean,
/// and through the variance.
///
/// What you can use:
///
/// - `x.data() -> &[f32]`, row by row, and `data.chunks(d)`; `x.last() -> usize`, the length of a row
/// - `Tensor::new(&[n, d], cells: Vec<f32>)`, and `x.shape() -> &[usize]`
/// - iterators: `zip`, `map`, `sum::<f32>()`
pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
    let _ = (x, scale, epsilon, dy);
    todo!("write layer_norm_backward")
}
