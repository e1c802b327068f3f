//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# [classic-16] Adds ε under the root, and takes the decay from the weights that have already moved.
-    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
+    let update = m_hat.div(&v_hat.add(&epsilon).sqrt());
-        .scale(1.0 - rules.rate * rules.decay)
-        .sub(&update.scale(rules.rate));
+        .sub(&update.scale(rules.rate))
+        .scale(1.0 - rules.rate * rules.decay);

//# [] Stops the correction of the mean square at step 100.
-    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
+    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step.min(100))));

//# [] Halves the mean after step 150.
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
+    let m = if step > 150 { m.scale(0.5) } else { m };
+    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));

//# [classic-10] Does not square the gradient in v.
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
+        .add(&gradient.scale(1.0 - rules.beta2));

//# [classic-12] Leaves the factors 1 − β out.
-    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
+    let m = m.scale(rules.beta1).add(gradient);
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
+        .add(&gradient.mul(gradient));

//# [] Takes the absolute gradient in v.
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
+        .add(&gradient.mul(gradient).sqrt().scale(1.0 - rules.beta2));

//# [no-correction classic-3] Corrects the mean, but takes the mean square as it is, without its correction.
-    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
-    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
+    let update = m_hat.div(&v.sqrt().add(&epsilon));

//# [classic-4] Keeps the corrected moments as the state for the next step instead of the plain ones.
-    Moved { x, m, v }
+    Moved {
+        x,
+        m: m_hat,
+        v: v_hat,
+    }

//# [decay-in-gradient] Adds the decay to the gradient, as L2 regularisation in Adam does, instead of taking it from the weights (AdamW).
 pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
+    let gradient = &gradient.add(&x.scale(rules.decay));
-    let x = x
-        .scale(1.0 - rules.rate * rules.decay)
-        .sub(&update.scale(rules.rate));
+    let x = x.sub(&update.scale(rules.rate));

//# [classic-5] Corrects with (1 − β)^step instead of 1 − β^step.
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
-    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
+    let m_hat = m.scale(1.0 / (1.0 - rules.beta1).powi(step));
+    let v_hat = v.scale(1.0 / (1.0 - rules.beta2).powi(step));

//# [no-mean] Divides the gradient by the root and forgets the mean: the step goes along the gradient of this batch, as in RMSProp.
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
+    let g_hat = gradient.clone();
-    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
+    let update = g_hat.div(&v_hat.sqrt().add(&epsilon));

//# [epsilon-inside] Adds ε under the root.
-    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
+    let update = m_hat.div(&v_hat.add(&epsilon).sqrt());

//# [classic-11] Moves the weights with the moments from before this step and updates the moments only afterwards.
-    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
-    let v = v
-        .scale(rules.beta2)
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
         .sub(&update.scale(rules.rate));
+    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
+    let v = v
+        .scale(rules.beta2)
+        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));

//# [classic-6] Thinks the steps are counted from 0 and corrects with step + 1.
 pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
+    let t = step + 1;
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
-    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
+    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(t)));
+    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(t)));

//# [classic-7] Folds both corrections into the rate, as the short form of the paper does, so that ε is added to the uncorrected root.
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
-    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
+    let rate = rules.rate * (1.0 - rules.beta2.powi(step)).sqrt() / (1.0 - rules.beta1.powi(step));
-    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
-    let x = x
-        .scale(1.0 - rules.rate * rules.decay)
-        .sub(&update.scale(rules.rate));
+    let update = m.div(&v.sqrt().add(&epsilon)).scale(rate);
+    let x = x.scale(1.0 - rules.rate * rules.decay).sub(&update);

//# [classic-8] Takes the decay from the weights that have already moved instead of those before the step.
-    let x = x
-        .scale(1.0 - rules.rate * rules.decay)
-        .sub(&update.scale(rules.rate));
+    let moved = x.sub(&update.scale(rules.rate));
+    let x = moved.scale(1.0 - rules.rate * rules.decay);

//# [classic-9] Takes β to be the share of the new gradient: old and new change places in both means.
-    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
+    let m = m.scale(1.0 - rules.beta1).add(&gradient.scale(rules.beta1));
-        .scale(rules.beta2)
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
+        .scale(1.0 - rules.beta2)
+        .add(&gradient.mul(gradient).scale(rules.beta2));

