//! The reference solution of the challenge: a step of attention with a cache.

use transformer_tutor::curriculum::decoding::attend_next::Cache;

transformer_tutor::reference! { "attend_next";
// ANCHOR: forward
/// The new token's context: its query attends to all keys so far, including its own.
pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let root = (query.len() as f32).sqrt();
    let product = |key: &Vec<f32>| query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>();
    let scores: Vec<f32> = cache.keys.iter().map(|key| product(key) / root).collect();
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f32 = exps.iter().sum();
    let mut context = vec![0.0; value.len()];
    for (exp, row) in exps.iter().zip(&cache.values) {
        for (cell, v) in context.iter_mut().zip(row) {
            *cell += exp / sum * v;
        }
    }
    context
}
// ANCHOR_END: forward
}
