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

//# [classic-12] Gives only the target's logit a gradient.
-            gradient[i * width + j] = (p - hot) / count;
+            if j == target {
+                gradient[i * width + j] = (p - hot) / count;
+            }

//# [classic-15] Swaps the sign of both loss and gradient.
-    (loss / count, Tensor::new(logits.shape(), gradient))
+    (-loss / count, Tensor::new(logits.shape(), gradient.iter().map(|g| -g).collect()))

//# [classic-13] Averages loss and gradient over all cells.
-    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
+    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32 * logits.last() as f32;

//# [overflows classic-0] The largest logit is not subtracted before exp, so large logits overflow.
-        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
-        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
-        loss += sum.ln() + max - row[target];
+        let sum: f32 = row.iter().map(|x| x.exp()).sum();
+        loss += sum.ln() - row[target];
-            let p = (x - max).exp() / sum;
+            let p = x.exp() / sum;

//# [log-of-zero] The logarithm is taken of the softmax, so a tiny probability has rounded to 0 before.
-        loss += sum.ln() + max - row[target];
+        loss += -((row[target] - max).exp() / sum).ln();

//# [classic-3] The probability is clipped at 1e-9 before the logarithm, so a very wrong prediction costs too little.
-        loss += sum.ln() + max - row[target];
+        loss += -((row[target] - max).exp() / sum).max(1e-9).ln();

//# [classic-1] The largest logit of the whole batch is subtracted instead of that of the row, so other rows underflow.
     let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
+    let max = logits
+        .data()
+        .iter()
+        .copied()
+        .fold(f32::NEG_INFINITY, f32::max);
-        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);

//# [divided-by-all] The mean is over all positions, padding too.
-    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
+    let count = targets.len().max(1) as f32;

//# [divided-by-all classic-5] The loss is the mean over the real positions, but its gradient is divided by all positions.
-            gradient[i * width + j] = (p - hot) / count;
+            gradient[i * width + j] = (p - hot) / targets.len() as f32;

//# [gradient-of-the-sum] The gradient is that of the sum; it is not divided by the number of positions.
-            gradient[i * width + j] = (p - hot) / count;
+            gradient[i * width + j] = p - hot;

//# [sum classic-6] The loss is the sum and not the mean, though the gradient is of the mean.
-    (loss / count, Tensor::new(logits.shape(), gradient))
+    (loss, Tensor::new(logits.shape(), gradient))

//# [padding-counts] Positions whose target is padding count like all others.
-    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
+    let _ = padding;
+    let count = targets.len().max(1) as f32;
-        if target == padding {
-            continue;
-        }

//# [classic-4] Padding is left out of the loss, but its rows still get a gradient.
-        if target == padding {
-            continue;
-        }
-        loss += sum.ln() + max - row[target];
+        if target != padding {
+            loss += sum.ln() + max - row[target];
+        }

//# [no-one-hot] The gradient is the softmax alone; the target's 1 is not subtracted.
-            let hot = if j == target { 1.0 } else { 0.0 };
-            gradient[i * width + j] = (p - hot) / count;
+            gradient[i * width + j] = p / count;

//# [classic-12] The gradient reaches the target's logit only, as if the other probabilities did not depend on them.
-            gradient[i * width + j] = (p - hot) / count;
+            gradient[i * width + j] = hot * (p - 1.0) / count;

//# [classic-7] The gradient is by the probabilities, −1 / p at the target, and not by the logits.
-            gradient[i * width + j] = (p - hot) / count;
+            gradient[i * width + j] = -hot / p / count;

//# [ascent] The gradient has the wrong sign: target minus softmax.
-            gradient[i * width + j] = (p - hot) / count;
+            gradient[i * width + j] = (hot - p) / count;

//# [classic-8] The gradient goes through the softmax's slope once more: (p − target) · p · (1 − p).
-            gradient[i * width + j] = (p - hot) / count;
+            gradient[i * width + j] = (p - hot) * p * (1.0 - p) / count;

