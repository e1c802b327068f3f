//! The classic mistakes in an encoder layer, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;

/// The signature of an encoder layer.
pub type LayerFn = fn(&EncoderLayer, &Var, &Var) -> Var;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, LayerFn); 7] = [
    ("no-mask", no_mask),
    ("ffn-first", ffn_first),
    ("no-residual", no_residual),
    ("one-norm", one_norm),
    ("skip-ffn", skip_ffn),
    ("old-x", old_x),
    ("attention-twice", attention_twice),
];

fn attend(layer: &EncoderLayer, x: &Var, mask: Option<&Var>, sublayer: usize) -> Var {
    x.tape().scoped("self_attn", || {
        layer.sublayer[sublayer].forward(x, |x| layer.self_attn.forward(x, x, x, mask).output)
    })
}

fn process(layer: &EncoderLayer, x: &Var, sublayer: usize) -> Var {
    x.tape().scoped("feed_forward", || {
        layer.sublayer[sublayer].forward(x, |x| layer.feed_forward.forward(x))
    })
}

/// Self-attention on the tensor that the residual connection passes in.
fn attended(layer: &EncoderLayer, y: &Var, mask: &Var) -> Var {
    layer.self_attn.forward(y, y, y, Some(mask)).output
}

/// Does not mask padding.
pub fn no_mask(layer: &EncoderLayer, x: &Var, _: &Var) -> Var {
    process(layer, &attend(layer, x, None, 0), 1)
}

/// Swaps the two sublayers.
pub fn ffn_first(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    attend(layer, &process(layer, x, 1), Some(mask), 0)
}

/// Replaces x by what the sublayers return.
pub fn no_residual(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let tape = x.tape();
    let x = tape.scoped("self_attn", || {
        let x = layer.sublayer[0].norm.forward(x);
        layer.self_attn.forward(&x, &x, &x, Some(mask)).output
    });
    tape.scoped("feed_forward", || {
        layer
            .feed_forward
            .forward(&layer.sublayer[1].norm.forward(&x))
    })
}

/// Uses one LayerNorm for both sublayers.
pub fn one_norm(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    process(layer, &attend(layer, x, Some(mask), 0), 0)
}

/// Leaves out the feed-forward layer.
pub fn skip_ffn(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    attend(layer, x, Some(mask), 0)
}

/// Feeds the layer's input to the second sublayer too.
pub fn old_x(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let _ = attend(layer, x, Some(mask), 0);
    process(layer, x, 1)
}

/// Uses attention in both sublayers.
pub fn attention_twice(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    attend(layer, &attend(layer, x, Some(mask), 0), Some(mask), 1)
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, LayerFn); 17] = [
    (
        "Your attention reads x itself and ignores the tensor that the residual connection hands it: the normalised x.",
        |layer, x, mask| {
            let x = layer.sublayer[0]
                .forward(x, |_| layer.self_attn.forward(x, x, x, Some(mask)).output);
            process(layer, &x, 1)
        },
    ),
    (
        "Your feed-forward layer ignores the tensor that the residual connection hands it: the normalised x.",
        |layer, x, mask| {
            let x = attend(layer, x, Some(mask), 0);
            layer.sublayer[1].forward(&x, |_| layer.feed_forward.forward(&x))
        },
    ),
    (
        "You use the two residual connections in the reverse order: sublayer[0] belongs to attention, sublayer[1] to feed-forward.",
        |layer, x, mask| process(layer, &attend(layer, x, Some(mask), 1), 0),
    ),
    (
        "Your feed-forward layer runs first. Attention comes first.",
        |layer, x, mask| attend(layer, &process(layer, x, 0), Some(mask), 1),
    ),
    (
        "You call the sublayers without their residual connections: norm, dropout and sum are missing. Run each inside layer.sublayer[n].forward.",
        |layer, x, mask| layer.feed_forward.forward(&attended(layer, x, mask)),
    ),
    (
        "Your sublayers add what they read to their result. The residual connection adds x already.",
        |layer, x, mask| {
            let x = layer.sublayer[0].forward(x, |y| y.add(&attended(layer, y, mask)));
            layer.sublayer[1].forward(&x, |y| y.add(&layer.feed_forward.forward(y)))
        },
    ),
    (
        "You add x to what the residual connection returns. It has added x already.",
        |layer, x, mask| {
            let x = x.add(&attend(layer, x, Some(mask), 0));
            x.add(&process(layer, &x, 1))
        },
    ),
    (
        "Only your query is the tensor that the residual connection hands over. In self-attention keys and values are that tensor, too.",
        |layer, x, mask| {
            let attn = &layer.self_attn;
            let x = layer.sublayer[0].forward(x, |y| attn.forward(y, x, x, Some(mask)).output);
            process(layer, &x, 1)
        },
    ),
    (
        "Your mask is inverted: only padding is seen. 1 may be seen, 0 is padding.",
        |layer, x, mask| process(layer, &attend(layer, x, Some(&mask.not_equal(1.0)), 0), 1),
    ),
    (
        "Attention and feed-forward both read the layer's input. The feed-forward layer reads what attention has made of it.",
        |layer, x, mask| {
            let (a, b) = (attend(layer, x, Some(mask), 0), process(layer, x, 1));
            a.add(&b).sub(x)
        },
    ),
    (
        "Attention and feed-forward are inside one residual connection. Each sublayer has its own: sublayer[0] and sublayer[1].",
        |layer, x, mask| {
            layer.sublayer[0].forward(x, |y| layer.feed_forward.forward(&attended(layer, y, mask)))
        },
    ),
    (
        "Your feed-forward layer has no residual connection around it. Call it inside sublayer[1].forward.",
        |layer, x, mask| layer.feed_forward.forward(&attend(layer, x, Some(mask), 0)),
    ),
    (
        "Two mistakes at once: attention gets no mask, and the feed-forward layer is missing.",
        |layer, x, _| attend(layer, x, None, 0),
    ),
    (
        "You normalise the result once more. Each sublayer has one LayerNorm, inside its residual connection.",
        |layer, x, mask| {
            let y = process(layer, &attend(layer, x, Some(mask), 0), 1);
            layer.sublayer[1].norm.forward(&y)
        },
    ),
    (
        "Your feed-forward sublayer adds what it reads to its result. The residual connection adds it already.",
        |layer, x, mask| {
            let x = attend(layer, x, Some(mask), 0);
            layer.sublayer[1].forward(&x, |y| y.add(&layer.feed_forward.forward(y)))
        },
    ),
    (
        "Your attention sublayer adds what it reads to its result. The residual connection adds it already.",
        |layer, x, mask| {
            let x = layer.sublayer[0].forward(x, |y| y.add(&attended(layer, y, mask)));
            process(layer, &x, 1)
        },
    ),
    (
        "Your encoder hides the future, as a decoder does. Every token of the source may see all the others: use the mask as it is.",
        |layer, x, mask| {
            let past = mask.and(&x.tape().causal(x.shape()[1]));
            process(layer, &attend(layer, x, Some(&past), 0), 1)
        },
    ),
];
