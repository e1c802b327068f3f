//! The reference of the warm-up: greedy decoding, with the model as a function.

use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

// ANCHOR: forward
/// The most probable token after those so far, again and again: until it is `EOS`, or until `limit` are written.
pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    while tokens.len() <= limit {
        let log_probs = next(&tokens);
        let better = |best, id| {
            if log_probs[id] > log_probs[best] {
                id
            } else {
                best
            }
        };
        let others = (0..log_probs.len()).filter(|&id| id != PAD);
        match others.reduce(better) {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens.split_off(1)
}
// ANCHOR_END: forward
