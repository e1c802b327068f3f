//# [overflows] Does not subtract the largest score, so that large scores overflow.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
    let sum: f32 = exps.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    exps.iter().map(|e| e / sum).collect()
}

//# [classic-0] Begins the search for the largest score at 0, so that a row of very negative scores underflows.
-    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
+    let max = scores.iter().fold(0.0_f32, |a, &b| a.max(b));
+    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();

//# [classic-11] Caps the scores at 80 against the overflow, which makes all larger ones equal.
-    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
+    let exps: Vec<f32> = scores.iter().map(|s| s.min(80.0).exp()).collect();

//# [classic-11] Clamps large scores to keep exp from overflowing, where it should subtract the largest one.
-    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
+    let exps: Vec<f32> = scores.iter().map(|&score| score.min(80.0).exp()).collect();

//# [classic-0] Begins the search for the largest score at MIN_POSITIVE, which is the smallest number above 0 and not the lowest one.
-    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
+    let max = scores.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
+    let exps: Vec<f32> = scores.iter().map(|&score| (score - max).exp()).collect();
-    exps.iter().map(|e| e / sum).collect()
+    exps.into_iter().map(|e| e / sum).collect()

//# right
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if max == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|e| e / sum).collect()
}

//# [uniform-when-blocked] Shares the weight out evenly where everything is blocked.
 pub fn softmax(scores: &[f32]) -> Vec<f32> {
+    let n = scores.len();
-        return vec![0.0; scores.len()];
+        return vec![1.0 / n as f32; n];

//# [classic-1] Divides the scores by the largest one instead of subtracting it.
-    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
+    let scale = if max > 0.0 { max } else { 1.0 };
+    let exps: Vec<f32> = scores.iter().map(|s| (s / scale).exp()).collect();

//# [classic-4] Returns the logarithms of the weights.
-    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
-    let sum: f32 = exps.iter().sum();
-    exps.iter().map(|e| e / sum).collect()
+    let sum: f32 = scores.iter().map(|s| (s - max).exp()).sum();
+    scores.iter().map(|s| s - max - sum.ln()).collect()

//# [classic-5] Subtracts the largest score in the numerator alone.
-    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
-    let sum: f32 = exps.iter().sum();
-    exps.iter().map(|e| e / sum).collect()
+    let sum: f32 = scores.iter().map(|s| s.exp()).sum();
+    scores.iter().map(|s| (s - max).exp() / sum).collect()

//# [classic-9] Divides by 1 more than the sum, so that a row may give less than everything.
-    exps.iter().map(|e| e / sum).collect()
+    exps.iter().map(|e| e / (1.0 + sum)).collect()

//# [classic-8] Scales by the length of the vector of exponentials instead of their sum.
-    let sum: f32 = exps.iter().sum();
-    exps.iter().map(|e| e / sum).collect()
+    let norm = exps.iter().map(|e| e * e).sum::<f32>().sqrt();
+    exps.iter().map(|e| e / norm).collect()

//# [blocked-row] Does not think of a row in which every score is blocked, and subtracts −∞ from −∞.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = scores.iter().map(|&score| (score - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|e| e / sum).collect()
}

//# [blocked-row] Does not think of a row in which everything is blocked: minus infinity less minus infinity is not a number.
-    let exps: Vec<f32> = scores.iter().map(|&score| (score - max).exp()).collect();
+    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
-    exps.iter().map(|e| e / sum).collect()
+    exps.into_iter().map(|e| e / sum).collect()

//# [classic-3] Squashes every score by itself with a sigmoid and divides by the sum.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let open: Vec<f32> = scores.iter().map(|s| 1.0 / (1.0 + (-s).exp())).collect();
    let sum: f32 = open.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    open.iter().map(|w| w / sum).collect()
}

//# [no-exponential] Leaves the exponential out: divides every score by the sum of the scores.
-    let open: Vec<f32> = scores.iter().map(|s| 1.0 / (1.0 + (-s).exp())).collect();
+    let open: Vec<f32> = scores
+        .iter()
+        .map(|&s| if s == f32::NEG_INFINITY { 0.0 } else { s })
+        .collect();
-    open.iter().map(|w| w / sum).collect()
+    open.iter().map(|s| s / sum).collect()

//# [classic-2] Subtracts the mean of the scores instead of the largest.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let open: Vec<f32> = scores.iter().copied().filter(|s| s.is_finite()).collect();
    if open.is_empty() {
        return vec![0.0; scores.len()];
    }
    let mean = open.iter().sum::<f32>() / open.len() as f32;
    let exps: Vec<f32> = scores.iter().map(|s| (s - mean).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|e| e / sum).collect()
}

//# [classic-13] Leaves blocked scores out of the result, which becomes shorter than the row.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let open: Vec<f32> = scores
        .iter()
        .copied()
        .filter(|&s| s != f32::NEG_INFINITY)
        .collect();
    let max = open.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = open.iter().map(|s| (s - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|e| e / sum).collect()
}

//# [classic-7] Takes a blocked score for a score of 0, which still gets a weight.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let scores: Vec<f32> = scores
        .iter()
        .map(|&s| if s == f32::NEG_INFINITY { 0.0 } else { s })
        .collect();
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|e| e / sum).collect()
}

//# [classic-6] Gives everything to the largest score: computes the hard maximum.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if max == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let best = scores.iter().filter(|&&s| s == max).count() as f32;
    scores
        .iter()
        .map(|&s| if s == max { 1.0 / best } else { 0.0 })
        .collect()
}

//# right
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if largest == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let weights: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f32 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

//# [uniform-when-blocked] A row in which every score is blocked gets equal weights in place of zeros.
-        return vec![0.0; scores.len()];
+        return vec![1.0 / scores.len() as f32; scores.len()];

//# [classic-10] The search for the largest score begins at 0, so a row of very negative scores underflows to a sum of 0 and gives NaN.
-    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
+    let largest = scores.iter().copied().fold(0.0, f32::max);

//# [classic-12] Divides in place and takes the sum anew for every cell, after the earlier cells were already divided.
-    let weights: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
-    let sum: f32 = weights.iter().sum();
-    weights.iter().map(|weight| weight / sum).collect()
+    let mut weights: Vec<f32> = scores.iter().map(|s| (s - largest).exp()).collect();
+    for i in 0..weights.len() {
+        weights[i] /= weights.iter().sum::<f32>();
+    }
+    weights

//# [past-the-end] Begins with scores[0] as the largest score, which panics for an empty row.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let mut largest = scores[0];
    for &score in &scores[1..] {
        if score > largest {
            largest = score;
        }
    }
    if largest == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let mut weights: Vec<f32> = scores.iter().map(|s| (s - largest).exp()).collect();
    let sum: f32 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}

//# [classic-2] Subtracts the mean of the scores in place of the largest, so exp still overflows when one score is far above the mean.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let open: Vec<f32> = scores
        .iter()
        .copied()
        .filter(|s| *s != f32::NEG_INFINITY)
        .collect();
    if open.is_empty() {
        return vec![0.0; scores.len()];
    }
    let mean = open.iter().sum::<f32>() / open.len() as f32;
    let powers: Vec<f32> = scores.iter().map(|s| (s - mean).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|p| p / sum).collect()
}

//# [classic-11] Caps each score at 80 to prevent the overflow, so all scores above 80 get the same weight.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let powers: Vec<f32> = scores.iter().map(|s| s.min(80.0).exp()).collect();
    let sum: f32 = powers.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    powers.iter().map(|p| p / sum).collect()
}
