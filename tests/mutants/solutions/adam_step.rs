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

//# [] Stops the correction of the mean square at step 100.
-    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
+    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step.min(100))));

//# [] Halves the mean after step 150.
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
+    let m = if step > 150 { m.scale(0.5) } else { m };
+    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));

//# [] Takes the absolute gradient in v.
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
+        .add(&gradient.mul(gradient).sqrt().scale(1.0 - rules.beta2));

//# [previous-moments] Moves the weights with the moments from before this step and updates the moments only afterwards.
-    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
-    let v = v
-        .scale(rules.beta2)
-        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
         .sub(&update.scale(rules.rate));
+    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
+    let v = v
+        .scale(rules.beta2)
+        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));

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

//# [corrected-returned] Returns the corrected means, so the next step corrects them once more.
-    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
-    Moved { x, m, v }
+    let x = x.sub(&x.scale(rules.rate * rules.decay)).sub(&moved);
+    Moved {
+        x,
+        m: m_hat,
+        v: v_hat,
+    }

//# [] Moves the weights by the mean from before this step, and does not multiply the decay by the rate.
         .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
+    let old = m;
-    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
+    let m_hat = old.scale(1.0 / (1.0 - rules.beta1.powi(step)));
-    let x = x.sub(&moved).sub(&x.scale(rules.rate * rules.decay));
+    let x = x.sub(&x.scale(rules.decay)).sub(&moved);
