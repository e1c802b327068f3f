//# [overflows] Does not subtract the largest score, so that large scores overflow.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
    let sum: f32 = exps.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    exps.iter().map(|e| e / sum).collect()
}

//# [largest-from-0] Begins the search for the largest score at 0, so that a row of very negative scores underflows.
-    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
+    let max = scores.iter().fold(0.0_f32, |a, &b| a.max(b));
+    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();

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

//# [sigmoid] Squashes every score by itself with a sigmoid and divides by the sum.
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

//# [blocked-is-0] Takes a blocked score for a score of 0, which still gets a weight.
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

//# [capped] Caps each score at 80 to prevent the overflow, so all scores above 80 get the same weight.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let powers: Vec<f32> = scores.iter().map(|s| s.min(80.0).exp()).collect();
    let sum: f32 = powers.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    powers.iter().map(|p| p / sum).collect()
}
