//# right
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}

//# [fan-in-alone] The limit has only fan_in in it, as in He's initialisation.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = (6.0 / fan_in as f32).sqrt();

//# [deviation] The limit is the standard deviation of the normal form, with 2 in the place of 6.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = (2.0 / (fan_in + fan_out) as f32).sqrt();

//# [no-root] The root is forgotten.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = 6.0 / (fan_in + fan_out) as f32;

//# [root-of-6] The root is over the 6 only.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = 6.0_f32.sqrt() / (fan_in + fan_out) as f32;

//# [transposed] The matrix has the shape fan_in by fan_out.
-    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
+    Tensor::from_fn(&[fan_in, fan_out], |_| (2.0 * uniform() - 1.0) * limit)

//# [] The sign is drawn by a number of its own, so each cell asks twice.
-    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
+    Tensor::from_fn(&[fan_out, fan_in], |_| {
+        let sign = if uniform() < 0.5 { -1.0 } else { 1.0 };
+        sign * uniform() * limit
+    })

//# right
use transformer_tutor::tensor::Tensor;

pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
