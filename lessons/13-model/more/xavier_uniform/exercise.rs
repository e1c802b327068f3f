//! Write Xavier initialisation. Save, and the check runs.

use transformer_tutor::tensor::Tensor;

/// A weight matrix with numbers drawn from the uniform distribution between `−limit` and `limit`, where
/// `limit = sqrt(6 / (fan_in + fan_out))` (Glorot and Bengio 2010).
///
/// - `fan_in`, `fan_out`: number of inputs and outputs of the layer
/// - `uniform()` gives the next random number, from 0 to 1; call it once per cell, row by row
/// - the result: `[fan_out, fan_in]`, as PyTorch stores a weight
///
/// What you can use: `x.sqrt()`, `n as f32`, and `Tensor::from_fn(&[rows, columns], |_| …)`, which asks for the cells
/// row by row.
///
/// An example: `fan_in` 4, `fan_out` 2 and the numbers 0, 0.5, 1, … begin with the cells −1, 0, 1.
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let _ = (fan_in, fan_out, uniform);
    todo!("write xavier_uniform")
}
