//! The reference solution of the warm-up: greedy decoding, with the model as a function.

use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

transformer_tutor::reference! { "greedy_decode";
// ANCHOR: forward
/// Writes the most probable next token, again and again, until it is `EOS` or `limit` tokens are
/// written.
pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    while tokens.len() <= limit {
        let log_probs = next(&tokens);
        // `max_by` keeps the last of equal ones: backwards, that is the smallest id.
        let ids = (0..log_probs.len()).rev().filter(|&id| id != PAD);
        match ids.max_by(|&a, &b| log_probs[a].total_cmp(&log_probs[b])) {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens.split_off(1)
}
// ANCHOR_END: forward
}
