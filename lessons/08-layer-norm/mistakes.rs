//! The classic mistakes of layer normalisation, each a function of the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;

/// The signature of layer normalisation.
pub type NormFn = fn(&Var, &Var, &Var, f32) -> Var;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, NormFn); 7] = [
    ("population", population),
    ("no-epsilon", no_epsilon),
    ("over-positions", over_positions),
    ("no-mean", no_mean),
    ("variance", variance),
    ("no-scale", no_scale),
    ("no-bias", no_bias),
];

fn plus(x: &Var, number: f32) -> Var {
    x.add(&x.tape().constant("epsilon", Tensor::scalar(number), &[]))
}

fn centred(x: &Var) -> Var {
    x.sub(&x.row_mean().named("mean")).named("centred")
}

fn std(x: &Var) -> Var {
    x.row_std(Deviation::Unbiased).named("std")
}

/// Rows of mean 0 and standard deviation 1.
fn normal(x: &Var, epsilon: f32) -> Var {
    let std = std(x);
    centred(x).div(&plus(&std, epsilon))
}

fn finish(normal: Var, scale: &Var, bias: &Var) -> Var {
    normal.named("normal").mul(scale).add(bias).named("norm")
}

/// The population standard deviation, over n.
pub fn population(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let std = x.row_std(Deviation::Population).named("std");
    finish(centred(x).div(&plus(&std, epsilon)), scale, bias)
}

/// Nothing is added to the standard deviation.
pub fn no_epsilon(x: &Var, scale: &Var, bias: &Var, _: f32) -> Var {
    let std = std(x);
    finish(centred(x).div(&std), scale, bias)
}

/// The mean and standard deviation of each channel over the positions.
pub fn over_positions(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    finish(normal(&x.transpose(), epsilon).transpose(), scale, bias)
}

/// The mean stays in.
pub fn no_mean(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    finish(x.div(&plus(&std(x), epsilon)), scale, bias)
}

/// Divided by the variance instead of its root.
pub fn variance(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let std = std(x);
    finish(centred(x).div(&plus(&std.mul(&std), epsilon)), scale, bias)
}

/// γ is left out.
pub fn no_scale(x: &Var, _: &Var, bias: &Var, epsilon: f32) -> Var {
    normal(x, epsilon).named("normal").add(bias).named("norm")
}

/// β is left out.
pub fn no_bias(x: &Var, scale: &Var, _: &Var, epsilon: f32) -> Var {
    normal(x, epsilon).named("normal").mul(scale).named("norm")
}

/// What else is got wrong, with what the check says of it.
pub static CLASSICS: [(&str, NormFn); 2] = [
    (
        "You divide by √(variance + ε), PyTorch's form. The form asked for adds ε to the standard deviation: std + ε.",
        |x, scale, bias, epsilon| {
            let std = std(x);
            let root = plus(&std.mul(&std), epsilon).sqrt();
            finish(centred(x).div(&root), scale, bias)
        },
    ),
    (
        "You add the bias before you multiply by the scale. The scale comes first: scale ⊙ normal + bias.",
        |x, scale, bias, epsilon| normal(x, epsilon).add(bias).mul(scale),
    ),
];
