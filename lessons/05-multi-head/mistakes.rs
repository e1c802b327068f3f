//! The classic mistakes in multi-head attention, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, attention};
use transformer_tutor::nn::multi_head_attention::{
    MultiHead, MultiHeadAttention, combine_heads, split_heads,
};
use transformer_tutor::tensor::Tensor;

type Maps = MultiHeadAttention;

/// The signature of multi-head attention.
pub type MultiHeadFn = fn(&Maps, &Var, &Var, &Var, Option<&Var>) -> MultiHead;

/// How the channels are split into heads.
pub type Split = fn(&Var, usize) -> Var;
/// How the heads are combined again.
pub type Combine = fn(&Var) -> Var;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, MultiHeadFn); 7] = [
    ("view-only", view_only),
    ("no-return", no_return),
    ("dealt-in-turn", dealt_in_turn),
    ("no-output", no_output),
    ("one-head", one_head),
    ("one-map", one_map),
    ("no-mask", no_mask),
];

/// How the mistakes about splitting and combining do so, by the names of their switches.
pub static WAYS: [(&str, (Split, Combine)); 4] = [
    ("view-only", (view, view_back)),
    ("no-return", (split_heads, view_back)),
    ("dealt-in-turn", (deal, combine_heads)),
    ("one-head", (whole, combine_heads)),
];

/// The correct way to split and combine.
const SOUND: (Split, Combine) = (split_heads, combine_heads);

fn run(
    maps: &Maps,
    [query, key, value]: [&Var; 3],
    mask: Option<&Var>,
    (split, combine): (Split, Combine),
) -> (Var, Var) {
    let heads = maps.heads;
    let query = split(&maps.query.forward(query).named("query"), heads).named("query_heads");
    let key = split(&maps.key.forward(key).named("key"), heads).named("key_heads");
    let value = split(&maps.value.forward(value).named("value"), heads).named("value_heads");
    let mask = mask.map(|m| m.unsqueeze(1));
    let Attention { context, weights } =
        attention(&query, &key, &value, mask.as_ref(), maps.dropout);
    (combine(&context), weights)
}

/// The correct function from the projected queries, keys and values on, with a mask that already has an axis for heads.
fn attended(maps: &Maps, mapped: [Var; 3], mask: Option<&Var>, dropout: f32) -> MultiHead {
    let [query, key, value] = mapped.map(|x| split_heads(&x, maps.heads));
    let output = attention(&query, &key, &value, mask, dropout);
    finish(maps, (combine_heads(&output.context), output.weights))
}

fn mapped(maps: &Maps, [query, key, value]: [&Var; 3]) -> [Var; 3] {
    [
        maps.query.forward(query),
        maps.key.forward(key),
        maps.value.forward(value),
    ]
}

fn finish(maps: &Maps, (combined, weights): (Var, Var)) -> MultiHead {
    let output = maps.output.forward(&combined).named("attended");
    MultiHead { output, weights }
}

/// Reshapes `[b, t, d]` directly to `[b, h, t, k]`: the same numbers in the same order, but assigned to other heads.
pub fn view(x: &Var, heads: usize) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let shape = [s[0], heads, s[1], s[2] / heads];
    x.reshape(&shape, &[axes[0], "h", axes[1], "k"])
}

/// Reshapes `[b, h, t, k]` directly to `[b, t, d]`.
pub fn view_back(x: &Var) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let combined = x.reshape(&[s[0], s[2], s[1] * s[3]], &[axes[0], axes[2], "d"]);
    combined.named("combined")
}

/// Deals channel 0 to head 0, channel 1 to head 1, … and round again.
pub fn deal(x: &Var, heads: usize) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let shape = [s[0], s[1], s[2] / heads, heads];
    let dealt = x.reshape(&shape, &[axes[0], axes[1], "k", "h"]);
    dealt.permute(&[0, 3, 1, 2])
}

/// Combines `[b, h, t, k]` channel by channel, which undoes [`deal`].
fn collect(x: &Var) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let shape = [s[0], s[2], s[1] * s[3]];
    x.permute(&[0, 2, 3, 1])
        .reshape(&shape, &[axes[0], axes[2], "d"])
}

