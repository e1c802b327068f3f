//! The reference solution of the challenge: cross-entropy over rows of logits, with its gradient.

use transformer_tutor::tensor::Tensor;

transformer_tutor::reference! { "cross_entropy";
// ANCHOR: forward
/// The mean of `ln Σ exp(logit) − logit[target]` over the positions without padding, and its
/// gradient: softmax minus one-hot, divided by the number of these positions.
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let real = targets.iter().filter(|&&target| target != padding);
    let count = real.count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    let rows = logits.data().chunks(width).zip(gradient.chunks_mut(width));
    for ((row, slope), &target) in rows.zip(targets) {
        if target == padding {
            continue;
        }
        let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|logit| (logit - largest).exp()).sum();
        loss += (sum.ln() - (row[target] - largest)) / count;
        for (slope, logit) in slope.iter_mut().zip(row) {
            *slope = (logit - largest).exp() / sum / count;
        }
        slope[target] -= 1.0 / count;
    }
    (loss, Tensor::new(logits.shape(), gradient))
}
// ANCHOR_END: forward
}
