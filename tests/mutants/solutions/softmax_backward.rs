//# right
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    y.mul(&dy.sub(&pull))
}

//# [whole-tensor] The sum runs over the whole tensor instead of each row.
-    let n = *y.shape().last().unwrap() as f32;
-    let pull = dy.mul(y).row_mean().scale(n);
+    let pull = dy.mul(y).sum();

//# [wrong-axis] The sum runs over the axis before the last instead of each row.
-    let n = *y.shape().last().unwrap() as f32;
-    let pull = dy.mul(y).row_mean().scale(n);
+    let n = y.shape()[y.shape().len() - 2] as f32;
+    let pull = dy.mul(y).transpose().row_mean().transpose().scale(n);

//# [only-dy-times-y] Multiplies y only into dy, not into the row's sum that is taken off: y dy − Σ dy y.
-    let pull = dy.mul(y).row_mean().scale(n);
-    y.mul(&dy.sub(&pull))
+    let weighted = y.mul(dy);
+    let sum = weighted.row_mean().scale(n);
+    weighted.sub(&sum)

//# right
use transformer_tutor::autograd::Var;

pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let shared = y.mul(dy).row_mean().scale(y.value().last() as f32);
    y.mul(&dy.sub(&shared))
}

//# [diagonal] Uses only y (1 − y), the effect of a score on its own weight, and forgets the other weights of the row.
-    let shared = y.mul(dy).row_mean().scale(y.value().last() as f32);
-    y.mul(&dy.sub(&shared))
+    y.sub(&y.mul(y)).mul(dy)

//# [axis-1] Takes the size of axis 1 for the length of a row, which is right for two axes only.
-    let shared = y.mul(dy).row_mean().scale(y.value().last() as f32);
+    let n = y.shape()[1] as f32;
+    let shared = y.mul(dy).row_mean().scale(n);

//# [mean-pull] Subtracts the mean of y · dy over the row in place of its sum.
-    let shared = y.mul(dy).row_mean().scale(y.value().last() as f32);
+    let shared = y.mul(dy).row_mean();
