//! Write the learning rate of the paper. In the course, or under `exercise watch`, every save is checked.

/// The learning rate of a step, as in Vaswani et al. (2017, section 5.3).
///
/// It rises in a straight line for `warmup` steps, and then falls in proportion to the inverse square root of the step.
/// The two parts meet at step `warmup`. In the falling part the rate is `factor`, divided by the square roots of
/// `d_model` and of the step.
///
/// - `step`: the number of the update, from 1; 0 counts as 1
/// - `d_model`: the model's width; `warmup`: in steps
///
/// An example: step 100 of a model with `d_model` 16, `factor` 1 and `warmup` 25 has the rate 0.025.
///
/// # Guidance
///
/// In the example the two parts meet at step 25, where the rate is 0.05. So it is 0.002 at step 1 and 0.02 at step 10.
///
/// What you can use: `n as f64`, `x.powf(p)`, `x.sqrt()`, `a.min(b)` and `step.max(1)`.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let _ = (step, d_model, factor, warmup);
    todo!("write noam_rate")
}
