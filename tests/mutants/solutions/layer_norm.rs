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

//# [usual-epsilon] Epsilon is the usual 1e-6 written into the code, not the epsilon that was given.
 pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
+    let _ = epsilon;
+    let eps = x.tape().constant("eps", Tensor::scalar(1e-6), &[]);
-    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    x.sub(&mean).div(&std.add(&eps)).mul(scale).add(bias)

//# [epsilon-in-root] Adds epsilon to the variance under the root, as PyTorch's LayerNorm does, not to the standard deviation.
-    let mean = x.row_mean();
+    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
+    let centred = x.sub(&x.row_mean());
-    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
-    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
+    let variance = std.mul(&std);
+    let normal = centred.div(&variance.add(&epsilon).sqrt());
+    normal.mul(scale).add(bias)

//# [bias-first] Adds the bias before it multiplies by the scale, so the bias is scaled too.
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

//# [population] Computes the standard deviation over n, where the unbiased one divides by n − 1.
-    let std = x.row_std(Deviation::Unbiased);
+    let std = centred.mul(&centred).row_mean().sqrt();

//# [variance] Divides by the variance in place of the standard deviation.
-    centred.div(&std.add(&eps)).mul(scale).add(bias)
+    centred.div(&std.mul(&std).add(&eps)).mul(scale).add(bias)
