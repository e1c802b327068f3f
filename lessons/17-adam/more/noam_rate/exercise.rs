//! Write the learning rate of the paper. Save, and the check runs.

/// The learning rate of a step: `factor · d_model^(−1/2) · min(step^(−1/2), step · warmup^(−3/2))`.
///
/// It rises in a straight line for `warmup` steps and then falls with the root of the step.
///
/// - `step`: the number of the update, from 1; 0 counts as 1
/// - `d_model`: the model's width; `warmup`: in steps
///
/// What you can use: `n as f64`, `x.powf(p)`, `x.sqrt()`, `a.min(b)` and `step.max(1)`.
///
/// An example: step 100 of a model with `d_model` 16, `factor` 1 and `warmup` 25 has the rate 0.025.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let _ = (step, d_model, factor, warmup);
    todo!("write noam_rate")
}
