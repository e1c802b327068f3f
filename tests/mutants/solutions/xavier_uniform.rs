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

//# [classic-1] The root is over the 6 only.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = 6.0_f32.sqrt() / (fan_in + fan_out) as f32;

//# [transposed] The matrix has the shape fan_in by fan_out.
-    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
+    Tensor::from_fn(&[fan_in, fan_out], |_| (2.0 * uniform() - 1.0) * limit)

//# [positive] The random numbers are not moved to both sides of 0, so all weights are positive.
-    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
+    Tensor::from_fn(&[fan_out, fan_in], |_| uniform() * limit)

//# [half-the-range] The random numbers are moved but not doubled, so they reach only half of the limit.
-    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
+    Tensor::from_fn(&[fan_out, fan_in], |_| (uniform() - 0.5) * limit)

//# [classic-2] 6 is divided as a whole number, so the remainder is lost.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = ((6 / (fan_in + fan_out)) as f32).sqrt();

//# [classic-0] It is PyTorch's default for a linear layer, 1 over the root of fan_in.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = 1.0 / (fan_in as f32).sqrt();

//# [classic-3] It averages fan_in and fan_out but keeps the 6: the denominator is halved.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = (6.0 / ((fan_in + fan_out) as f32 / 2.0)).sqrt();

//# [classic-4] It is 3 over the sum of the fans; the 3 belongs to their mean.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = (3.0 / (fan_in + fan_out) as f32).sqrt();

//# [classic-5] The denominator is the product of the fans instead of their sum.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = (6.0 / (fan_in * fan_out) as f32).sqrt();

//# [one-number] One random number is drawn and used for all cells.
-    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
+    let number = 2.0 * uniform() - 1.0;
+    Tensor::full(&[fan_out, fan_in], number * limit)

//# [] The sign is drawn by a number of its own, so each cell asks twice.
-    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
+    Tensor::from_fn(&[fan_out, fan_in], |_| {
+        let sign = if uniform() < 0.5 { -1.0 } else { 1.0 };
+        sign * uniform() * limit
+    })

//# [classic-6] The numbers are drawn column after column.
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    let mut cells = vec![0.0; fan_out * fan_in];
    for column in 0..fan_in {
        for row in 0..fan_out {
            cells[row * fan_in + column] = (2.0 * uniform() - 1.0) * limit;
        }
    }
    Tensor::new(&[fan_out, fan_in], cells)
}

//# right
use transformer_tutor::tensor::Tensor;

pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}

//# [classic-6] Draws the numbers column by column, and lays them out as a matrix afterwards.
-    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
+    let mut drawn = Vec::with_capacity(fan_in * fan_out);
+    for _ in 0..fan_in * fan_out {
+        drawn.push(uniform() * 2.0 * limit - limit);
+    }
+    Tensor::from_fn(&[fan_out, fan_in], |i| drawn[i[1] * fan_out + i[0]])

//# [half-the-range] Spreads the numbers over a range as wide as the limit, from −limit/2 to limit/2.
-    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
+    Tensor::from_fn(&[fan_out, fan_in], |_| (uniform() - 0.5) * limit)

//# [classic-7] Uses only the number of inputs, doubled, for both ends of the layer.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = (6.0 / (2 * fan_in) as f32).sqrt();

//# [deviation] Takes the standard deviation √(2 / (fan_in + fan_out)) as the limit, without the factor 3 between them.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = (2.0 / (fan_in + fan_out) as f32).sqrt();

//# [classic-2] Divides 6 by the sum as whole numbers, so the limit is 0 as soon as the sum is above 6.
-    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
+    let limit = ((6 / (fan_in + fan_out)) as f32).sqrt();