/// Gives all channels to one head.
fn whole(x: &Var, _: usize) -> Var {
    split_heads(x, 1)
}

/// Reshapes without the transpose, both ways.
pub fn view_only(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    finish(maps, run(maps, [q, k, v], mask, (view, view_back)))
}

/// Does not move the heads back behind the positions before concatenating them.
pub fn no_return(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    finish(maps, run(maps, [q, k, v], mask, (split_heads, view_back)))
}

/// Deals the channels to the heads in turn instead of in blocks.
pub fn dealt_in_turn(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    finish(maps, run(maps, [q, k, v], mask, (deal, combine_heads)))
}

/// Concatenates the heads without W_O to mix them.
pub fn no_output(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    let (output, weights) = run(maps, [q, k, v], mask, (split_heads, combine_heads));
    MultiHead { output, weights }
}

/// Uses one head over all channels.
pub fn one_head(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    finish(maps, run(maps, [q, k, v], mask, (whole, combine_heads)))
}

/// Uses the query's projection for keys and values too.
pub fn one_map(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    let split = |x: &Var| split_heads(&maps.query.forward(x), maps.heads);
    let query = split(q).named("query_heads");
    let (key, value) = (split(k).named("key_heads"), split(v).named("value_heads"));
    let mask = mask.map(|m| m.unsqueeze(1));
    let attended = attention(&query, &key, &value, mask.as_ref(), maps.dropout);
    finish(maps, (combine_heads(&attended.context), attended.weights))
}

