//! Write scaled dot-product attention. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

/// Scaled dot-product attention: every query takes the mean of the values, weighted by how well it matches their keys.
/// The match is a dot product, made independent of the width `d_k`; scores that the mask blocks become [`BLOCKED`].
///
/// - `query [batch, heads, target, d_k]`, `key [batch, heads, source, d_k]`
/// - `value [batch, heads, source, d_v]`
/// - `mask`, if there is one, broadcasts to `[batch, heads, target, source]`: 1 may be seen, 0 is blocked
/// - `dropout`: the proportion of weights that a training run drops before they mix the values
///
/// You return `Attention { context, weights }`: `context [batch, heads, target, d_v]`, and
/// `weights [batch, heads, target, source]`, positive and with the sum 1 in each row, as they were before dropout.
///
/// An example, d_k 2: query `[2, 0]`, keys `[1, 0]` and `[0, 1]`, values `[10]` and `[20]` give the weights
/// `[0.804, 0.196]` and the context `[11.96]`. With the second key blocked: `[1, 0]` and `[10]`.
///
/// # Guidance
///
/// In the example the scores are 2 and 0. Two channels make them √2 times too large, so they become 1.414 and 0, and the
/// softmax of these two is 0.804 and 0.196. Where does the mask act, and where the dropout? What you can use:
///
/// - `a.matmul(&b) -> Var` multiplies rows of `a` by columns of `b`; `a.matmul_t(&b) -> Var` rows by rows
/// - `x.scale(factor: f32) -> Var`, `x.softmax() -> Var` over the last axis, `x.dropout(p: f32) -> Var`
/// - `x.mask_fill(&mask, fill: f32) -> Var`: `fill` where the mask is 0
/// - `x.shape() -> Vec<usize>`
pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let _ = (query, key, value, mask, dropout, BLOCKED);
    todo!("write attention")
}