//# [classic-0] Subtracts the decay without multiplying it by the rate.
-    let x = x
-        .scale(1.0 - rules.rate * rules.decay)
-        .sub(&update.scale(rules.rate));
+    let x = x.scale(1.0 - rules.decay).sub(&update.scale(rules.rate));

//# [square-of-mean] Squares the mean instead of the gradient for the mean square.
-    let v = v
-        .scale(rules.beta2)
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
+    let v = v.scale(rules.beta2).add(&m.mul(&m).scale(1.0 - rules.beta2));

//# [epsilon-inside] Adds epsilon under the root instead of to the root.
-    let v = v
-        .scale(rules.beta2)
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
+    let square = gradient.mul(gradient);
+    let v = v.scale(rules.beta2).add(&square.scale(1.0 - rules.beta2));
-    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
+    let update = m_hat.div(&v_hat.add(&epsilon).sqrt());
-        .scale(1.0 - rules.rate * rules.decay)
+        .sub(&x.scale(rules.rate * rules.decay))

//# [decay-in-gradient] Adds the decay to the gradient, as L2 regularisation, instead of taking it off the weights beside the step.
 pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
+    let gradient = gradient.add(&x.scale(rules.decay));
-    let v = v
-        .scale(rules.beta2)
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
+    let square = gradient.mul(&gradient);
+    let v = v.scale(rules.beta2).add(&square.scale(1.0 - rules.beta2));
-    let x = x
-        .scale(1.0 - rules.rate * rules.decay)
-        .sub(&update.scale(rules.rate));
+    let x = x.sub(&update.scale(rules.rate));

//# [classic-4] Hands on the corrected moments m̂ and v̂ to the next step instead of m and v.
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let square = gradient.mul(gradient);
    let v = v.scale(rules.beta2).add(&square.scale(1.0 - rules.beta2));
    let m = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m.div(&v.sqrt().add(&epsilon)).scale(rules.rate);
    let kept = x.scale(1.0 - rules.rate * rules.decay);
    Moved {
        x: kept.sub(&update),
        m,
        v,
    }
}

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let moved = m_hat.div(&v_hat.sqrt().add(&epsilon)).scale(rules.rate);
    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
    Moved { x, m, v }
}

//# [classic-15] Multiplies β by the step where it should be raised to its power; step 1 does not show it.
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
-    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
+    let m_hat = m.scale(1.0 / (1.0 - rules.beta1 * step as f32));
+    let v_hat = v.scale(1.0 / (1.0 - rules.beta2 * step as f32));
-    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
+    let x = x.sub(&x.scale(rules.rate * rules.decay)).sub(&moved);

//# [classic-4] Returns the corrected means, so the next step corrects them once more.
-    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
-    Moved { x, m, v }
+    let x = x.sub(&x.scale(rules.rate * rules.decay)).sub(&moved);
+    Moved {
+        x,
+        m: m_hat,
+        v: v_hat,
+    }

//# [classic-6] Raises the betas to step + 1, as if the steps were counted from 0.
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
-    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
+    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step + 1)));
+    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step + 1)));
-    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
+    let x = x.sub(&x.scale(rules.rate * rules.decay)).sub(&moved);

//# [classic-8] Takes the decay of the weights after the step in place of those before it.
-    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
+    let x = x.sub(&moved);
+    let x = x.sub(&x.scale(rules.rate * rules.decay));

//# [decay-in-gradient] Adds the decay to the gradient, as L2 regularisation does, so Adam's division evens it out.
         .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
+    let gradient = gradient.add(&x.scale(rules.decay));
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
+        .add(&gradient.mul(&gradient).scale(1.0 - rules.beta2));
-    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
+    let x = x.sub(&moved);

//# [epsilon-inside] Adds epsilon before the root is taken.
-    let moved = m_hat.div(&v_hat.sqrt().add(&epsilon)).scale(rules.rate);
-    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
+    let moved = m_hat.div(&v_hat.add(&epsilon).sqrt()).scale(rules.rate);
+    let x = x.sub(&x.scale(rules.rate * rules.decay)).sub(&moved);

//# [] Moves the weights by the mean from before this step, and does not multiply the decay by the rate.
         .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
+    let old = m;
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
+    let m_hat = old.scale(1.0 / (1.0 - rules.beta1.powi(step)));
-    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
+    let x = x.sub(&x.scale(rules.decay)).sub(&moved);
