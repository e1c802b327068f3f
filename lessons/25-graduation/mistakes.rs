//! The classic mistakes in RMSNorm, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::rms_norm::rms_norm;
use transformer_tutor::tensor::Tensor;

/// The signature of RMSNorm.
pub type NormFn = fn(&Var, &Var, f32) -> Var;

/// How a model's normalisation is computed, and what is wrong with its attention.
#[derive(Clone, Copy)]
pub struct Broken {
    /// Function of the normalisation.
    pub norm: NormFn,
    /// ε of the normalisation.
    pub epsilon: f32,
    /// Whether values are rotated too.
    pub turn_values: bool,
    /// Whether heads read groups in turn instead of in blocks.
    pub wrong_groups: bool,
}

/// No mistake.
pub const SOUND: Broken = Broken {
    norm: rms_norm,
    epsilon: 1e-6,
    turn_values: false,
    wrong_groups: false,
};

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, NormFn); 5] = [
    ("keep-mean", keep_mean),
    ("sum-squares", sum_squares),
    ("no-root", no_root),
    ("epsilon-outside", epsilon_outside),
    ("no-gain", no_gain),
];

fn constant(x: &Var, epsilon: f32) -> Var {
    x.tape().constant("epsilon", Tensor::scalar(epsilon), &[])
}

fn mean_square(x: &Var) -> Var {
    x.mul(x).row_mean().named("mean_square")
}

fn finish(x: &Var, rms: &Var, scale: &Var) -> Var {
    x.div(rms).named("normal").mul(scale).named("norm")
}

/// Subtracts the mean first, like LayerNorm.
pub fn keep_mean(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let x = x.sub(&x.row_mean().named("mean")).named("centred");
    let rms = mean_square(&x).add(&constant(&x, epsilon)).sqrt();
    finish(&x, &rms.named("rms"), scale)
}

/// Takes the root of the sum of the squares, which is the vector's length, not its RMS.
pub fn sum_squares(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let sum = mean_square(x).scale(x.value().last() as f32);
    let rms = sum.add(&constant(x, epsilon)).sqrt();
    finish(x, &rms.named("rms"), scale)
}

/// Divides by the mean square instead of its root.
pub fn no_root(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let square = mean_square(x).add(&constant(x, epsilon));
    finish(x, &square.named("rms"), scale)
}

/// Adds ε outside the root.
pub fn epsilon_outside(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let rms = mean_square(x).sqrt().add(&constant(x, epsilon));
    finish(x, &rms.named("rms"), scale)
}

/// Leaves out the learned scale.
pub fn no_gain(x: &Var, _: &Var, epsilon: f32) -> Var {
    let rms = mean_square(x).add(&constant(x, epsilon)).sqrt();
    let normal = x.div(&rms.named("rms")).named("normal");
    normal.scale(1.0).named("norm")
}

/// `x / √(mean_square + ε)`.
fn normal(x: &Var, mean_square: &Var, epsilon: f32) -> Var {
    x.div(&mean_square.add(&constant(x, epsilon)).sqrt())
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, NormFn); 11] = [
    (
        "ε is missing under the root. Add it to the mean of the squares.",
        |x, scale, _| finish(x, &mean_square(x).sqrt(), scale),
    ),
    (
        "You divide by the standard deviation, which takes the mean away. Divide by the root of the mean of the squares of x itself.",
        |x, scale, epsilon| {
            let variance = mean_square(&x.sub(&x.row_mean()));
            normal(x, &variance, epsilon).mul(scale)
        },
    ),
    (
        "You square the mean. Square the numbers first, then take the mean of the squares.",
        |x, scale, epsilon| {
            let mean = x.row_mean();
            normal(x, &mean.mul(&mean), epsilon).mul(scale)
        },
    ),
    (
        "You take one mean over the whole tensor. Every row has its own: x.row_mean().",
        |x, scale, epsilon| normal(x, &x.mul(x).mean(), epsilon).mul(scale),
    ),
    (
        "You normalise each channel over the positions. Normalise each row over its channels.",
        |x, scale, epsilon| {
            let columns = x.transpose();
            let normal = normal(&columns, &mean_square(&columns), epsilon);
            normal.transpose().mul(scale)
        },
    ),
    (
        "You multiply by 1 + scale, as Gemma does. Multiply by scale.",
        |x, scale, epsilon| {
            let more = scale.add(&constant(x, 1.0));
            normal(x, &mean_square(x), epsilon).mul(&more)
        },
    ),
    (
        "You multiply by scale first and normalise the product. Normalise x, then multiply by scale.",
        |x, scale, epsilon| {
            let x = x.mul(scale);
            normal(&x, &mean_square(&x), epsilon)
        },
    ),
    (
        "You add scale, as if it were a bias. Multiply by it.",
        |x, scale, epsilon| normal(x, &mean_square(x), epsilon).add(scale),
    ),
    (
        "You divide the sum of the squares by d − 1, as for an unbiased variance. Divide it by d: take the mean.",
        |x, scale, epsilon| {
            let d = x.value().last() as f32;
            normal(x, &mean_square(x).scale(d / (d - 1.0)), epsilon).mul(scale)
        },
    ),
    (
        "You take the mean of the absolute values. Square first, take the mean, and then the root.",
        |x, scale, epsilon| {
            let rms = x.mul(x).sqrt().row_mean().add(&constant(x, epsilon));
            finish(x, &rms, scale)
        },
    ),
    (
        "You divide by the scale. It multiplies the normalised row.",
        |x, scale, epsilon| normal(x, &mean_square(x), epsilon).div(scale),
    ),
];
