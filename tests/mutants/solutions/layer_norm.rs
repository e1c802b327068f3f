//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let mean = x.row_mean();
    let std = x.row_std(Deviation::Unbiased);
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
}

//# [classic-8] Adds the scale instead of multiplying by it.
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    x.sub(&mean).div(&std.add(&epsilon)).add(scale).add(bias)

//# [classic-11] Subtracts the bias.
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).sub(bias)

//# [classic-12] Two mistakes: the population's deviation and no bias.
-    let std = x.row_std(Deviation::Unbiased);
+    let std = x.row_std(Deviation::Population);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let _ = bias;
+    x.sub(&mean).div(&std.add(&epsilon)).mul(scale)

//# [population] The standard deviation is the population one, which divides by n instead of n − 1.
-    let std = x.row_std(Deviation::Unbiased);
+    let std = x.row_std(Deviation::Population);

//# [classic-0] Epsilon is added to the variance under the root, as in PyTorch, not to the standard deviation.
-    let mean = x.row_mean();
     let std = x.row_std(Deviation::Unbiased);
+    let variance = std.mul(&std);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let spread = variance.add(&epsilon).sqrt();
+    x.sub(&x.row_mean()).div(&spread).mul(scale).add(bias)

//# [variance] The centred numbers are divided by the variance instead of the standard deviation.
     let std = x.row_std(Deviation::Unbiased);
+    let var = std.mul(&std);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let normal = x.sub(&mean).div(&var.add(&epsilon));
+    normal.mul(scale).add(bias)

//# [classic-2] One mean and one deviation are taken over the whole tensor, as torch.mean and torch.std do without a dim.
-    let mean = x.row_mean();
-    let std = x.row_std(Deviation::Unbiased);
+    let cells: usize = x.shape().iter().product();
+    let flat = x.reshape(&[1, 1, cells], &["", "", ""]);
+    let mean = flat.row_mean();
+    let std = flat.row_std(Deviation::Unbiased);

//# [no-mean] The mean is never subtracted; the numbers are only divided by their standard deviation.
-    let mean = x.row_mean();
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    x.div(&std.add(&epsilon)).mul(scale).add(bias)

//# [classic-10] The spread is the root mean square of x itself, not of its distances from the mean.
-use transformer_tutor::ops::Deviation;
 pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
+    let n = *x.shape().last().unwrap() as f32;
-    let std = x.row_std(Deviation::Unbiased);
+    let std = x.mul(x).row_mean().scale(n / (n - 1.0)).sqrt();

//# [classic-1] The bias is added before the scale is multiplied, so it is scaled too.
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let normal = x.sub(&mean).div(&std.add(&epsilon));
+    normal.add(bias).mul(scale)

//# [classic-3] Only the mean is divided by the deviation, because the brackets around the difference are missing.
-    let mean = x.row_mean();
-    let std = x.row_std(Deviation::Unbiased);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let std = x.row_std(Deviation::Unbiased).add(&epsilon);
+    let normal = x.sub(&x.row_mean().div(&std));
+    normal.mul(scale).add(bias)

//# [classic-4] Scale and bias are applied to x before it is normalised instead of after.
 pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
+    let x = x.mul(scale).add(bias);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    x.sub(&mean).div(&std.add(&epsilon))

//# [classic-6] Epsilon is the usual 1e-6 written into the code, not the epsilon that was given.
 pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
+    let _ = epsilon;
+    let eps = x.tape().constant("eps", Tensor::scalar(1e-6), &[]);
-    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    x.sub(&mean).div(&std.add(&eps)).mul(scale).add(bias)

//# [classic-5] Epsilon is added to the quotient instead of the divisor.
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let normal = x.sub(&mean).div(&std).add(&epsilon);
+    normal.mul(scale).add(bias)

//# [classic-0] Adds epsilon to the variance under the root, as PyTorch's LayerNorm does, not to the standard deviation.
-    let mean = x.row_mean();
+    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
+    let centred = x.sub(&x.row_mean());
-    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let variance = std.mul(&std);
+    let normal = centred.div(&variance.add(&epsilon).sqrt());
+    normal.mul(scale).add(bias)

//# [classic-1] Adds the bias before it multiplies by the scale, so the bias is scaled too.
 pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
+    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
-    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let normal = x.sub(&mean).div(&std.add(&epsilon));
+    scale.mul(&normal.add(bias))

//# [no-mean] Divides by the deviation without subtracting the mean first.
-    let mean = x.row_mean();
-    let std = x.row_std(Deviation::Unbiased);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let std = x.row_std(Deviation::Unbiased).add(&epsilon);
+    x.div(&std).mul(scale).add(bias)

//# [over-positions] Mean and deviation are taken over the positions of a sentence instead of the channels of a token.
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let columns = x.transpose();
    let mean = columns.row_mean().transpose();
    let std = columns.row_std(Deviation::Unbiased).transpose();
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let normal = x.sub(&mean).div(&std.add(&epsilon));
    normal.mul(scale).add(bias)
}

//# [classic-9] The scale is taken as an offset from 1, as in norms whose gamma is initialised to 0.
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let tape = x.tape();
    let one = tape.constant("one", Tensor::scalar(1.0), &[]);
    let epsilon = tape.constant("epsilon", Tensor::scalar(epsilon), &[]);
    let std = x.row_std(Deviation::Unbiased);
    let normal = x.sub(&x.row_mean()).div(&std.add(&epsilon));
    normal.mul(&scale.add(&one)).add(bias)
}

//# [classic-7] Mean and deviation are taken as constants, so no gradient flows through them.
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let tape = x.tape();
    let (mean, std) = (x.row_mean(), x.row_std(Deviation::Unbiased));
    let mean = tape.constant("mean", mean.value(), &mean.axes());
    let std = tape.constant("std", std.value().map(|s| s + epsilon), &std.axes());
    x.sub(&mean).div(&std).mul(scale).add(bias)
}

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;

pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let eps = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let centred = x.sub(&x.row_mean());
    let std = x.row_std(Deviation::Unbiased);
    centred.div(&std.add(&eps)).mul(scale).add(bias)
}

//# [classic-1] Adds the bias before the multiplication, so the scale multiplies the bias too.
-    centred.div(&std.add(&eps)).mul(scale).add(bias)
+    centred.div(&std.add(&eps)).add(bias).mul(scale)

//# [population] Computes the standard deviation over n, where the unbiased one divides by n − 1.
-    let std = x.row_std(Deviation::Unbiased);
+    let std = centred.mul(&centred).row_mean().sqrt();

//# [variance] Divides by the variance in place of the standard deviation.
-    centred.div(&std.add(&eps)).mul(scale).add(bias)
+    centred.div(&std.mul(&std).add(&eps)).mul(scale).add(bias)

//# [classic-5] Adds epsilon to the quotient in place of the divisor, so a constant row is divided by 0.
-    centred.div(&std.add(&eps)).mul(scale).add(bias)
+    centred.div(&std).add(&eps).mul(scale).add(bias)

//# [classic-0] Adds epsilon to the variance, under the root, where it belongs to the standard deviation.
-    centred.div(&std.add(&eps)).mul(scale).add(bias)
+    centred
+        .div(&std.mul(&std).add(&eps).sqrt())
+        .mul(scale)
+        .add(bias)

//# [classic-16] Subtracts the mean of x only after the division by the standard deviation, when it no longer fits.
-    centred.div(&std.add(&eps)).mul(scale).add(bias)
+    x.div(&std.add(&eps))
+        .sub(&x.row_mean())
+        .mul(scale)
+        .add(bias)
