//! The classic mistakes in layer normalisation, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;

/// The signature of layer normalisation.
pub type NormFn = fn(&Var, &Var, &Var, f32) -> Var;

/// Every mistake, by the name of the switch that turns it on.
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

/// Rows with mean 0 and standard deviation 1.
fn normal(x: &Var, epsilon: f32) -> Var {
    let std = std(x);
    centred(x).div(&plus(&std, epsilon))
}

fn finish(normal: Var, scale: &Var, bias: &Var) -> Var {
    normal.named("normal").mul(scale).add(bias).named("norm")
}

/// Uses the population standard deviation, over n.
pub fn population(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let std = x.row_std(Deviation::Population).named("std");
    finish(centred(x).div(&plus(&std, epsilon)), scale, bias)
}

/// Adds nothing to the standard deviation.
pub fn no_epsilon(x: &Var, scale: &Var, bias: &Var, _: f32) -> Var {
    let std = std(x);
    finish(centred(x).div(&std), scale, bias)
}

/// Takes mean and standard deviation of each channel over the positions.
pub fn over_positions(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    finish(normal(&x.transpose(), epsilon).transpose(), scale, bias)
}

/// Does not subtract the mean.
pub fn no_mean(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    finish(x.div(&plus(&std(x), epsilon)), scale, bias)
}

/// Divides by the variance instead of its root.
pub fn variance(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let std = std(x);
    finish(centred(x).div(&plus(&std.mul(&std), epsilon)), scale, bias)
}

/// Leaves out γ.
pub fn no_scale(x: &Var, _: &Var, bias: &Var, epsilon: f32) -> Var {
    normal(x, epsilon).named("normal").add(bias).named("norm")
}

/// Leaves out β.
pub fn no_bias(x: &Var, scale: &Var, _: &Var, epsilon: f32) -> Var {
    normal(x, epsilon).named("normal").mul(scale).named("norm")
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, NormFn); 17] = [
    (
        "You divide by √(variance + ε), PyTorch's form. The exercise needs the form that adds ε to the standard deviation: std + ε.",
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
    (
        "You take one mean and one standard deviation for the whole tensor. Each row has its own.",
        |x, scale, bias, epsilon| {
            let flat = x.reshape(&[1, 1, x.shape().iter().product()], &["", "", ""]);
            let normal = normal(&flat, epsilon).reshape(&x.shape(), &x.axes());
            finish(normal, scale, bias)
        },
    ),
    (
        "You divide only the mean. Divide the whole difference: (x − mean) / (std + ε).",
        |x, scale, bias, epsilon| {
            let divided = x.row_mean().div(&plus(&std(x), epsilon));
            finish(x.sub(&divided), scale, bias)
        },
    ),
    (
        "You apply scale and bias to x and normalise the result. Normalise x first: scale ⊙ normal + bias.",
        |x, scale, bias, epsilon| normal(&x.mul(scale).add(bias), epsilon),
    ),
    (
        "You add ε to the quotient. It belongs to the divisor: (x − mean) / (std + ε).",
        |x, scale, bias, epsilon| finish(plus(&normal(x, 0.0), epsilon), scale, bias),
    ),
    (
        "You add 1e-6, the usual ε. Add the epsilon that is passed to your function.",
        |x, scale, bias, _| finish(normal(x, 1e-6), scale, bias),
    ),
    (
        "The results are right, but your mean and standard deviation are constants: no gradient passes through them. Compute with the Var itself, not with its value().",
        |x, scale, bias, epsilon| {
            let constant = |v: Var| x.tape().constant("constant", v.value(), &v.axes());
            let (mean, std) = (constant(x.row_mean()), constant(std(x)));
            finish(x.sub(&mean).div(&plus(&std, epsilon)), scale, bias)
        },
    ),
    (
        "You add the scale to the normalised row. The scale multiplies it: scale ⊙ normal + bias.",
        |x, scale, bias, epsilon| normal(x, epsilon).add(scale).add(bias),
    ),
    (
        "You multiply by 1 + scale. The scale is the factor itself; it is initialised to 1.",
        |x, scale, bias, epsilon| finish(normal(x, epsilon), &plus(scale, 1.0), bias),
    ),
    (
        "You divide by the root of the mean of x². The standard deviation measures distances from the mean: compute it from x − mean.",
        |x, scale, bias, epsilon| {
            let rms = x.mul(x).row_mean().sqrt();
            finish(centred(x).div(&plus(&rms, epsilon)), scale, bias)
        },
    ),
    (
        "You subtract the bias. It is added: scale ⊙ normal + bias.",
        |x, scale, bias, epsilon| normal(x, epsilon).mul(scale).sub(bias),
    ),
    (
        "Two mistakes at once: you take the population's standard deviation, over n instead of n − 1, and you leave the bias out.",
        |x, scale, _, epsilon| {
            let std = x.row_std(Deviation::Population);
            centred(x).div(&plus(&std, epsilon)).mul(scale)
        },
    ),
    (
        "Two mistakes at once: you take the population's standard deviation, over n instead of n − 1, and you leave ε out.",
        |x, scale, bias, _| {
            finish(
                centred(x).div(&x.row_std(Deviation::Population)),
                scale,
                bias,
            )
        },
    ),
    (
        "Two mistakes at once, both from PyTorch's form: you take the population's standard deviation, over n instead of n − 1, and add ε to the variance under the root.",
        |x, scale, bias, epsilon| {
            let std = x.row_std(Deviation::Population);
            let root = plus(&std.mul(&std), epsilon).sqrt();
            finish(centred(x).div(&root), scale, bias)
        },
    ),
    (
        "Two mistakes at once: you do not subtract the mean, and you leave the bias out.",
        |x, scale, _, epsilon| x.div(&plus(&std(x), epsilon)).mul(scale),
    ),
    (
        "You divide x and subtract the mean afterwards, when it no longer fits. Subtract first: (x − mean) / (std + ε).",
        |x, scale, bias, epsilon| {
            let divided = x.div(&plus(&std(x), epsilon));
            finish(divided.sub(&x.row_mean()), scale, bias)
        },
    ),
];
