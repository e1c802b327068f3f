//! Write multi-head attention. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

/// Multi-head attention: several attentions side by side, each on its own block of neighbouring channels of the mapped
/// queries, keys and values. Their contexts, side by side again in the order of the heads, go through a last map.
///
/// - `query [batch, target, d_model]`, `key` and `value [batch, source, d_model]`
/// - `mask [batch, 1 or target, source]`: 1 may be seen, 0 is blocked, the same for all heads
/// - `maps`: `heads: usize`, `dropout: f32`, and the four maps `query`, `key`, `value`, `output`
///
/// You return `MultiHead { output, weights }`: `output [batch, target, d_model]`, and
/// `weights [batch, heads, target, source]`.
///
/// An example of the split: with 2 heads, a token whose query is `[1, 2, 3, 4]` has the query `[1, 2]` in head 0
/// and `[3, 4]` in head 1.
///
/// # Guidance
///
/// `Concat(head_1, …, head_h) · W_O`, where head i is attention over the i-th block of channels of
/// `query · W_Q`, `key · W_K` and `value · W_V`.
///
/// What you can use:
///
/// - `maps.query.forward(&x) -> Var`: x times W_Q, plus its bias; the other three likewise
/// - `attention(&query, &key, &value, mask: Option<&Var>, dropout: f32) -> Attention`, whose tensors are
///   `[batch, heads, length, d_k]`, and which has the fields `context` and `weights`
/// - `x.reshape(&[sizes], &[names]) -> Var`: the same numbers in the same order; one name per axis
/// - `x.permute(&[axes]) -> Var`: the axes in a different order
/// - `x.unsqueeze(axis: usize) -> Var`: adds an axis of size 1
/// - `x.shape() -> Vec<usize>`
pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let _ = (maps, query, key, value, mask, attention);
    todo!("write multi_head_attention")
}
