//# [standard-deviation] Divides by the standard deviation instead of the RMS, without subtracting the mean above the line.
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let centred = x.sub(&x.row_mean());
    let variance = centred.mul(&centred).row_mean();
    x.div(&variance.add(&epsilon).sqrt()).mul(scale)
}

//# [sum-squares] Takes the sum of the squares instead of their mean: normalises to length 1.
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let d_model = x.value().last() as f32;
    let sum = x.mul(x).row_mean().scale(d_model);
    x.div(&sum.add(&epsilon).sqrt()).mul(scale)
}

//# [unbiased] Divides the sum of the squares by d − 1, like an unbiased variance.
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let d = x.value().last() as f32;
    let mean_square = x.mul(x).row_mean().scale(d / (d - 1.0));
    x.div(&mean_square.add(&epsilon).sqrt()).mul(scale)
}

//# [one-plus-scale] Multiplies by 1 + scale, as Gemma stores it.
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let one = x.tape().constant("one", Tensor::scalar(1.0), &[]);
    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
    x.div(&rms).mul(&scale.add(&one))
}

//# [over-positions] Normalises along the positions instead of the channels.
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let columns = x.transpose();
    let rms = columns.mul(&columns).row_mean().add(&epsilon).sqrt();
    columns.div(&rms).transpose().mul(scale)
}

//# [no-gradient] Reads the scale as numbers, so that it gets no gradient.
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let scale = x.tape().constant("scale", scale.value(), &["d"]);
    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
    x.div(&rms).mul(&scale)
}

//# [no-gradient] Treats the RMS as a constant, so that no gradient passes through it.
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

//# [no-epsilon] Forgets ε, because it is so small.
use transformer_tutor::autograd::Var;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let _ = epsilon;
    let rms = x.mul(x).row_mean().sqrt();
    x.div(&rms).mul(scale)
}

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let eps = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let root = x.mul(x).row_mean().add(&eps).sqrt();
    x.div(&root).mul(scale)
}

//# [keep-mean] Subtracts the mean first, as LayerNorm does.
     let eps = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
+    let x = &x.sub(&x.row_mean());

//# [square-of-mean] Squares the mean in place of averaging the squares.
-    let root = x.mul(x).row_mean().add(&eps).sqrt();
+    let mean = x.row_mean();
+    let root = mean.mul(&mean).add(&eps).sqrt();