//# [base-2] The loss is measured in bits, with the logarithm to base 2.
-        loss += sum.ln() + max - row[target];
+        loss += (sum.ln() + max - row[target]) / std::f32::consts::LN_2;

//# [classic-11] Where no position counts, it divides by 0.
-    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
+    let count = targets.iter().filter(|&&t| t != padding).count() as f32;

//# [classic-9] Padding targets are filtered out before they are paired with the rows, so later targets meet the wrong rows.
-    for (i, row) in logits.data().chunks(width).enumerate() {
-        let target = targets[i];
-        if target == padding {
-            continue;
-        }
+    let real = targets.iter().filter(|&&t| t != padding);
+    for (i, (row, &target)) in logits.data().chunks(width).zip(real).enumerate() {

//# [classic-10] Padding is taken to be id 0 whatever the caller says.
 pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
+    let _ = padding;
-    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
+    let count = targets.iter().filter(|&&t| t != 0).count().max(1) as f32;
-        if target == padding {
+        if target == 0 {

//# [classic-13] Loss and gradient are averaged over all cells of the table, so they are also divided by the vocabulary.
-    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
+    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32 * width as f32;

//# [classic-14] The probability of padding's column is cut out of the softmax, so rows are divided by too small a sum.
-        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
+        let sum: f32 = (0..width)
+            .filter(|&j| j != padding)
+            .map(|j| (row[j] - max).exp())
+            .sum();

//# [classic-2] The largest logit is subtracted in the sum but not given back, so the loss lacks it.
-        loss += sum.ln() + max - row[target];
+        loss += sum.ln() - row[target];

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

//# [classic-3] Takes the logarithm of the finished probability plus a tiny number, which caps the loss where the probability underflows.
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

//# [divided-by-all] Divides loss and gradient by the number of all positions, padding included.
-    let count = targets.iter().filter(|target| **target != padding).count();
+    let count = targets.len();

//# [gradient-of-the-sum] The gradient belongs to the sum of the surprises; it is not divided by the number of positions.
-            gradient.push((p - right) / count as f32);
+            gradient.push(p - right);

//# [classic-11] Divides by the number of positions even if it is 0, so a batch of padding has the loss NaN.
-    let loss = if count == 0 { 0.0 } else { loss / count as f32 };
+    let loss = loss / count as f32;

//# [classic-1] Subtracts the largest logit of the whole batch, so rows far below it underflow.
     let count = targets.iter().filter(|target| **target != padding).count();
+    let largest = logits
+        .data()
+        .iter()
+        .copied()
+        .fold(f32::NEG_INFINITY, f32::max);
-        let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);

//# [classic-14] Leaves the padding token out of the softmax, though only padded positions should be left out.
-        let sum: f32 = row.iter().map(|logit| (logit - largest).exp()).sum();
+        let sum: f32 = row
+            .iter()
+            .enumerate()
+            .filter(|(token, _)| *token != padding)
+            .map(|(_, logit)| (logit - largest).exp())
+            .sum();

//# [classic-3] Clips the probability at 1e-9 before the logarithm, so no surprise can be larger than 20.7.
-        loss += largest + sum.ln() - row[target];
+        let p_target = (row[target] - largest).exp() / sum;
+        loss -= p_target.max(1e-9).ln();

//# [base-2] Measures the loss in bits, and computes a gradient at padded positions too.
     let mut loss = 0.0;
+    let mut skipped = 0;
-            gradient.extend(vec![0.0; width]);
-            continue;
+            skipped += 1;
-        loss += largest + sum.ln() - row[target];
+        if target != padding {
+            loss += (largest + sum.ln() - row[target]) / 2f32.ln();
+        }
-    let loss = if count == 0 { 0.0 } else { loss / count as f32 };
+    let loss = if skipped == targets.len() {
+        0.0
+    } else {
+        loss / count as f32
+    };
