//! Write a linear layer with its gradient. Save, and the check runs.

use transformer_tutor::tensor::Tensor;

/// A linear layer `y = x Wᵀ + b`, and the gradients of a loss by everything that goes in.
///
/// - `x [n, in]`: a row for each position
/// - `weight [out, in]`: W, as PyTorch keeps it
/// - `bias [out]`
/// - `dy [n, out]`: the gradient of the loss by `y`
/// - the result: `y [n, out]`, then the gradients `[dx, dweight, dbias]`, each of the shape of what it belongs to
///
/// What you can use:
///
/// - `a.at(&[i, j]) -> f32`, and `a.shape() -> &[usize]`
/// - `Tensor::from_fn(&[rows, columns], |i| …)`, which asks for each cell, `i[0]` and `i[1]` being its place
/// - iterators: `(0..n).map(|i| …).sum::<f32>()`
///
/// An example: x `[[2, 3]]`, W `[[10, 1]]`, b `[0.5]` and dy `[[2]]` give y `[[23.5]]`, dx `[[20, 2]]`, dW `[[4, 6]]`
/// and db `[2]`.
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let _ = (x, weight, bias, dy);
    todo!("write linear")
}
