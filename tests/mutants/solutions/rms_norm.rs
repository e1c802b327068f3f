//# [epsilon-outside] Adds ε outside the root.
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
    x.div(&rms).mul(scale)
}

//# [keep-mean] Subtracts the mean first, as LayerNorm does.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let centred = x.sub(&x.row_mean());
+    let rms = centred.mul(&centred).row_mean().add(&epsilon).sqrt();
+    centred.div(&rms).mul(scale)

//# [classic-1] Divides by the standard deviation instead of the RMS, without subtracting the mean above the line.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let centred = x.sub(&x.row_mean());
+    let variance = centred.mul(&centred).row_mean();
+    x.div(&variance.add(&epsilon).sqrt()).mul(scale)

//# [classic-2] Squares the mean instead of taking the mean of the squares.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
+    let mean = x.row_mean();
+    let rms = mean.mul(&mean).add(&epsilon).sqrt();

//# [sum-squares] Takes the sum of the squares instead of their mean: normalises to length 1.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let d_model = x.value().last() as f32;
+    let sum = x.mul(x).row_mean().scale(d_model);
+    x.div(&sum.add(&epsilon).sqrt()).mul(scale)

//# [classic-8] Divides the sum of the squares by d − 1, like an unbiased variance.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let d = x.value().last() as f32;
+    let mean_square = x.mul(x).row_mean().scale(d / (d - 1.0));
+    x.div(&mean_square.add(&epsilon).sqrt()).mul(scale)

//# [no-root] Forgets the root.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let mean_square = x.mul(x).row_mean().add(&epsilon);
+    x.div(&mean_square).mul(scale)

//# [classic-3] Takes one mean over the whole tensor instead of one for each row.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
+    let rms = x.mul(x).mean().add(&epsilon).sqrt();

//# [classic-9] Takes the mean of the absolute values: the root stands inside the mean.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
+    let rms = x.mul(x).add(&epsilon).sqrt().row_mean();

//# [classic-5] Multiplies by 1 + scale, as Gemma stores it.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let one = x.tape().constant("one", Tensor::scalar(1.0), &[]);
+    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
+    x.div(&rms).mul(&scale.add(&one))

//# [classic-6] Multiplies by the scale first and normalises the result.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let x = x.mul(scale);
+    let rms = x.mul(&x).row_mean().add(&epsilon).sqrt();
+    x.div(&rms)

//# [classic-0] Takes ε for a lower bound of the RMS instead of adding it.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
+    let rms = x.mul(x).row_mean().sqrt();
+    // the larger of the two
+    let rms = rms.sub(&epsilon).relu().add(&epsilon);

//# [no-gain] Leaves the scale out.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let _ = scale;
+    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
+    x.div(&rms)

//# [classic-10] Divides by the scale together with the RMS.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
+    x.div(&rms.mul(scale))

//# [classic-7] Adds the scale instead of multiplying, as if it were a bias.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
+    x.div(&rms).add(scale)

//# [classic-4] Normalises along the positions instead of the channels.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let columns = x.transpose();
+    let rms = columns.mul(&columns).row_mean().add(&epsilon).sqrt();
+    columns.div(&rms).transpose().mul(scale)

//# [no-gradient] Reads the scale as numbers, so that it gets no gradient.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let scale = x.tape().constant("scale", scale.value(), &["d"]);
+    let rms = x.mul(x).row_mean().add(&epsilon).sqrt();
+    x.div(&rms).mul(&scale)

//# [keep-mean] Takes the mean off first, as layer normalisation does.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let centred = x.sub(&x.row_mean());
+    let variance = centred.mul(&centred).row_mean();
+    centred.div(&variance.add(&epsilon).sqrt()).mul(scale)

//# [epsilon-outside] Adds epsilon to the root instead of under it.
-    let rms = x.mul(x).row_mean().sqrt().add(&epsilon);
-    x.div(&rms).mul(scale)
+    let rms = x.mul(x).row_mean().sqrt();
+    x.div(&rms.add(&epsilon)).mul(scale)

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

//# [classic-0] Forgets ε, because it is so small.
use transformer_tutor::autograd::Var;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let _ = epsilon;
    let rms = x.mul(x).row_mean().sqrt();
    x.div(&rms).mul(scale)
}

//# [sum-squares] Divides by the length of the row, the root of the sum of squares, instead of the root of their mean.
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let d_model = *x.shape().last().unwrap() as f32;
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let squares = x.mul(x).row_mean().scale(d_model);
    let norm = squares.add(&epsilon).sqrt();
    x.div(&norm).mul(scale)
}

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let eps = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let root = x.mul(x).row_mean().add(&eps).sqrt();
    x.div(&root).mul(scale)
}

//# [epsilon-outside] Adds epsilon to the root in place of the mean square.
-    let root = x.mul(x).row_mean().add(&eps).sqrt();
+    let root = x.mul(x).row_mean().sqrt().add(&eps);

//# [keep-mean] Subtracts the mean first, as LayerNorm does.
     let eps = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
+    let x = &x.sub(&x.row_mean());

//# [sum-squares] Divides by the length of the row as a vector, so it sums the squares where their mean belongs.
-    let root = x.mul(x).row_mean().add(&eps).sqrt();
+    let root = x
+        .mul(x)
+        .row_mean()
+        .scale(x.shape()[x.shape().len() - 1] as f32)
+        .add(&eps)
+        .sqrt();

//# [classic-6] Multiplies by the scale first, and measures the scaled row.
     let eps = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
+    let x = &x.mul(scale);
-    x.div(&root).mul(scale)
+    x.div(&root)

//# [classic-2] Squares the mean in place of averaging the squares.
-    let root = x.mul(x).row_mean().add(&eps).sqrt();
+    let mean = x.row_mean();
+    let root = mean.mul(&mean).add(&eps).sqrt();
