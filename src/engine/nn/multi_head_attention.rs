//! Multi-head attention (Vaswani et al. 2017, 3.2.2).

use super::attention::attention;
use super::linear::{Bias, Linear};
use crate::autograd::{Component, Var};
use crate::params::Params;

/// The component [`multi_head_attention`], which a tape may replace.
pub const MULTI_HEAD_ATTENTION: Component<MultiHeadFn> = Component::new("multi_head_attention");

/// The signature of [`multi_head_attention`].
pub type MultiHeadFn = fn(&MultiHeadAttention, &Var, &Var, &Var, Option<&Var>) -> MultiHead;

/// Several attention heads in parallel, with three linear maps before them and one after.
pub struct MultiHeadAttention {
    /// The number of heads, among which the channels are split.
    pub heads: usize,
    /// W_Q of all heads at once, `[d_model, d_model]`.
    pub query: Linear,
    /// W_K.
    pub key: Linear,
    /// W_V.
    pub value: Linear,
    /// W_O, which mixes the heads.
    pub output: Linear,
    /// The fraction of attention weights that training drops.
    pub dropout: f32,
}

/// The result of multi-head attention.
pub struct MultiHead {
    /// `[batch, target, d_model]`.
    pub output: Var,
    /// `[batch, heads, target, source]`; every row sums to 1.
    pub weights: Var,
}

impl MultiHeadAttention {
    /// Creates the maps of `d_model` channels. Panics, with TensorFlow's message, unless `heads` divides `d_model`.
    #[track_caller]
    pub fn new(
        params: &mut Params,
        heads: usize,
        d_model: usize,
        bias: Bias,
        dropout: f32,
    ) -> Self {
        assert!(
            heads > 0 && d_model.is_multiple_of(heads),
            "{}",
            indivisible(d_model, heads)
        );
        let mut map = |name| {
            params.scoped(name, |p| {
                Linear::new(p, ("d", d_model), ("d", d_model), bias)
            })
        };
        Self {
            heads,
            query: map("query"),
            key: map("key"),
            value: map("value"),
            output: map("output"),
            dropout,
        }
    }

    /// Calls [`multi_head_attention`] or the tape's replacement for it. On a fused tape, everything between the maps is
    /// one step.
    #[track_caller]
    pub fn forward(&self, query: &Var, key: &Var, value: &Var, mask: Option<&Var>) -> MultiHead {
        if let Some(own) = query.tape().replacement(&MULTI_HEAD_ATTENTION) {
            return (own.function)(self, query, key, value, mask);
        }
        if !query.tape().is_fused() {
            return multi_head_attention(self, query, key, value, mask);
        }
        let query = self.query.forward(query);
        let (key, value) = (self.key.forward(key), self.value.forward(value));
        let (context, weights) = query.attend(&key, &value, mask, self.heads, self.dropout);
        MultiHead {
            output: self.output.forward(&context).named("attended"),
            weights,
        }
    }
}

crate::reference! { "multi_head_attention";
// ANCHOR: exercise
// ANCHOR: forward
/// Attends with all heads: `query [batch, target, d_model]`; `key` and `value [batch, source,
/// d_model]`; `mask [batch, 1 or target, source]` of 1 and 0, or a bias to add to the scores.
#[track_caller]
pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let query = maps.query.forward(query).named("query");
    let key = maps.key.forward(key).named("key");
    let value = maps.value.forward(value).named("value");
    let query = split_heads(&query, maps.heads).named("query_heads");
    let key = split_heads(&key, maps.heads).named("key_heads");
    let value = split_heads(&value, maps.heads).named("value_heads");
    let mask = mask.map(|m| m.unsqueeze(1)); // one mask for all heads
    let attended = attention(&query, &key, &value, mask.as_ref(), maps.dropout);
    let output = maps
        .output
        .forward(&combine_heads(&attended.context))
        .named("attended");
    MultiHead {
        output,
        weights: attended.weights,
    }
}
// ANCHOR_END: forward

// ANCHOR: split
/// Splits each token's channels among the heads and moves the heads in front of the positions:
/// `[batch, length, d_model]` → `[batch, heads, length, d_model / heads]`.
#[track_caller]
pub fn split_heads(x: &Var, heads: usize) -> Var {
    let (shape, axes) = (x.shape(), x.axes());
    let &[batch, length, d_model] = &shape[..] else {
        panic!("split_heads: {shape:?} is not [batch, length, d_model]");
    };
    assert!(
        heads > 0 && d_model.is_multiple_of(heads),
        "{}",
        indivisible(d_model, heads)
    );
    let split = [batch, length, heads, d_model / heads];
    x.reshape(&split, &[axes[0], axes[1], "h", "k"])
        .permute(&[0, 2, 1, 3])
}

/// The inverse of [`split_heads`]: `[batch, heads, length, d_k]` → `[batch, length, heads · d_k]`.
#[track_caller]
pub fn combine_heads(x: &Var) -> Var {
    let (shape, axes) = (x.shape(), x.axes());
    let &[batch, heads, length, d_k] = &shape[..] else {
        panic!("combine_heads: {shape:?} is not [batch, heads, length, d_k]");
    };
    let side_by_side = x.permute(&[0, 2, 1, 3]);
    side_by_side
        .reshape(&[batch, length, heads * d_k], &[axes[0], axes[2], "d"])
        .named("combined")
}
// ANCHOR_END: split

/// The error message of TensorFlow's official Transformer.
fn indivisible(d_model: usize, heads: usize) -> String {
    format!("d_model ({d_model}) must be divisible by the number of heads ({heads}).")
}
// ANCHOR_END: exercise
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;

    #[test]
    fn splitting_and_combining_is_the_identity() {
        let tape = Tape::eval(&Default::default());
        let x = tape.input("x", check::normal(&[2, 5, 12]), &["b", "t", "d"]);
        let split = split_heads(&x, 3);
        assert_eq!(split.shape(), [2, 3, 5, 4]);
        assert_eq!(split.value().at(&[1, 2, 4, 3]), x.value().at(&[1, 4, 11]));
        let back = combine_heads(&split);
        assert_eq!(back.value(), x.value());
        assert_eq!(back.axes(), x.axes());
    }

    #[test]
    fn parameters_do_not_depend_on_the_heads() {
        for heads in [1, 2, 4, 8, 16] {
            let mut params = Params::layout();
            MultiHeadAttention::new(&mut params, heads, 512, Bias::Zero, 0.1);
            assert_eq!(params.count(), 1_050_624);
        }
    }

    #[test]
    #[should_panic(expected = "d_model (512) must be divisible by the number of heads (7).")]
    fn seven_heads_are_refused_in_tensorflows_words() {
        MultiHeadAttention::new(&mut Params::layout(), 7, 512, Bias::Zero, 0.1);
    }
}
