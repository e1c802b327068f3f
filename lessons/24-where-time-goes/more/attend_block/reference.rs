//! The reference: attention over keys and values that arrive block by block.

use transformer_tutor::curriculum::where_time_goes::attend_block::State;

transformer_tutor::reference! { "attend_block";
// ANCHOR: forward
/// Lets `query` attend to one more block of keys and values, and returns the context of all blocks so far.
pub fn attend_block(state: &mut State, query: &[f32], keys: &[Vec<f32>], values: &[Vec<f32>]) -> Vec<f32> {
    let root = (query.len() as f32).sqrt();
    for (key, value) in keys.iter().zip(values) {
        let dot: f32 = query.iter().zip(key).map(|(q, k)| q * k).sum();
        let score = dot / root;
        let largest = state.largest.max(score);
        // What was read before was measured against the old maximum.
        let kept = (state.largest - largest).exp();
        let weight = (score - largest).exp();
        state.largest = largest;
        state.sum = state.sum * kept + weight;
        state.mixed.resize(value.len(), 0.0);
        for (mixed, v) in state.mixed.iter_mut().zip(value) {
            *mixed = *mixed * kept + weight * v;
        }
    }
    state.mixed.iter().map(|mixed| mixed / state.sum).collect()
}
// ANCHOR_END: forward
}
