//! Write layer normalisation. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;

/// `scale ⊙ (x − mean) / (std + epsilon) + bias`, row by row of the last axis, with the unbiased
/// standard deviation, as in the Annotated Transformer.
///
/// x `[batch, length, d_model]`, scale and bias `[d_model]`.
///
/// What you can use: `x.row_mean()` and `x.row_std(Deviation::Unbiased)`, one number a row; `a.sub(&b)`,
/// `a.div(&b)`, `a.mul(&b)`, `a.add(&b)`, which broadcast; and a number as a tensor:
/// `x.tape().constant("epsilon", Tensor::scalar(epsilon), &[])`.
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let _ = (x, scale, bias, epsilon, Deviation::Unbiased, Tensor::scalar);
    todo!("mean, standard deviation, centre, divide, scale, shift")
}
