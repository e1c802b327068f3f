//! Grouped-query attention (Ainslie et al. 2023): several query heads share one key and value head.

use super::attention::attention;
use super::linear::{Bias, Linear};
use super::multi_head_attention::{MultiHead, combine_heads, split_heads};
use super::rotary::rotary;
use crate::autograd::Var;
use crate::params::Params;

/// Multi-head attention with fewer key and value heads than query heads.
pub struct GroupedQueryAttention {
    /// The number of query heads.
    pub heads: usize,
    /// The number of key and value heads, a divisor of `heads`: with `groups == heads` this is
    /// multi-head attention, with one group multi-query attention (Shazeer 2019).
    pub groups: usize,
    /// `[d_model, d_model]`.
    pub query: Linear,
    /// `[groups · d_k, d_model]`.
    pub key: Linear,
    /// `[groups · d_k, d_model]`.
    pub value: Linear,
    /// `[d_model, d_model]`.
    pub output: Linear,
    /// True if queries and keys are rotated by their positions.
    pub rotary: bool,
}

impl GroupedQueryAttention {
    /// Creates the maps of `d_model` channels. Panics unless `groups` divides `heads` and `heads` divides `d_model`.
    #[track_caller]
    pub fn new(
        params: &mut Params,
        heads: usize,
        groups: usize,
        d_model: usize,
        bias: Bias,
    ) -> Self {
        assert!(
            groups > 0 && heads.is_multiple_of(groups) && d_model.is_multiple_of(heads),
            "grouped queries: {groups} groups must divide {heads} heads, and those {d_model} channels"
        );
        let shared = groups * (d_model / heads);
        let mut map =
            |name, out| params.scoped(name, |p| Linear::new(p, ("d", d_model), ("d", out), bias));
        Self {
            heads,
            groups,
            query: map("query", d_model),
            key: map("key", shared),
            value: map("value", shared),
            output: map("output", d_model),
            rotary: false,
        }
    }

    // ANCHOR: forward
    /// Attends with all heads: `query [batch, target, d_model]`; `key` and `value [batch, source,
    /// d_model]`; `mask [batch or 1, 1 or target, source]`.
    #[track_caller]
    pub fn forward(&self, query: &Var, key: &Var, value: &Var, mask: Option<&Var>) -> MultiHead {
        let query = split_heads(&self.query.forward(query), self.heads).named("query_heads");
        let key = split_heads(&self.key.forward(key), self.groups).named("key_heads");
        let value = split_heads(&self.value.forward(value), self.groups).named("value_heads");
        let (query, key) = if self.rotary {
            (rotary(&query, 0), rotary(&key, 0))
        } else {
            (query, key)
        };
        let key = repeat_heads(&key, self.heads).named("key_all");
        let value = repeat_heads(&value, self.heads).named("value_all");
        let mask = mask.map(|m| m.unsqueeze(1)); // one mask for all heads
        let attended = attention(&query, &key, &value, mask.as_ref(), 0.0);
        let output = self.output.forward(&combine_heads(&attended.context));
        MultiHead {
            output: output.named("attended"),
            weights: attended.weights,
        }
    }
    // ANCHOR_END: forward
}

crate::reference! { "repeat_heads";
// ANCHOR: repeat
/// Repeats each key or value head once per query head that shares it, so that query head `h` reads
/// group `h / (heads / groups)`: `[batch, groups, length, d_k]` → `[batch, heads, length, d_k]`.
#[track_caller]
pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let (shape, axes) = (x.shape(), x.axes());
    let &[batch, groups, length, d_k] = &shape[..] else {
        panic!("repeat_heads: {shape:?} is not [batch, groups, length, d_k]");
    };
    let each = [axes[0], "g", "h", axes[2], axes[3]];
    x.unsqueeze(2)
        .expand(&[batch, groups, heads / groups, length, d_k], &each)
        .reshape(
            &[batch, heads, length, d_k],
            &[axes[0], "h", axes[2], axes[3]],
        )
}
// ANCHOR_END: repeat
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::nn::multi_head_attention::MultiHeadAttention;
    use crate::ops::check;
    use crate::tensor::Tensor;

    fn output(grouped: bool) -> (Tensor, Tensor) {
        let mut params = Params::new(4);
        let tape = |params: &Params| Tape::eval(params);
        let x = check::normal(&[2, 5, 12]);
        let result = if grouped {
            let maps = GroupedQueryAttention::new(&mut params, 3, 3, 12, Bias::Uniform);
            let x = tape(&params).input("x", x, &["b", "t", "d"]);
            maps.forward(&x, &x, &x, None)
        } else {
            let maps = MultiHeadAttention::new(&mut params, 3, 12, Bias::Uniform, 0.0);
            let x = tape(&params).input("x", x, &["b", "t", "d"]);
            maps.forward(&x, &x, &x, None)
        };
        (result.output.value(), result.weights.value())
    }

    #[test]
    fn with_a_group_for_every_head_it_is_multi_head_attention() {
        assert_eq!(output(true), output(false));
    }

    #[test]
    fn neighbouring_heads_share_a_group() {
        let tape = Tape::eval(&Default::default());
        let x = tape.input("x", check::normal(&[1, 2, 3, 4]), &["b", "g", "s", "k"]);
        let all = repeat_heads(&x, 6).value();
        for head in 0..6 {
            assert_eq!(all.at(&[0, head, 2, 1]), x.value().at(&[0, head / 3, 2, 1]));
        }
        check::op(&[check::normal(&[2, 2, 3, 2])], |_, v| {
            repeat_heads(&v[0], 4)
        });
    }

    #[test]
    fn two_groups_of_eight_heads_save_three_quarters_of_keys_and_values() {
        let mut params = Params::layout();
        GroupedQueryAttention::new(&mut params, 8, 2, 512, Bias::None);
        assert_eq!(params.count(), 2 * 512 * 512 + 2 * 128 * 512);
    }
}
