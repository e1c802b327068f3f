//! The attention of the stage: the reference's, or a broken one.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::grouped_query::{GroupedQueryAttention, repeat_heads};
use transformer_tutor::nn::multi_head_attention::{combine_heads, split_heads};
use transformer_tutor::nn::rms_norm::rms_norm;
use transformer_tutor::nn::rotary::rotary;

use super::check::NormFn;

/// How a model's normalisation is computed, and what is wrong with its attention.
#[derive(Clone, Copy)]
pub struct Broken {
    /// Function of the normalisation.
    pub norm: NormFn,
    /// ε of the normalisation.
    pub epsilon: f32,
    /// Whether values are rotated too.
    pub turn_values: bool,
    /// Whether heads read groups in turn instead of in blocks.
    pub wrong_groups: bool,
}

/// No mistake.
pub const SOUND: Broken = Broken {
    norm: rms_norm,
    epsilon: 1e-6,
    turn_values: false,
    wrong_groups: false,
};

/// Attention of `x [batch, target, d_model]` to `seen [batch, source, d_model]`.
pub fn attend(
    maps: &GroupedQueryAttention,
    x: &Var,
    seen: &Var,
    mask: &Var,
    broken: &Broken,
) -> Var {
    if !broken.turn_values && !broken.wrong_groups {
        return maps.forward(x, seen, seen, Some(mask)).output;
    }
    let query = split_heads(&maps.query.forward(x), maps.heads).named("query_heads");
    let key = split_heads(&maps.key.forward(seen), maps.groups).named("key_heads");
    let value = split_heads(&maps.value.forward(seen), maps.groups).named("value_heads");
    let turn = |x: Var, turned: bool| if turned { rotary(&x, 0) } else { x };
    let (query, key) = (turn(query, maps.rotary), turn(key, maps.rotary));
    let value = turn(value, maps.rotary && broken.turn_values);
    let repeat = |x: &Var| {
        if broken.wrong_groups {
            in_turn(x, maps.heads)
        } else {
            repeat_heads(x, maps.heads)
        }
    };
    let (key, value) = (repeat(&key).named("key_all"), repeat(&value));
    let value = value.named("value_all");
    let context = attention(&query, &key, &value, Some(&mask.unsqueeze(1)), 0.0).context;
    let output = maps.output.forward(&combine_heads(&context));
    output.named("attended")
}

/// Lets head `h` read group `h % groups`: 0 1 0 1 instead of 0 0 1 1.
fn in_turn(x: &Var, heads: usize) -> Var {
    let (shape, axes) = (x.shape(), x.axes());
    let [batch, groups, length, d_k] = [shape[0], shape[1], shape[2], shape[3]];
    let each = [axes[0], "h", "g", axes[2], axes[3]];
    x.unsqueeze(1)
        .expand(&[batch, heads / groups, groups, length, d_k], &each)
        .reshape(
            &[batch, heads, length, d_k],
            &[axes[0], "h", axes[2], axes[3]],
        )
}
