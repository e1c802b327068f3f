//! Write attention with a cache. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::curriculum::decoding::attend_next::Cache;

/// One step of self-attention while decoding: the new token attends to all tokens so far, including itself.
///
/// - `cache.keys` and `cache.values`, each a `Vec<Vec<f32>>`: one row per earlier token, in order; both are empty at
///   first. The call adds the new token's rows.
/// - `query [d_k]`, `key [d_k]`, `value [d_v]`: the new token's, for one head
/// - the result `[d_v]`: the new token's context
///
/// It must equal the last row of scaled dot-product attention over the whole sentence with a causal mask, token after
/// token and for scores of any size.
///
/// An example: with an empty cache the result is `value` itself.
///
/// # Guidance
///
/// `softmax(q · kᵀ / sqrt(d_k))` over all rows of keys, times the values. Subtract the largest score before `exp`.
pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    let _ = (cache, query, key, value);
    todo!("write attend_next")
}
