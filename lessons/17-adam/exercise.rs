//! Write one step of Adam. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

/// Step number `step`, counted from 1, of Adam with decay beside the step (AdamW).
///
/// x `[…]` are the weights, gradient, m (the mean gradient so far) and v (the mean square so far) have
/// the same shape. Returns the weights and both moments after the step.
///
/// What you can use: `a.scale(number)`, `a.add(&b)`, `a.sub(&b)`, `a.mul(&b)`, `a.div(&b)`,
/// `a.sqrt()`, all cell by cell; `rules.rate`, `beta1`, `beta2`, `epsilon`, `decay`;
/// `number.powi(step)`; and a number as a tensor:
/// `x.tape().constant("epsilon", Tensor::scalar(rules.epsilon), &[])`.
pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let _ = (x, gradient, m, v, step, rules, Tensor::scalar);
    todo!("both moments, their corrections, the step, the decay")
}
