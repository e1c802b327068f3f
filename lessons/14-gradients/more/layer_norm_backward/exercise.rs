//! Write the backward pass of layer normalisation. Save, and the check runs.

use transformer_tutor::tensor::Tensor;

/// The gradients of a loss with respect to all inputs of layer normalisation.
///
/// The forward pass was, for each row of `x`: `x̂ = (x − mean) / sqrt(variance + epsilon)` and `y = scale ⊙ x̂ + bias`.
/// The variance is the mean of the squared distances, divided by `d`, as in PyTorch's LayerNorm.
///
/// - `x [n, d]`, `scale [d]`, and `dy [n, d]`, the gradient of the loss with respect to `y`
/// - the result: `[dx [n, d], dscale [d], dbias [d]]`
///
/// What you can use:
///
/// - `x.data() -> &[f32]`, row by row, and `data.chunks(d)`; `x.last() -> usize`, the length of a row
/// - `Tensor::new(&[n, d], cells: Vec<f32>)`, and `x.shape() -> &[usize]`
/// - iterators: `zip`, `map`, `sum::<f32>()`
///
/// An example: x `[[-1, 1]]`, scale `[2, 2]`, epsilon 0 and dy `[[1, 3]]` give dx `[[0, 0]]`, dscale `[-1, 3]` and
/// dbias `[1, 3]`.
pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
    let _ = (x, scale, epsilon, dy);
    todo!("write layer_norm_backward")
}
