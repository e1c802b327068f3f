//! Write the backward half of softmax. Save, and the check runs.

use transformer_tutor::autograd::Var;

/// The gradient by what went into a softmax over the last axis: `dx = y ⊙ (dy − Σ dy ⊙ y)`, row by row.
///
/// `y […, n]` is what the softmax gave (each row sums to 1), `dy […, n]` the gradient of the loss by `y`.
/// The result has their shape.
///
/// What you can use: `a.mul(&b)` and `a.sub(&b)`, cell by cell, which broadcast an axis of size 1;
/// `x.row_mean()`, `[…, n]` → `[…, 1]`; `x.scale(number)`; and the width of a row, `y.value().last()`.
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let _ = (y, dy);
    todo!("the weighted average of the row, what is left of dy without it, times the weight")
}
