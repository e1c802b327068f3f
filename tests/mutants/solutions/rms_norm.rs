//# Subtracts the mean first, as LayerNorm does.
//= keep-mean
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let centred = x.sub(&x.row_mean());
    let rms = centred.mul(&centred).row_mean().add(&epsilon).sqrt();
    centred.div(&rms).mul(scale)
}
//# Divides by the standard deviation instead of the RMS, without subtracting the mean in the numerator.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let centred = x.sub(&x.row_mean());
    let variance = centred.mul(&centred).row_mean();
    x.div(&variance.add(&epsilon).sqrt()).mul(scale)
}
//# Squares the mean instead of taking the mean of the squares.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let mean = x.row_mean();
    let rms = mean.mul(&mean).add(&epsilon).sqrt();
    x.div(&rms).mul(scale)
}
//# Adds ε outside the root.
//= epsilon-outside
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
    x.div(&rms).mul(scale)
}
//# Takes the sum of the squares instead of their mean: normalises to length 1.
//= sum-squares
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let d_model = x.value().last() as f32;
    let sum = x.mul(x).row_mean().scale(d_model);
    x.div(&sum.add(&epsilon).sqrt()).mul(scale)
}
//# Divides the sum of the squares by d − 1, like the unbiased variance.
//= classic-8
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let d = x.value().last() as f32;
    let mean_square = x.mul(x).row_mean().scale(d / (d - 1.0));
    x.div(&mean_square.add(&epsilon).sqrt()).mul(scale)
}
//# Forgets the root.
//= no-root
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let mean_square = x.mul(x).row_mean().add(&epsilon);
    x.div(&mean_square).mul(scale)
}
//# Takes one mean over the whole tensor instead of one per row.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let rms = x.mul(x).mean().add(&epsilon).sqrt();
    x.div(&rms).mul(scale)
}
//# Takes the mean of the absolute values, because the root is inside the mean.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let rms = x.mul(x).add(&epsilon).sqrt().row_mean();
    x.div(&rms).mul(scale)
}
//# Multiplies by 1 + scale, as Gemma stores it.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let one = x.tape().constant("one", Tensor::scalar(1.0), &[]);
    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
    x.div(&rms).mul(&scale.add(&one))
}
//# Multiplies by the scale first and normalises the result.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let x = x.mul(scale);
    let rms = x.mul(&x).row_mean().add(&epsilon).sqrt();
    x.div(&rms)
}
//# Treats the RMS as a constant, so that no gradient flows through it.
//= no-gradient
use transformer_tutor::autograd::Var;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let mean_square = x.mul(x).row_mean().value();
    let rms = mean_square.map(|m| (m + epsilon).sqrt());
    let mut axes = x.axes();
    axes.pop();
    axes.push("");
    let rms = x.tape().constant("rms", rms, &axes);
    x.div(&rms).mul(scale)
}
//# Takes ε for a lower bound of the RMS instead of adding it.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let rms = x.mul(x).row_mean().sqrt();
    // the larger of the two
    let rms = rms.sub(&epsilon).relu().add(&epsilon);
    x.div(&rms).mul(scale)
}
//# Forgets ε, because it is so small.
//= classic-0
use transformer_tutor::autograd::Var;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let _ = epsilon;
    let rms = x.mul(x).row_mean().sqrt();
    x.div(&rms).mul(scale)
}
//# Leaves the scale out.
//= no-gain
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let _ = scale;
    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
    x.div(&rms)
}
//# Divides by the scale as well as the RMS.
//= no-gain
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
    x.div(&rms.mul(scale))
}
//# Adds the scale instead of multiplying, as if it were a bias.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
    x.div(&rms).add(scale)
}
//# Normalises along the positions instead of the channels.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let columns = x.transpose();
    let rms = columns.mul(&columns).row_mean().add(&epsilon).sqrt();
    columns.div(&rms).transpose().mul(scale)
}
//# Reads the scale as plain numbers, so that it gets no gradient.
//= no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let scale = x.tape().constant("scale", scale.value(), &["d"]);
    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
    x.div(&rms).mul(&scale)
}
//# Subtracts the mean first, as layer normalisation does.
//= keep-mean
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let centred = x.sub(&x.row_mean());
    let variance = centred.mul(&centred).row_mean();
    centred.div(&variance.add(&epsilon).sqrt()).mul(scale)
}
//# Adds epsilon to the root instead of under it.
//= epsilon-outside
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let rms = x.mul(x).row_mean().sqrt();
    x.div(&rms.add(&epsilon)).mul(scale)
}
//# Divides by the norm of the row, the root of the sum of squares, instead of the root of their mean.
//= sum-squares
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let d_model = *x.shape().last().unwrap() as f32;
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let squares = x.mul(x).row_mean().scale(d_model);
    let norm = squares.add(&epsilon).sqrt();
    x.div(&norm).mul(scale)
}
