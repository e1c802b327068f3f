//# The norm stands after the addition, as in the paper's post-norm form.
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
//# The norm is forgotten, so the sublayer reads x as it is.
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
//# The norm is applied to what the sublayer gives instead of what it reads.
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
//# Nothing is dropped in training.
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
//# Dropout runs over the sum, so it also drops cells of x.
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
//# Dropout is applied to what the sublayer reads instead of what it gives.
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
//# The dropout number is taken for the share of cells to keep, as TensorFlow 1 had it.
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
//# The sum is normalised a second time, so the norm stands in both places.
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
//# The sublayer's result is scaled by 1 − dropout by hand, although dropout has already kept the expected value.
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
//# The sum is multiplied by the root of one half to keep its variance, as convolutional translators do.
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
//# What is added is the sublayer's result minus its input, as if the sublayer returned a new x and not a change.
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
//# Adds the sublayer's result to the normalised x, so the direct path runs through the norm.
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
//# Drops cells of the whole sum, not only of what the sublayer adds.
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
