//# LayerNorm comes after the addition, as in the paper's post-norm form.
//= post-norm
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    norm.forward(&x.add(&sublayer(x).dropout(dropout)))
}
//# The sublayer's result is added to the normalised x instead of x itself.
//= normed-stream
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let x = norm.forward(x);
    let y = sublayer(&x).dropout(dropout);
    x.add(&y)
}
//# LayerNorm is forgotten, so the sublayer reads x as it is.
//= no-norm
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let _ = norm;
    x.add(&sublayer(x).dropout(dropout))
}
//# LayerNorm is applied to what the sublayer returns instead of what it reads.
//= norm-the-result
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = norm.forward(&sublayer(x));
    x.add(&y.dropout(dropout))
}
//# Dropout is forgotten.
//= no-dropout
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let _ = dropout;
    let normed = norm.forward(x);
    x.add(&sublayer(&normed))
}
//# Dropout is applied to the sum, so it also drops cells of x.
//= drop-the-sum
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = sublayer(&norm.forward(x));
    x.add(&y).dropout(dropout)
}
//# Dropout is applied to what the sublayer reads instead of what it returns.
//= drop-before
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let read = norm.forward(x).dropout(dropout);
    x.add(&sublayer(&read))
}
//# The sublayer's result replaces x instead of being added to it.
//= no-residual
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    sublayer(&norm.forward(x)).dropout(dropout)
}
//# Dropout is taken for the probability of keeping a cell, as in TensorFlow 1.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = sublayer(&norm.forward(x)).dropout((1.0 - dropout).min(0.999));
    x.add(&y)
}
//# The sum is normalised again, so LayerNorm is applied in both places.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = sublayer(&norm.forward(x)).dropout(dropout);
    norm.forward(&x.add(&y))
}
//# The sublayer's result is scaled by 1 − dropout, although dropout has already preserved the expected value.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = sublayer(&norm.forward(x));
    let y = y.dropout(dropout).scale(1.0 - dropout);
    x.add(&y)
}
//# The sum is multiplied by √½ to preserve its variance, as in convolutional translation models.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = sublayer(&norm.forward(x)).dropout(dropout);
    x.add(&y).scale(0.5_f32.sqrt())
}
//# The sublayer's result minus its input is added, as if the sublayer returned a new x instead of a change.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let normed = norm.forward(x);
    let change = sublayer(&normed).sub(&normed);
    x.add(&change.dropout(dropout))
}
//# Adds the sublayer's result to the normalised x, so the direct path runs through LayerNorm.
//= normed-stream
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;

pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let x = norm.forward(x);
    let y = sublayer(&x).dropout(dropout);
    x.add(&y)
}
//# Applies dropout to the whole sum, not only to what the sublayer adds.
//= drop-the-sum
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;

pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = sublayer(&norm.forward(x));
    x.add(&y).dropout(dropout)
}
//# Normalises what comes out of the sublayer, not what goes into it.
//= norm-the-result
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;

pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = norm.forward(&sublayer(x));
    x.add(&y.dropout(dropout))
}
