//! Write the residual connection in its pre-norm form. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;

/// The pre-norm residual connection: x plus the sublayer's output for the normalised x. A training run drops some of
/// the cells that the sublayer adds.
///
/// - `x [batch, length, d_model]`; the result has the same shape
/// - `dropout`: the proportion of the sublayer's cells that a training run drops
///
/// What you can use:
///
/// - `norm.forward(&x) -> Var`, and `sublayer(&x) -> Var`, which can be called once
/// - `x.dropout(p: f32) -> Var`, `a.add(&b) -> Var`
///
/// An example: if the LayerNorm turns x = `[1, 3]` into `[-0.707, 0.707]`, and the sublayer doubles its input, the
/// result is `[-0.414, 4.414]`.
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let _ = (x, norm, dropout, sublayer);
    todo!("write residual")
}
