//! Write Xavier initialisation. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// A weight matrix with numbers drawn from a uniform distribution around 0, with the same limit on both sides (Glorot
/// and Bengio 2010). The variance of a cell is 2, divided by the sum of inputs and outputs; a uniform distribution has
/// a third of its limit squared as variance.
///
/// - `fan_in`, `fan_out`: number of inputs and outputs of the layer
/// - `uniform()` gives the next random number, from 0 to 1; call it once per cell, row by row
/// - the result: `[fan_out, fan_in]`, as PyTorch stores a weight
///
/// An example: `fan_in` 4, `fan_out` 2 and the numbers 0, 0.5, 1, … begin with the cells −1, 0, 1.
///
/// # Guidance
///
/// In the example the variance of a cell is 2 / 6, a third, and so the limit is 1.
///
/// What you can use: `x.sqrt()`, `n as f32`, and `Tensor::from_fn(&[rows, columns], |_| …)`, which asks for the cells
/// row by row.
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let _ = (fan_in, fan_out, uniform);
    todo!("write xavier_uniform")
}