/// Ignores the mask.
pub fn no_mask(maps: &Maps, q: &Var, k: &Var, v: &Var, _: Option<&Var>) -> MultiHead {
    finish(maps, run(maps, [q, k, v], None, SOUND))
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, MultiHeadFn); 17] = [
    (
        "Your mask is inverted: 1 means that a key may be seen.",
        |maps, q, k, v, mask| {
            let inverted = mask.map(|mask| mask.not_equal(1.0));
            finish(maps, run(maps, [q, k, v], inverted.as_ref(), SOUND))
        },
    ),
    (
        "You use the mask of sentence 0 for all sentences. The batch is the mask's first axis: keep it, and add the head axis after it.",
        |maps, q, k, v, mask| {
            let first = mask.map(|mask| {
                let value = mask.value();
                let first = Tensor::from_fn(value.shape(), |i| value.at(&[0, i[1], i[2]]));
                mask.tape().mask("first", first, &["b", "t", "s"])
            });
            finish(maps, run(maps, [q, k, v], first.as_ref(), SOUND))
        },
    ),
    (
        "You give the heads their channels in turn, both in the split and in the join. Head 0 gets the first block of neighbouring channels.",
        |maps, q, k, v, mask| finish(maps, run(maps, [q, k, v], mask, (deal, collect))),
    ),
    (
        "You reshape to [batch, heads, length, d_k] at once, so a head gets channels of several tokens. Reshape to [batch, length, heads, d_k], then swap the two axes.",
        |maps, q, k, v, mask| finish(maps, run(maps, [q, k, v], mask, (view, combine_heads))),
    ),
    (
        "You make the values from the keys' input. The values have their own input: value · W_V.",
        |maps, q, k, _, mask| finish(maps, run(maps, [q, k, k], mask, SOUND)),
    ),
    (
        "Your mask has the head axis before the batch axis, so each head gets a different sentence's mask. Its shape is [batch, 1, …].",
        |maps, q, k, v, mask| {
            let mask = mask.map(|mask| mask.unsqueeze(0));
            attended(maps, mapped(maps, [q, k, v]), mask.as_ref(), maps.dropout)
        },
    ),
    (
        "No weights are dropped in training. Give maps.dropout to attention.",
        |maps, q, k, v, mask| {
            let mask = mask.map(|mask| mask.unsqueeze(1));
            attended(maps, mapped(maps, [q, k, v]), mask.as_ref(), 0.0)
        },
    ),
    (
        "You return the mean of the heads' weights, as PyTorch does. Return the weights of all heads: [batch, heads, target, source].",
        |maps, q, k, v, mask| {
            let (combined, weights) = run(maps, [q, k, v], mask, SOUND);
            let s = weights.shape();
            let mean = weights.permute(&[0, 2, 3, 1]).row_mean();
            let mean = mean.reshape(&[s[0], s[2], s[3]], &["b", "t", "s"]);
            finish(maps, (combined, mean))
        },
    ),
    (
        "You divide the queries by √d_k. Attention does that to the scores already.",
        |maps, q, k, v, mask| {
            let mask = mask.map(|mask| mask.unsqueeze(1));
            let [query, key, value] = mapped(maps, [q, k, v]);
            let d_k = (query.value().last() / maps.heads) as f32;
            let mapped = [query.scale(1.0 / d_k.sqrt()), key, value];
            attended(maps, mapped, mask.as_ref(), maps.dropout)
        },
    ),
    (
        "You add the input to the result. The residual connection belongs to the layer around this one.",
        |maps, q, k, v, mask| {
            let MultiHead { output, weights } = finish(maps, run(maps, [q, k, v], mask, SOUND));
            let output = q.add(&output);
            MultiHead { output, weights }
        },
    ),
    (
        "You join the heads channel by channel: first channel 0 of every head, then channel 1. Their blocks come one after the other, so bring the axes to [batch, length, heads, d_k] before you reshape.",
        |maps, q, k, v, mask| finish(maps, run(maps, [q, k, v], mask, (split_heads, collect))),
    ),
    (
        "You swapped W_Q and W_K. The queries are query · W_Q, and the keys are key · W_K.",
        |maps, q, k, v, mask| {
            let mask = mask.map(|mask| mask.unsqueeze(1));
            let mapped = [
                maps.key.forward(q),
                maps.query.forward(k),
                maps.value.forward(v),
            ];
            attended(maps, mapped, mask.as_ref(), maps.dropout)
        },
    ),
    (
        "You split the values without mapping them. Map them first: value · W_V.",
        |maps, q, k, v, mask| {
            let mask = mask.map(|mask| mask.unsqueeze(1));
            let mapped = [maps.query.forward(q), maps.key.forward(k), v.clone()];
            attended(maps, mapped, mask.as_ref(), maps.dropout)
        },
    ),
    (
        "Your values go through W_K. They have their own map: value · W_V.",
        |maps, q, k, v, mask| {
            let mask = mask.map(|mask| mask.unsqueeze(1));
            let mapped = [
                maps.query.forward(q),
                maps.key.forward(k),
                maps.key.forward(v),
            ];
            attended(maps, mapped, mask.as_ref(), maps.dropout)
        },
    ),
    (
        "You split keys and values with the length of the query. Each tensor has its own length: read it from the tensor that you split.",
        |maps, q, k, v, mask| {
            let split = |x: &Var, heads: usize| {
                let (s, axes) = (x.shape(), x.axes());
                let shape = [s[0], q.shape()[1], heads, s[2] / heads];
                let axes = [axes[0], axes[1], "h", "k"];
                x.reshape(&shape, &axes).permute(&[0, 2, 1, 3])
            };
            let mask = mask.map(|mask| mask.unsqueeze(1));
            let [query, key, value] = mapped(maps, [q, k, v]).map(|x| split(&x, maps.heads));
            let found = attention(&query, &key, &value, mask.as_ref(), maps.dropout);
            finish(maps, (combine_heads(&found.context), found.weights))
        },
    ),
    (
        "You drop cells of the output. Dropout belongs to the attention weights: hand maps.dropout to attention.",
        |maps, q, k, v, mask| {
            let mask = mask.map(|mask| mask.unsqueeze(1));
            let found = attended(maps, mapped(maps, [q, k, v]), mask.as_ref(), 0.0);
            MultiHead {
                output: found.output.dropout(maps.dropout),
                ..found
            }
        },
    ),
    (
        "You apply W_O twice, to the values and to the joined heads. It belongs after the join only.",
        |maps, q, k, v, mask| {
            let mask = mask.map(|mask| mask.unsqueeze(1));
            let [query, key, value] = mapped(maps, [q, k, v]);
            let mapped = [query, key, maps.output.forward(&value)];
            attended(maps, mapped, mask.as_ref(), maps.dropout)
        },
    ),
];
