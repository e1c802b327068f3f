//! Write multi-head attention. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

/// Maps query, key and value, splits their channels into heads, lets every head attend, joins the heads
/// side by side, and mixes them with the fourth map.
///
/// query `[batch, target, d_model]`, key and value `[batch, source, d_model]`, mask
/// `[batch, 1 or target, source]`. You return the output `[batch, target, d_model]` and the weights
/// `[batch, heads, target, source]`.
///
/// What you can use: `maps.query.forward(x)` and likewise `key`, `value`, `output`; `maps.heads`,
/// `maps.dropout`; `x.shape()`; `x.reshape(&[sizes], &["b", "t", "h", "k"])` (the words name the
/// axes); `x.permute(&[0, 2, 1, 3])`; `mask.unsqueeze(1)` for an axis of size 1; and
/// `attention(&query, &key, &value, mask, dropout)`, which returns `context` and `weights`.
pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let _ = (maps, query, key, value, mask, attention);
    todo!("map, split, attend, combine, mix")
}
