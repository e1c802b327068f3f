//# Does not subtract the largest score, so that large scores overflow.
//= overflows
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
    let sum: f32 = exps.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    exps.iter().map(|e| e / sum).collect()
}
//# Starts the search for the largest score at 0, so that a row of very negative scores underflows.
//= classic-0
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().fold(0.0_f32, |a, &b| a.max(b));
    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    exps.iter().map(|e| e / sum).collect()
}
//# Ignores the case of a fully blocked row, where −∞ minus −∞ is NaN.
//= blocked-row
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.into_iter().map(|e| e / sum).collect()
}
//# Spreads the weight evenly if everything is blocked.
//= uniform-when-blocked
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let n = scores.len();
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if max == f32::NEG_INFINITY {
        return vec![1.0 / n as f32; n];
    }
    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|e| e / sum).collect()
}
//# Caps the scores at 80 to avoid overflow, which makes all larger ones equal.
//=
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let exps: Vec<f32> = scores.iter().map(|s| s.min(80.0).exp()).collect();
    let sum: f32 = exps.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    exps.iter().map(|e| e / sum).collect()
}
//# Divides the scores by the largest one instead of subtracting it.
//= classic-1
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if max == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let scale = if max > 0.0 { max } else { 1.0 };
    let exps: Vec<f32> = scores.iter().map(|s| (s / scale).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|e| e / sum).collect()
}
//# Subtracts the mean of the scores instead of the largest.
//= classic-2
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
//# Leaves blocked scores out of the result, which gets shorter than the row.
//=
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
//# Treats a blocked score as a score of 0, which still gets a weight.
//= classic-7
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
//# Squashes each score with a sigmoid and divides by the sum.
//= classic-3
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let open: Vec<f32> = scores.iter().map(|s| 1.0 / (1.0 + (-s).exp())).collect();
    let sum: f32 = open.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    open.iter().map(|w| w / sum).collect()
}
//# Returns the logarithms of the weights.
//= classic-4
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if max == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let sum: f32 = scores.iter().map(|s| (s - max).exp()).sum();
    scores.iter().map(|s| s - max - sum.ln()).collect()
}
//# Leaves out the exponential: divides every score by the sum of the scores.
//= no-exponential
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let open: Vec<f32> = scores
        .iter()
        .map(|&s| if s == f32::NEG_INFINITY { 0.0 } else { s })
        .collect();
    let sum: f32 = open.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    open.iter().map(|s| s / sum).collect()
}
//# Subtracts the largest score only in the numerator.
//= classic-5
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if max == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let sum: f32 = scores.iter().map(|s| s.exp()).sum();
    scores.iter().map(|s| (s - max).exp() / sum).collect()
}
//# Divides by 1 more than the sum, so that the weights of a row can sum to less than 1.
//= not-divided
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if max == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|e| e / (1.0 + sum)).collect()
}
//# Gives all weight to the largest score: computes the hard maximum.
//= classic-6
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
//# Divides by the norm of the vector of exponentials instead of their sum.
//= not-divided
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if max == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let exps: Vec<f32> = scores.iter().map(|s| (s - max).exp()).collect();
    let norm = exps.iter().map(|e| e * e).sum::<f32>().sqrt();
    exps.iter().map(|e| e / norm).collect()
}
//# Clamps large scores to keep exp from overflowing instead of subtracting the largest one.
//=
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let exps: Vec<f32> = scores.iter().map(|&score| score.min(80.0).exp()).collect();
    let sum: f32 = exps.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    exps.iter().map(|e| e / sum).collect()
}
//# Ignores the case of a row in which every score is blocked, and subtracts −∞ from −∞.
//= blocked-row
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = scores.iter().map(|&score| (score - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|e| e / sum).collect()
}
//# Starts the search for the largest score at MIN_POSITIVE, which is the smallest number above 0 instead of the lowest number.
//= classic-0
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let exps: Vec<f32> = scores.iter().map(|&score| (score - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    if sum == 0.0 {
        return vec![0.0; scores.len()];
    }
    exps.into_iter().map(|e| e / sum).collect()
}
