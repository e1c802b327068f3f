//! Write one step of Adam. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

/// One step of AdamW, number `step`, counted from 1:
///
/// ```text
/// m ← β₁ m + (1 − β₁) g        m̂ = m / (1 − β₁^step)
/// v ← β₂ v + (1 − β₂) g²       v̂ = v / (1 − β₂^step)
/// x ← x − rate · decay · x − rate · m̂ / (√v̂ + ε)
/// ```
///
/// - `x […]` are the weights; `gradient`, the mean `m` and the mean square `v` have the same shape
/// - `rules`: `rate`, `beta1`, `beta2`, `epsilon`, `decay`, all `f32`
///
/// You return `Moved { x, m, v }`, all three after the step.
///
/// What you can use:
///
/// - `a.add(&b)`, `a.sub(&b)`, `a.mul(&b)`, `a.div(&b)`, `a.sqrt()`, `a.scale(factor: f32) -> Var`, cell by cell
/// - `number.powi(step) -> f32`
/// - a number as a tensor: `x.tape().constant("epsilon", Tensor::scalar(rules.epsilon), &[]) -> Var`
///
/// An example, step 1 with rate 0.1, β₁ 0.9, β₂ 0.98, ε and decay 0: x 1, gradient 2, m and v 0 become x 0.9,
/// m 0.2 and v 0.08.
pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let _ = (x, gradient, m, v, step, rules, Tensor::scalar);
    todo!("write adam_step")
}
