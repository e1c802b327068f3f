//! The classic mistakes of the root-mean-square norm, each a function of the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::rms_norm::rms_norm;
use transformer_tutor::tensor::Tensor;

/// The signature of the norm.
pub type NormFn = fn(&Var, &Var, f32) -> Var;

/// How a model's norms are computed, and what is wrong with its attention.
#[derive(Clone, Copy)]
pub struct Broken {
    /// The norm's function.
    pub norm: NormFn,
    /// ε of the norm.
    pub epsilon: f32,
    /// Values are turned too.
    pub turn_values: bool,
    /// Heads read groups in turn instead of in blocks.
    pub wrong_groups: bool,
}

/// Nothing is.
pub const SOUND: Broken = Broken {
    norm: rms_norm,
    epsilon: 1e-6,
    turn_values: false,
    wrong_groups: false,
};

/// Every mistake by the name of its switch.
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

/// Takes the mean away first, as a layer norm does.
pub fn keep_mean(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let x = x.sub(&x.row_mean().named("mean")).named("centred");
    let rms = mean_square(&x).add(&constant(&x, epsilon)).sqrt();
    finish(&x, &rms.named("rms"), scale)
}

/// The root of the sum of the squares: the length, not the size.
pub fn sum_squares(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let sum = mean_square(x).scale(x.value().last() as f32);
    let rms = sum.add(&constant(x, epsilon)).sqrt();
    finish(x, &rms.named("rms"), scale)
}

/// Divides by the mean square itself.
pub fn no_root(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let square = mean_square(x).add(&constant(x, epsilon));
    finish(x, &square.named("rms"), scale)
}

/// ε beside the root.
pub fn epsilon_outside(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let rms = mean_square(x).sqrt().add(&constant(x, epsilon));
    finish(x, &rms.named("rms"), scale)
}

/// Nothing is learned.
pub fn no_gain(x: &Var, _: &Var, epsilon: f32) -> Var {
    let rms = mean_square(x).add(&constant(x, epsilon)).sqrt();
    let normal = x.div(&rms.named("rms")).named("normal");
    normal.scale(1.0).named("norm")
}

/// What else is got wrong, with what the check says of it.
pub static CLASSICS: [(&str, NormFn); 1] = [(
    "You leave ε out: it is added to the mean of the squares.",
    |x, scale, _| finish(x, &mean_square(x).sqrt(), scale),
)];
