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

//# [] Forgets ε, because it is so small.
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
