//! The reference solution of the warm-up: softmax over one row.

transformer_tutor::reference! { "softmax";
// ANCHOR: forward
/// `exp(score) / Σ exp(score)`. Subtracting the largest score first leaves the quotient unchanged
/// and prevents overflow. Blocked scores (`−∞`) get 0, and so does a row with no other scores.
pub fn softmax(scores: &[f32]) -> Vec<f32> {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if largest == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let exps: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.iter().map(|exp| exp / sum).collect()
}
// ANCHOR_END: forward
}
