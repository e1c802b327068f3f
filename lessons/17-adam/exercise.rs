//! Write one step of Adam. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

/// One step of AdamW (Kingma and Ba 2015; Loshchilov and Hutter 2019), number `step`, counted from 1.
///
/// Adam keeps two running means, `m` of the gradient and `v` of its square; each keeps the proportion `beta1` or
/// `beta2` of its old value. Both begin at 0, and are corrected for that before use. The step is `rate` times the
/// corrected `m`, measured in roots of the corrected `v`, with `epsilon` added to the root. Apart from that, the
/// weights lose the proportion `rate` times `decay` of what they were before the step.
///
/// - `x […]` are the weights; `gradient`, the mean `m` and the mean square `v` have the same shape
/// - `rules`: `rate`, `beta1`, `beta2`, `epsilon`, `decay`, all `f32`
///
/// You return `Moved { x, m, v }`, all three after the step and `m` and `v` without the correction.
///
/// An example, step 1 with rate 0.1, β₁ 0.9, β₂ 0.98, ε and decay 0: x 1, gradient 2, m and v 0 become x 0.9,
/// m 0.2 and v 0.08.
///
/// # Guidance
///
/// In the example `m` keeps 0.9 of 0 and takes 0.1 of the gradient 2, which makes 0.2. After one step 0.2 is a tenth of
/// what it should be: at step 1 the correction divides by 1 − 0.9, at step 2 by 1 − 0.81. So the corrected `m` is 2, the
/// corrected `v` is 4, and the step is 0.1 · 2 / 2.
///
/// What you can use:
///
/// - `a.add(&b)`, `a.sub(&b)`, `a.mul(&b)`, `a.div(&b)`, `a.sqrt()`, `a.scale(factor: f32) -> Var`, cell by cell
/// - `number.powi(step) -> f32`
/// - a number as a tensor: `x.tape().constant("epsilon", Tensor::scalar(rules.epsilon), &[]) -> Var`
pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let _ = (x, gradient, m, v, step, rules, Tensor::scalar);
    todo!("write adam_step")
}
