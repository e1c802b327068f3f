//# right
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}

//# [overflows loss-overflows] The largest logit is not subtracted before exp, so large logits overflow.
-        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
-        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
-        loss += sum.ln() + max - row[target];
+        let sum: f32 = row.iter().map(|x| x.exp()).sum();
+        loss += sum.ln() - row[target];
-            let p = (x - max).exp() / sum;
+            let p = x.exp() / sum;

//# [padding-counts] Positions whose target is padding count like all others.
-    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
+    let _ = padding;
+    let count = targets.len().max(1) as f32;
-        if target == padding {
-            continue;
-        }

//# [removed-before-pairing] Padding targets are filtered out before they are paired with the rows, so later targets meet the wrong rows.
-    for (i, row) in logits.data().chunks(width).enumerate() {
-        let target = targets[i];
-        if target == padding {
-            continue;
-        }
+    let real = targets.iter().filter(|&&t| t != padding);
+    for (i, (row, &target)) in logits.data().chunks(width).zip(real).enumerate() {

//# [divided-by-all] Divides loss and gradient by the number of all positions, padding among them.
use transformer_tutor::tensor::Tensor;

pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.len() as f32;
    let mut loss = 0.0;
    let mut cells = Vec::new();
    for (row, &target) in logits.data().chunks(width).zip(targets) {
        if target == padding {
            cells.extend(vec![0.0; width]);
            continue;
        }
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum = row.iter().map(|x| (x - most).exp()).sum::<f32>();
        loss += sum.ln() + most - row[target];
        for (word, x) in row.iter().enumerate() {
            let p = (x - most).exp() / sum;
            let hit = if word == target { 1.0 } else { 0.0 };
            cells.push((p - hit) / count);
        }
    }
    (loss / count.max(1.0), Tensor::new(logits.shape(), cells))
}

//# [gradient-of-the-sum] Takes the mean of the loss but leaves the gradient as that of the sum, p − 1 for each position.
-    let count = targets.len() as f32;
+    let mut count = 0;
         }
+        count += 1;
-            let hit = if word == target { 1.0 } else { 0.0 };
-            cells.push((p - hit) / count);
+            cells.push(if word == target { p - 1.0 } else { p });
-    (loss / count.max(1.0), Tensor::new(logits.shape(), cells))
+    if count > 0 {
+        loss /= count as f32;
+    }
+    (loss, Tensor::new(logits.shape(), cells))

//# [clamped] Takes the logarithm of the finished probability plus a tiny number, which caps the loss where the probability underflows.
-    let count = targets.len() as f32;
+    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
-        let sum = row.iter().map(|x| (x - most).exp()).sum::<f32>();
-        loss += sum.ln() + most - row[target];
-        for (word, x) in row.iter().enumerate() {
-            let p = (x - most).exp() / sum;
+        let exps: Vec<f32> = row.iter().map(|x| (x - most).exp()).collect();
+        let sum = exps.iter().sum::<f32>();
+        loss -= (exps[target] / sum + 1e-12).ln() / count;
+        for (word, e) in exps.iter().enumerate() {
-            cells.push((p - hit) / count);
+            cells.push((e / sum - hit) / count);
-    (loss / count.max(1.0), Tensor::new(logits.shape(), cells))
+    (loss, Tensor::new(logits.shape(), cells))

//# right
use transformer_tutor::tensor::Tensor;

pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|target| **target != padding).count();
    let mut loss = 0.0;
    let mut gradient = Vec::with_capacity(targets.len() * width);
    for (row, &target) in logits.data().chunks(width).zip(targets) {
        if target == padding {
            gradient.extend(vec![0.0; width]);
            continue;
        }
        let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|logit| (logit - largest).exp()).sum();
        loss += largest + sum.ln() - row[target];
        for (token, logit) in row.iter().enumerate() {
            let p = (logit - largest).exp() / sum;
            let right = if token == target { 1.0 } else { 0.0 };
            gradient.push((p - right) / count as f32);
        }
    }
    let loss = if count == 0 { 0.0 } else { loss / count as f32 };
    (loss, Tensor::new(&[targets.len(), width], gradient))
}

//# [divided-by-0] Divides by the number of positions even if it is 0, so a batch of padding has the loss NaN.
-    let loss = if count == 0 { 0.0 } else { loss / count as f32 };
+    let loss = loss / count as f32;
