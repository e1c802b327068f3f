//! The classic mistakes in the residual connection, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
use transformer_tutor::nn::residual::residual;

/// The sublayer inside the connection.
pub type Sublayer<'a> = &'a dyn Fn(&Var) -> Var;

/// The signature of the residual connection.
pub type ResidualFn = fn(&Var, &LayerNorm, f32, Sublayer) -> Var;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, ResidualFn); 8] = [
    ("no-residual", no_residual),
    ("post-norm", post_norm),
    ("no-norm", no_norm),
    ("normed-stream", normed_stream),
    ("norm-the-result", norm_the_result),
    ("drop-the-sum", drop_the_sum),
    ("drop-before", drop_before),
    ("no-dropout", no_dropout),
];

/// Mistakes that make no difference in evaluation.
pub static DROPPING: [(&str, ResidualFn); 3] = [
    ("drop-the-sum", drop_the_sum),
    ("drop-before", drop_before),
    ("no-dropout", no_dropout),
];

/// Returns the sublayer's result instead of adding it to x.
pub fn no_residual(x: &Var, norm: &LayerNorm, dropout: f32, sublayer: Sublayer) -> Var {
    sublayer(&norm.forward(x)).dropout(dropout)
}

/// Normalises the sum, as in the paper.
pub fn post_norm(x: &Var, norm: &LayerNorm, dropout: f32, sublayer: Sublayer) -> Var {
    transformer_tutor::nn::residual::post_norm(x, norm, dropout, sublayer)
}

/// Leaves out the LayerNorm.
pub fn no_norm(x: &Var, _: &LayerNorm, dropout: f32, sublayer: Sublayer) -> Var {
    x.add(&sublayer(x).dropout(dropout)).named("residual")
}

/// Normalises x on both paths, so that every layer rescales the residual stream.
pub fn normed_stream(x: &Var, norm: &LayerNorm, dropout: f32, sublayer: Sublayer) -> Var {
    let x = norm.forward(x);
    x.add(&sublayer(&x).dropout(dropout)).named("residual")
}

/// Normalises the sublayer's result instead of its input.
pub fn norm_the_result(x: &Var, norm: &LayerNorm, dropout: f32, sublayer: Sublayer) -> Var {
    let y = norm.forward(&sublayer(x)).dropout(dropout);
    x.add(&y).named("residual")
}

/// Applies dropout to the sum, and so to the residual stream.
pub fn drop_the_sum(x: &Var, norm: &LayerNorm, dropout: f32, sublayer: Sublayer) -> Var {
    let y = sublayer(&norm.forward(x));
    x.add(&y).named("residual").dropout(dropout)
}

/// Applies dropout to the sublayer's input.
pub fn drop_before(x: &Var, norm: &LayerNorm, dropout: f32, sublayer: Sublayer) -> Var {
    let y = sublayer(&norm.forward(x).dropout(dropout));
    x.add(&y).named("residual")
}

/// Drops nothing, not even in training.
pub fn no_dropout(x: &Var, norm: &LayerNorm, _: f32, sublayer: Sublayer) -> Var {
    x.add(&sublayer(&norm.forward(x))).named("residual")
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, ResidualFn); 5] = [
    (
        "You normalise twice, before the sublayer and after the sum. The pre-norm form has one LayerNorm, before the sublayer.",
        |x, norm, dropout, sublayer| norm.forward(&residual(x, norm, dropout, sublayer)),
    ),
    (
        "You scale the sublayer's result by 1 − dropout. Dropout already keeps the expected value, so add its result unscaled.",
        |x, norm, dropout, sublayer| {
            x.add(&no_residual(x, norm, dropout, sublayer).scale(1.0 - dropout))
        },
    ),
    (
        "You scale the sum by √½, as some convolutional models do. Leave it unscaled here: LayerNorm keeps the size in bounds.",
        |x, norm, dropout, sublayer| residual(x, norm, dropout, sublayer).scale(0.5_f32.sqrt()),
    ),
    (
        "You subtract the sublayer's input from its result. A sublayer returns a change: add it to x without subtracting anything.",
        |x, norm, dropout, sublayer| {
            let normed = norm.forward(x);
            x.add(&sublayer(&normed).sub(&normed).dropout(dropout))
        },
    ),
    (
        "You drop 1 − dropout of the cells. The number is the proportion that is dropped, not the one that is kept.",
        |x, norm, dropout, sublayer| residual(x, norm, 1.0 - dropout, sublayer),
    ),
];
