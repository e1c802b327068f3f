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

//# [classic-10] Gives the right token a part of ε.
-                1.0 - smoothing
+                1.0 - smoothing + smoothing / (vocabulary as f32 - 1.0)
-                smoothing / (vocabulary as f32 - 2.0)
+                smoothing / (vocabulary as f32 - 1.0)

//# [classic-8] Marks the column before the right one.
-            } else if word == target {
+            } else if word + 1 == target {

//# [classic-1] The rest is divided by vocabulary − 1, although padding gets none of it.
-                smoothing / (vocabulary as f32 - 2.0)
+                smoothing / (vocabulary as f32 - 1.0)

//# [classic-0] The rest is divided by the whole vocabulary, although the right token and padding get none of it.
-                smoothing / (vocabulary as f32 - 2.0)
+                smoothing / vocabulary as f32

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

//# [padding-rows] Rows whose target is padding are not emptied; only the padding column is.
-            cells.push(if target == padding || word == padding {
+            cells.push(if word == padding {

//# [padding-rows classic-9] Rows whose target is padding say that padding is right.
-            cells.push(if target == padding || word == padding {
+            cells.push(if target == padding {
+                if word == padding { 1.0 } else { 0.0 }
+            } else if word == padding {

//# [classic-3] Padding is taken to be id 0 whatever the caller says.
 ) -> Tensor {
+    let _ = padding;
-            cells.push(if target == padding || word == padding {
+            cells.push(if target == 0 || word == 0 {

//# [classic-11] The padding column is taken to be column 0; only the rows look at the padding id.
-            cells.push(if target == padding || word == padding {
+            cells.push(if target == padding || word == 0 {

//# [exchanged] Smoothing and confidence are exchanged.
-                1.0 - smoothing
+                smoothing
-                smoothing / (vocabulary as f32 - 2.0)
+                (1.0 - smoothing) / (vocabulary as f32 - 2.0)

//# [no-smoothing right-shares classic-4] The right token keeps the probability 1 and the others get the smoothing on top.
-                1.0 - smoothing
+                1.0

//# [classic-5] The others get the whole smoothing each instead of sharing it.
-                smoothing / (vocabulary as f32 - 2.0)
+                smoothing

//# [classic-8] Ids are counted from 1, so the column before the right one is marked.
-            } else if word == target {
+            } else if word + 1 == target {

//# [classic-6] The result is one table of rows; the axes of the targets are lost.
-    let mut shape = targets.shape().to_vec();
-    shape.push(vocabulary);
-    Tensor::new(&shape, cells)
+    Tensor::new(&[targets.len(), vocabulary], cells)

//# [] The vocabulary's axis is put first instead of last.
-    let mut shape = targets.shape().to_vec();
-    shape.push(vocabulary);
+    let mut shape = vec![vocabulary];
+    shape.extend(targets.shape());

//# [classic-12] Rows whose target is padding are left out of the result instead of being zero.
         let target = target as usize;
+        if target == padding {
+            continue;
+        }
-            cells.push(if target == padding || word == padding {
+            cells.push(if word == padding {
-    let mut shape = targets.shape().to_vec();
-    shape.push(vocabulary);
-    Tensor::new(&shape, cells)
+    Tensor::new(&[cells.len() / vocabulary, vocabulary], cells)

//# [over-all classic-2] The rest is spread uniformly over all tokens, then padding is cut and each row divided by its sum.
 ) -> Tensor {
+    let total = 1.0 - smoothing / vocabulary as f32;
-                1.0 - smoothing
+                (1.0 - smoothing + smoothing / vocabulary as f32) / total
-                smoothing / (vocabulary as f32 - 2.0)
+                smoothing / vocabulary as f32 / total

//# [classic-7] The divisor is computed with whole numbers before smoothing is multiplied, so the part is 0.
-                smoothing / (vocabulary as f32 - 2.0)
+                smoothing * (1 / (vocabulary - 2)) as f32

//# [classic-1 over-others] Divides the rest by vocabulary − 1, as if padding had a part of it.
 ) -> Tensor {
+    let share = smoothing / (vocabulary - 1) as f32;
-        let target = target as usize;
-            cells.push(if target == padding || word == padding {
+            cells.push(if word == padding || target as usize == padding {
-            } else if word == target {
+            } else if word == target as usize {
-                smoothing / (vocabulary as f32 - 2.0)
+                share
-    let mut shape = targets.shape().to_vec();
-    shape.push(vocabulary);
+    let shape = [targets.shape(), &[vocabulary]].concat();

//# [right-shares over-all classic-10] Mixes with the uniform distribution, as PyTorch's label_smoothing: every token but padding has a part, the right one too.
 ) -> Tensor {
+    let share = smoothing / (vocabulary - 1) as f32;
-            cells.push(if target == padding || word == padding {
-                0.0
-            } else if word == target {
-                1.0 - smoothing
-            } else {
-                smoothing / (vocabulary as f32 - 2.0)
-            });
+            if target == padding || word == padding {
+                cells.push(0.0);
+                continue;
+            }
+            let right = if word == target { 1.0 - smoothing } else { 0.0 };
+            cells.push(right + share);

//# [padding-rows] Forgets that a row whose target is padding must be 0 altogether, and only sets the column of padding to 0.
use transformer_tutor::tensor::Tensor;

pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let share = smoothing / (vocabulary as f32 - 2.0);
    let mut cells = Vec::new();
    for &target in targets.data() {
        let mut row = vec![share; vocabulary];
        row[target as usize] = 1.0 - smoothing;
        row[padding] = 0.0;
        cells.extend(row);
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}

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

//# [padding-rows] Leaves the row of a padded target with the shares of the other tokens.
-            cells.push(if target == padding || token == padding {
+            cells.push(if token == padding {

//# [classic-1] Divides the smoothing by all tokens but the right one, so padding's share is lost.
-    let share = smoothing / (vocabulary as f32 - 2.0);
+    let share = smoothing / (vocabulary as f32 - 1.0);

//# [classic-3] Takes 0 for the id of padding, whatever `padding` says.
         let target = *target as usize;
+        let padding = 0;

//# [right-shares] The right token gets a share of the smoothing on top of what it keeps.
-                1.0 - smoothing
+                1.0 - smoothing + share

//# [classic-6] Returns [n, vocabulary] for targets of any shape, so the axes of a batch are lost.
use transformer_tutor::tensor::Tensor;

pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let others = (vocabulary - 2) as f32;
    let rows = targets.data().len();
    let mut cells = vec![smoothing / others; rows * vocabulary];
    for (row, target) in cells.chunks_mut(vocabulary).zip(targets.data()) {
        let target = *target as usize;
        if target == padding {
            row.fill(0.0);
        } else {
            row[target] = 1.0 - smoothing;
            row[padding] = 0.0;
        }
    }
    Tensor::new(&[rows, vocabulary], cells)
}
