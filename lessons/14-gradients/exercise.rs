//! Write the backward pass of softmax. Save, and the check runs.

use transformer_tutor::autograd::Var;

/// The gradient of the loss with respect to the input of a softmax over the last axis: `dx = y ⊙ (dy − Σ dy ⊙ y)`, with
/// the sum over each row.
///
/// - `y […, n]`: the output of the softmax; each row sums to 1
/// - `dy […, n]`: the gradient of the loss with respect to `y`
/// - the result: `[…, n]`
///
/// What you can use:
///
/// - `a.mul(&b) -> Var` and `a.sub(&b) -> Var`, cell by cell; an axis of size 1 broadcasts
/// - `x.row_mean() -> Var`, `[…, n]` → `[…, 1]`
/// - `x.scale(factor: f32) -> Var`
/// - `x.shape() -> Vec<usize>`
///
/// An example: y `[0.7, 0.2, 0.1]` and dy `[1, 0, 0]` give `[0.21, -0.14, -0.07]`.
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let _ = (y, dy);
    todo!("write softmax_backward")
}
