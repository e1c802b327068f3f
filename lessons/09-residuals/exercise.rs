//! Write the residual connection in its pre-norm form. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;

/// Runs a sublayer beside the stream: it reads the normalised x; dropout is applied to what it returns,
/// and the result is added to x itself.
///
/// x `[batch, length, d_model]`; the result has the same shape. `dropout` is the proportion of
/// the sublayer's result that a training run drops.
///
/// What you can use: `norm.forward(&x)`, `sublayer(&x)` (once), `y.dropout(dropout)`, `x.add(&y)`.
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let _ = (x, norm, dropout, sublayer);
    todo!("normalise, run, apply dropout, add")
}
