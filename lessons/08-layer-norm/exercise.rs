//! Write layer normalisation. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;

/// Layer normalisation: brings each row of the last axis to mean 0 and standard deviation 1, then gives every channel
/// its own scale and bias.
///
/// - `x [batch, length, d_model]`; the result has the same shape
/// - `scale` and `bias [d_model]`
/// - The standard deviation is the unbiased one (over n − 1), and `epsilon` is added to it, as in the Annotated
///   Transformer.
///
/// An example: the row `[1, 2, 3, 6]` with scale 1, bias 0 and epsilon 0 becomes `[-0.926, -0.463, 0, 1.389]`.
///
/// # Guidance
///
/// In the example the mean is 3 and the standard deviation 2.160; the 6 is 3 above the mean, and has become 1.389.
///
/// What you can use:
///
/// - `x.row_mean() -> Var` and `x.row_std(deviation: Deviation) -> Var`, `[batch, length, 1]`; a `Deviation` is
///   `Unbiased` or `Population`
/// - `a.add(&b)`, `a.sub(&b)`, `a.mul(&b)`, `a.div(&b) -> Var`, cell by cell; an axis of size 1 broadcasts
/// - a number as a tensor: `x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]) -> Var`
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let _ = (x, scale, bias, epsilon, Deviation::Unbiased, Tensor::scalar);
    todo!("write layer_norm")
}
