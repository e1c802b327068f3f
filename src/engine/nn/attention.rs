//! Scaled dot-product attention (Vaswani et al. 2017, 3.2.1).

use crate::autograd::{Component, Nature, Var};

/// The value of blocked scores before the softmax, as in the Annotated Transformer and TensorFlow's.
pub const BLOCKED: f32 = -1e9;

/// The result of attention: the weighted average of the values, and its weights.
pub struct Attention {
    /// `[…, target, d_v]`.
    pub context: Var,
    /// `[…, target, source]`, before dropout; every row sums to 1.
    pub weights: Var,
}

/// The component [`attention`], which a tape may replace.
pub const ATTENTION: Component<AttentionFn> = Component::new("attention");

/// The signature of [`attention`].
pub type AttentionFn = fn(&Var, &Var, &Var, Option<&Var>, f32) -> Attention;

/// Scaled dot-product attention as multi-head attention calls it: the tape's replacement if it has one, otherwise
/// [`by_hand::attention`]; [`biased_attention`] if `mask` is a bias to add to the scores.
#[track_caller]
pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    if let Some(bias) = mask.filter(|mask| mask.nature() != Nature::Mask) {
        return biased_attention(query, key, value, bias, dropout);
    }
    match query.tape().replacement(&ATTENTION) {
        Some(own) => (own.function)(query, key, value, mask, dropout),
        None => by_hand::attention(query, key, value, mask, dropout),
    }
}

/// The reference implementation.
pub mod by_hand {
    use crate::autograd::Var;
    use crate::nn::attention::{Attention, BLOCKED};

    crate::reference! { "attention";
    // ANCHOR: forward
    /// `softmax(query · keyᵀ / √d_k) · value`, with blocked scores set to −1e9.
    ///
    /// `query [batch, heads, target, d_k]`, `key [batch, heads, source, d_k]`,
    /// `value [batch, heads, source, d_v]`; `mask` broadcasts to `[batch, heads, target, source]`;
    /// `dropout` is the fraction of attention weights that training drops.
    #[track_caller]
    pub fn attention(
        query: &Var,
        key: &Var,
        value: &Var,
        mask: Option<&Var>,
        dropout: f32,
    ) -> Attention {
        let d_k = query.value().last() as f32;
        let scores = query.matmul_t(key).named("scores");
        let scaled = scores.scale(1.0 / d_k.sqrt()).named("scaled");
        let masked = match mask {
            Some(mask) => scaled.mask_fill(mask, BLOCKED).named("masked"),
            None => scaled,
        };
        let weights = masked.softmax().named("weights");
        let context = weights.dropout(dropout).matmul(value).named("context");
        Attention { context, weights }
    }
    // ANCHOR_END: forward
    }
}

// ANCHOR: biased
/// Attention as in TensorFlow's official Transformer: the query is divided by √d_k before the
/// product, and `bias` (0 or −1e9, see [`masks::bias`](super::masks::bias)) is added to the scores.
#[track_caller]
pub fn biased_attention(
    query: &Var,
    key: &Var,
    value: &Var,
    bias: &Var,
    dropout: f32,
) -> Attention {
    let d_k = query.value().last() as f32;
    let query = query.scale(1.0 / d_k.sqrt()).named("scaled_query");
    let scores = query.matmul_t(key).named("scaled");
    let masked = scores.add(bias).named("masked");
    let weights = masked.softmax().named("weights");
    let context = weights.dropout(dropout).matmul(value).named("context");
    Attention { context, weights }
}
// ANCHOR_END: biased
