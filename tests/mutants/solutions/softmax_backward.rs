//# right
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    y.mul(&dy.sub(&pull))
}

//# [classic-9] Exchanges y and dy outside the sum.
-    y.mul(&dy.sub(&pull))
+    dy.mul(&y.sub(&pull))

//# [classic-14] Returns dy itself.
-    y.mul(&dy.sub(&pull))
+    let _ = pull;
+    dy.clone()

//# [mean-pull] It takes the row's mean of dy ⊙ y instead of its sum.
-    let n = *y.shape().last().unwrap() as f32;
-    let pull = dy.mul(y).row_mean().scale(n);
+    let pull = dy.mul(y).row_mean();

//# [unweighted] The sum is over dy alone, not weighted by y.
-    let pull = dy.mul(y).row_mean().scale(n);
-    y.mul(&dy.sub(&pull))
+    let total = dy.row_mean().scale(n);
+    y.mul(&dy.sub(&total))

//# [classic-3] It is the backward pass of log-softmax: dy − y · Σ dy.
-    let pull = dy.mul(y).row_mean().scale(n);
-    y.mul(&dy.sub(&pull))
+    let total = dy.row_mean().scale(n);
+    dy.sub(&y.mul(&total))

//# [no-shares] The final product with y is forgotten.
-    y.mul(&dy.sub(&pull))
+    dy.sub(&pull)

//# [classic-1] The difference is the wrong way round, so the gradient has the opposite sign.
-    y.mul(&dy.sub(&pull))
+    y.mul(&pull.sub(dy))

//# [classic-4] The sum is subtracted without its factor y: the brackets end too early.
-    y.mul(&dy.sub(&pull))
+    y.mul(dy).sub(&pull)

//# [classic-7] The mean is scaled by the size of the first axis instead of the last one.
-    let n = *y.shape().last().unwrap() as f32;
+    let n = y.shape()[0] as f32;

//# [classic-15] The mean is scaled by the number of axes instead of the length of a row.
-    let n = *y.shape().last().unwrap() as f32;
+    let n = y.shape().len() as f32;

//# [classic-5] The sum runs over the whole tensor instead of each row.
-    let n = *y.shape().last().unwrap() as f32;
-    let pull = dy.mul(y).row_mean().scale(n);
+    let pull = dy.mul(y).sum();

//# [wrong-axis] The sum runs over the axis before the last instead of each row.
-    let n = *y.shape().last().unwrap() as f32;
-    let pull = dy.mul(y).row_mean().scale(n);
+    let n = y.shape()[y.shape().len() - 2] as f32;
+    let pull = dy.mul(y).transpose().row_mean().transpose().scale(n);

//# [classic-9] y and dy are in each other's place outside the sum: dy ⊙ (y − Σ dy ⊙ y).
-    y.mul(&dy.sub(&pull))
+    dy.mul(&y.sub(&pull))

//# [classic-6] The factor n is applied to the whole gradient instead of the mean inside.
-    let pull = dy.mul(y).row_mean().scale(n);
-    y.mul(&dy.sub(&pull))
+    let pull = dy.mul(y).row_mean();
+    y.mul(&dy.sub(&pull)).scale(n)

//# [classic-10] The sum is over y squared instead of dy times y.
-    let pull = dy.mul(y).row_mean().scale(n);
+    let pull = y.mul(y).row_mean().scale(n);

//# [classic-4] Multiplies y only into dy, not into the row's sum that is taken off: y dy − Σ dy y.
-    let pull = dy.mul(y).row_mean().scale(n);
-    y.mul(&dy.sub(&pull))
+    let weighted = y.mul(dy);
+    let sum = weighted.row_mean().scale(n);
+    weighted.sub(&sum)

//# [diagonal] Only the diagonal of the Jacobian is there, as for a sigmoid: dy · y · (1 − y).
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let slope = y.sub(&y.mul(y));
    dy.mul(&slope)
}

//# [no-pull] Each output is taken to depend on its own input only, with the slope of exp: y ⊙ dy.
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    y.mul(dy)
}

//# [classic-11] It uses the shortcut for softmax with cross-entropy, y minus the target.
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    y.sub(dy)
}

//# [classic-8] y is taken for the scores, and softmax is applied to it first.
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let p = y.softmax();
    let pull = dy.mul(&p).row_mean().scale(n);
    p.mul(&dy.sub(&pull))
}

//# [diagonal] Takes only the diagonal of the Jacobian, the derivative of a sigmoid: y (1 − y) dy.
use transformer_tutor::autograd::Var;

pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let slope = y.sub(&y.mul(y));
    slope.mul(dy)
}

//# [classic-7] Makes the mean to a sum with the size of the first axis instead of that of the last.
use transformer_tutor::autograd::Var;

pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = y.shape()[0] as f32;
    let sum = dy.mul(y).row_mean().scale(n);
    y.mul(&dy.sub(&sum))
}

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

//# [classic-12] Takes the size of axis 1 for the length of a row, which is right for two axes only.
-    let shared = y.mul(dy).row_mean().scale(y.value().last() as f32);
+    let n = y.shape()[1] as f32;
+    let shared = y.mul(dy).row_mean().scale(n);

//# [mean-pull] Subtracts the mean of y · dy over the row in place of its sum.
-    let shared = y.mul(dy).row_mean().scale(y.value().last() as f32);
+    let shared = y.mul(dy).row_mean();

//# [classic-13] Subtracts the plain mean of dy, where the mean weighted by y belongs.
-    let shared = y.mul(dy).row_mean().scale(y.value().last() as f32);
+    let shared = dy.row_mean();

//# [classic-4] Multiplies only dy by y, and subtracts the row's sum without that factor.
-    let shared = y.mul(dy).row_mean().scale(y.value().last() as f32);
-    y.mul(&dy.sub(&shared))
+    let n = *y.shape().last().unwrap() as f32;
+    let shared = y.mul(dy).row_mean().scale(n);
+    y.mul(dy).sub(&shared)
