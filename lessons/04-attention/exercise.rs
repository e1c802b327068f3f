//! Write scaled dot-product attention. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

/// `softmax(query · keyᵀ / √d_k) · value`, with blocked scores at [`BLOCKED`] before the softmax.
///
/// query `[batch, heads, target, d_k]`, key `[batch, heads, source, d_k]`,
/// value `[batch, heads, source, d_v]`, mask broadcast to `[batch, heads, target, source]`.
///
/// What you can use: `a.matmul_t(&b)` multiplies rows with rows, `a.matmul(&b)` rows with columns;
/// `x.scale(number)`, `x.mask_fill(&mask, number)`, `x.softmax()` over the last axis,
/// `x.dropout(p)`, and `x.shape()`. The weights are returned as the softmax made them, before dropout.
pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let _ = (query, key, value, mask, dropout, BLOCKED);
    todo!("scores, scale, mask, softmax, dropout, and the weighted sum of the values")
}
