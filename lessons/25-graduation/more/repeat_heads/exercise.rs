//! Write the repetition behind grouped queries. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;

/// Gives every query head its head of keys or values, where several query heads share one.
///
/// - `x [batch, groups, length, d_k]`: the keys or the values, one head per group
/// - `heads`: number of query heads, a multiple of `groups`
/// - the result: `[batch, heads, length, d_k]`; neighbouring heads share a group
///
/// Gradients pass through: a group's gradient is the sum over the heads that share it.
///
/// An example: with 2 groups and 4 heads, heads 0 and 1 have group 0, heads 2 and 3 have group 1.
///
/// # Guidance
///
/// Head `h` has the rows of group `h / (heads / groups)`. What you can use:
///
/// - `x.shape() -> Vec<usize>`
/// - `x.unsqueeze(axis) -> Var` inserts an axis of size 1 at this position
/// - `x.expand(&shape, &axes) -> Var` repeats along axes of size 1
/// - `x.reshape(&shape, &axes) -> Var` keeps the cells in their order; axes are names like `"b"`, one per size
pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let _ = (x, heads);
    todo!("write repeat_heads")
}
