//# right
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}

//# [right-shares-too] Gives the right token a part of ε.
-                1.0 - smoothing
+                1.0 - smoothing + smoothing / (vocabulary as f32 - 1.0)
-                smoothing / (vocabulary as f32 - 2.0)
+                smoothing / (vocabulary as f32 - 1.0)

//# [over-others] The padding column gets its part like every other token, over vocabulary − 1.
-            cells.push(if target == padding || word == padding {
+            cells.push(if target == padding {
-                smoothing / (vocabulary as f32 - 2.0)
+                smoothing / (vocabulary as f32 - 1.0)

//# [over-all] The rest is spread uniformly over all tokens, the right one and padding too, as in PyTorch.
-            cells.push(if target == padding || word == padding {
+            cells.push(if target == padding {
-                1.0 - smoothing
+                1.0 - smoothing + smoothing / vocabulary as f32
-                smoothing / (vocabulary as f32 - 2.0)
+                smoothing / vocabulary as f32

//# [right-shares] The right token gets its part of the rest in addition to 1 − smoothing.
-                1.0 - smoothing
+                1.0 - smoothing + smoothing / (vocabulary as f32 - 2.0)

//# [padding-rows padding-gets-1] Rows whose target is padding say that padding is right.
-            cells.push(if target == padding || word == padding {
+            cells.push(if target == padding {
+                if word == padding { 1.0 } else { 0.0 }
+            } else if word == padding {

//# [] The vocabulary's axis is put first instead of last.
-    let mut shape = targets.shape().to_vec();
-    shape.push(vocabulary);
+    let mut shape = vec![vocabulary];
+    shape.extend(targets.shape());

//# right
use transformer_tutor::tensor::Tensor;

pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let share = smoothing / (vocabulary as f32 - 2.0);
    let mut cells = Vec::new();
    for target in targets.data() {
        let target = *target as usize;
        for token in 0..vocabulary {
            cells.push(if target == padding || token == padding {
                0.0
            } else if token == target {
                1.0 - smoothing
            } else {
                share
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
