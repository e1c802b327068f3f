//! The classic mistakes of multi-head attention, each a function of the reference's signature.

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
/// How the heads are joined again.
pub type Combine = fn(&Var) -> Var;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, MultiHeadFn); 7] = [
    ("view-only", view_only),
    ("no-return", no_return),
    ("dealt-in-turn", dealt_in_turn),
    ("no-output", no_output),
    ("one-head", one_head),
    ("one-map", one_map),
    ("no-mask", no_mask),
];

/// The ways of the mistakes that are about them, by the names of their switches.
pub static WAYS: [(&str, (Split, Combine)); 4] = [
    ("view-only", (view, view_back)),
    ("no-return", (split_heads, view_back)),
    ("dealt-in-turn", (deal, combine_heads)),
    ("one-head", (whole, combine_heads)),
];

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

fn finish(maps: &Maps, (combined, weights): (Var, Var)) -> MultiHead {
    let output = maps.output.forward(&combined).named("attended");
    MultiHead { output, weights }
}

/// `[b, t, d]` read as `[b, h, t, k]` at once: the same numbers in the same order, other owners.
pub fn view(x: &Var, heads: usize) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let shape = [s[0], heads, s[1], s[2] / heads];
    x.reshape(&shape, &[axes[0], "h", axes[1], "k"])
}

/// `[b, h, t, k]` read as `[b, t, d]` at once.
pub fn view_back(x: &Var) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let combined = x.reshape(&[s[0], s[2], s[1] * s[3]], &[axes[0], axes[2], "d"]);
    combined.named("combined")
}

/// Channel 0 to head 0, channel 1 to head 1, … and round again.
pub fn deal(x: &Var, heads: usize) -> Var {
    let (s, axes) = (x.shape(), x.axes());
    let shape = [s[0], s[1], s[2] / heads, heads];
    let dealt = x.reshape(&shape, &[axes[0], axes[1], "k", "h"]);
    dealt.permute(&[0, 3, 1, 2])
}

/// All channels to one head.
fn whole(x: &Var, _: usize) -> Var {
    split_heads(x, 1)
}

/// The view without the transpose, both ways.
pub fn view_only(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    finish(maps, run(maps, [q, k, v], mask, (view, view_back)))
}

/// The heads are not moved back behind the positions before they are put side by side.
pub fn no_return(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    finish(maps, run(maps, [q, k, v], mask, (split_heads, view_back)))
}

/// The channels are split in turn instead of in blocks.
pub fn dealt_in_turn(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    finish(maps, run(maps, [q, k, v], mask, (deal, combine_heads)))
}

/// The heads stay side by side: no W_O mixes them.
pub fn no_output(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    let (output, weights) = run(maps, [q, k, v], mask, (split_heads, combine_heads));
    MultiHead { output, weights }
}

/// One head over all channels.
pub fn one_head(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    finish(maps, run(maps, [q, k, v], mask, (whole, combine_heads)))
}

/// The query's map makes the keys and values too.
pub fn one_map(maps: &Maps, q: &Var, k: &Var, v: &Var, mask: Option<&Var>) -> MultiHead {
    let split = |x: &Var| split_heads(&maps.query.forward(x), maps.heads);
    let query = split(q).named("query_heads");
    let (key, value) = (split(k).named("key_heads"), split(v).named("value_heads"));
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&query, &key, &value, mask.as_ref(), maps.dropout);
    finish(maps, (combine_heads(&found.context), found.weights))
}

/// The mask is not used.
pub fn no_mask(maps: &Maps, q: &Var, k: &Var, v: &Var, _: Option<&Var>) -> MultiHead {
    let ways = (split_heads as Split, combine_heads as Combine);
    finish(maps, run(maps, [q, k, v], None, ways))
}

/// What else is got wrong, with what the check says of it.
pub static CLASSICS: [(&str, MultiHeadFn); 2] = [
    (
        "Your mask is inverted: 1 means that a key may be seen.",
        |maps, q, k, v, mask| {
            let inverted = mask.map(|mask| mask.not_equal(1.0));
            let ways = (split_heads as Split, combine_heads as Combine);
            finish(maps, run(maps, [q, k, v], inverted.as_ref(), ways))
        },
    ),
    (
        "You use the mask of sentence 0 for all sentences. The batch is the mask's first axis: keep it, and put the axis of the heads behind it.",
        |maps, q, k, v, mask| {
            let first = mask.map(|mask| {
                let value = mask.value();
                let first = Tensor::from_fn(value.shape(), |i| value.at(&[0, i[1], i[2]]));
                mask.tape().mask("first", first, &["b", "t", "s"])
            });
            let ways = (split_heads as Split, combine_heads as Combine);
            finish(maps, run(maps, [q, k, v], first.as_ref(), ways))
        },
    ),
];
