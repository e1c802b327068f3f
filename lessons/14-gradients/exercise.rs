//! Write the backward pass of softmax. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;

/// The gradient of the loss with respect to the input of a softmax over the last axis. Derive it before
/// you check it against the lesson: the forward pass turned each row of x into weights, and every cell of x moves all
/// cells of its row of y.
///
/// - `y […, n]`: the output of the softmax; each row sums to 1
/// - `dy […, n]`: the gradient of the loss with respect to `y`
/// - the result: `[…, n]`
///
/// An example: y `[0.7, 0.2, 0.1]` and dy `[1, 0, 0]` give `[0.21, -0.14, -0.07]`. Finite differences agree: raise one
/// cell of x by 0.001, apply softmax again, and the loss, the sum of all cells of `y` times those of `dy`, rises by
/// 0.001 times the gradient's cell. With dy `[1, 1, 1]` the result is 0.
///
/// # Guidance
///
/// Take the example apart. Each cell has its own share of y as a factor; what is the other factor, and where does every
/// row get the same number from? The sum of a row is its mean times its length.
///
/// What you can use:
///
/// - `a.mul(&b) -> Var` and `a.sub(&b) -> Var`, cell by cell; an axis of size 1 broadcasts
/// - `x.row_mean() -> Var`, `[…, n]` → `[…, 1]`
/// - `x.scale(factor: f32) -> Var`
/// - `x.shape() -> Vec<usize>`
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let _ = (y, dy);
    todo!("write softmax_backward")
}
