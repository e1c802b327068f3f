//! The classic mistakes in a decoder layer, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;

/// The signature of a decoder layer: x, memory, source mask and target mask.
pub type LayerFn = fn(&DecoderLayer, &Var, &Var, &Var, &Var) -> Var;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, LayerFn); 8] = [
    ("no-future-mask", no_future_mask),
    ("masks-exchanged", masks_exchanged),
    ("no-source-mask", no_source_mask),
    ("no-cross", no_cross),
    ("cross-first", cross_first),
    ("own-keys", own_keys),
    ("shared-attention", shared_attention),
    ("one-norm", one_norm),
];

fn look(layer: &DecoderLayer, x: &Var, mask: Option<&Var>) -> Var {
    x.tape().scoped("self_attn", || {
        layer.sublayer[0].forward(x, |x| layer.self_attn.forward(x, x, x, mask).output)
    })
}

fn read(layer: &DecoderLayer, x: &Var, memory: &Var, mask: Option<&Var>, sublayer: usize) -> Var {
    x.tape().scoped("src_attn", || {
        layer.sublayer[sublayer].forward(x, |x| {
            layer.src_attn.forward(x, memory, memory, mask).output
        })
    })
}

/// The second sublayer, with the query, key and value that `of` makes from the sublayer's input.
fn ask(layer: &DecoderLayer, x: &Var, src: &Var, of: impl Fn(Var) -> [Var; 3]) -> Var {
    layer.sublayer[1].forward(x, |y| {
        let [query, key, value] = of(y.clone());
        let attended = layer.src_attn.forward(&query, &key, &value, Some(src));
        attended.output
    })
}

fn process(layer: &DecoderLayer, x: &Var, sublayer: usize) -> Var {
    x.tape().scoped("feed_forward", || {
        layer.sublayer[sublayer].forward(x, |x| layer.feed_forward.forward(x))
    })
}

/// Lets the decoder read later positions.
pub fn no_future_mask(layer: &DecoderLayer, x: &Var, m: &Var, src: &Var, _: &Var) -> Var {
    process(
        layer,
        &read(layer, &look(layer, x, None), m, Some(src), 1),
        2,
    )
}

/// Uses the source's mask for the target, and the target's for the source.
pub fn masks_exchanged(layer: &DecoderLayer, x: &Var, m: &Var, src: &Var, tgt: &Var) -> Var {
    process(
        layer,
        &read(layer, &look(layer, x, Some(src)), m, Some(tgt), 1),
        2,
    )
}

/// Does not mask the source's padding.
pub fn no_source_mask(layer: &DecoderLayer, x: &Var, m: &Var, _: &Var, tgt: &Var) -> Var {
    process(
        layer,
        &read(layer, &look(layer, x, Some(tgt)), m, None, 1),
        2,
    )
}

/// Leaves out cross-attention.
pub fn no_cross(layer: &DecoderLayer, x: &Var, _: &Var, _: &Var, tgt: &Var) -> Var {
    process(layer, &look(layer, x, Some(tgt)), 2)
}

/// Attends to the source before the target.
pub fn cross_first(layer: &DecoderLayer, x: &Var, m: &Var, src: &Var, tgt: &Var) -> Var {
    process(
        layer,
        &look(layer, &read(layer, x, m, Some(src), 1), Some(tgt)),
        2,
    )
}

/// Takes cross-attention's keys and values from the decoder itself.
pub fn own_keys(layer: &DecoderLayer, x: &Var, _: &Var, _: &Var, tgt: &Var) -> Var {
    let x = look(layer, x, Some(tgt));
    let x = x.tape().scoped("src_attn", || {
        layer.sublayer[1].forward(&x, |x| layer.src_attn.forward(x, x, x, Some(tgt)).output)
    });
    process(layer, &x, 2)
}

/// Uses one attention for both sublayers.
pub fn shared_attention(layer: &DecoderLayer, x: &Var, m: &Var, src: &Var, tgt: &Var) -> Var {
    let x = look(layer, x, Some(tgt));
    let x = x.tape().scoped("src_attn", || {
        layer.sublayer[1].forward(&x, |x| layer.self_attn.forward(x, m, m, Some(src)).output)
    });
    process(layer, &x, 2)
}

/// Uses the first LayerNorm for all three sublayers.
pub fn one_norm(layer: &DecoderLayer, x: &Var, m: &Var, src: &Var, tgt: &Var) -> Var {
    process(
        layer,
        &read(layer, &look(layer, x, Some(tgt)), m, Some(src), 0),
        0,
    )
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, LayerFn); 19] = [
    (
        "Your self-attention reads x itself. It should read the tensor that the residual connection passes to it: the normalised x.",
        |layer, x, m, src, tgt| {
            let x = layer.sublayer[0]
                .forward(x, |_| layer.self_attn.forward(x, x, x, Some(tgt)).output);
            process(layer, &read(layer, &x, m, Some(src), 1), 2)
        },
    ),
    (
        "Your cross-attention makes its queries from x itself. It should use the tensor that the residual connection passes to it: the normalised x.",
        |layer, x, m, src, tgt| {
            let x = look(layer, x, Some(tgt));
            let x = layer.sublayer[1]
                .forward(&x, |_| layer.src_attn.forward(&x, m, m, Some(src)).output);
            process(layer, &x, 2)
        },
    ),
    (
        "Your cross-attention takes its queries from the memory, and its keys and values from the decoder. Swap them: queries come from the decoder, keys and values from the memory.",
        |layer, x, m, src, tgt| {
            let x = ask(layer, &look(layer, x, Some(tgt)), src, |y| {
                [m.clone(), y.clone(), y]
            });
            process(layer, &x, 2)
        },
    ),
    (
        "Your cross-attention takes its values from the decoder. Keys and values both come from the memory.",
        |layer, x, m, src, tgt| {
            let x = ask(layer, &look(layer, x, Some(tgt)), src, |y| {
                [y.clone(), m.clone(), y]
            });
            process(layer, &x, 2)
        },
    ),
    (
        "Your attentions are in the wrong order: first self-attention, then attention to the memory.",
        |layer, x, m, src, tgt| {
            let x = read(layer, x, m, Some(src), 0);
            let attn = &layer.self_attn;
            let x = layer.sublayer[1].forward(&x, |y| attn.forward(y, y, y, Some(tgt)).output);
            process(layer, &x, 2)
        },
    ),
    (
        "Your feed-forward layer runs in sublayer[1], which belongs to cross-attention. Use sublayer[2].",
        |layer, x, m, src, tgt| {
            let x = read(layer, &look(layer, x, Some(tgt)), m, Some(src), 1);
            process(layer, &x, 1)
        },
    ),
    (
        "Your cross-attention starts from the layer's input again, so what self-attention added is lost. Each sublayer reads the result of the one before it.",
        |layer, x, m, src, _| process(layer, &read(layer, x, m, Some(src), 1), 2),
    ),
    (
        "Your layer ends with cross-attention. The third sublayer is feed-forward.",
        |layer, x, m, src, tgt| read(layer, &look(layer, x, Some(tgt)), m, Some(src), 1),
    ),
    (
        "You call the sublayers without their residual connections, so LayerNorm, dropout and the sum are missing. Run each inside layer.sublayer[n].forward.",
        |layer, x, m, src, tgt| {
            let x = layer.self_attn.forward(x, x, x, Some(tgt)).output;
            let x = layer.src_attn.forward(&x, m, m, Some(src)).output;
            layer.feed_forward.forward(&x)
        },
    ),
    (
        "Your self-attention gets the source's mask, and the target's is never used. Self-attention reads the target, so give it tgt_mask.",
        |layer, x, m, src, _| {
            let x = read(layer, &look(layer, x, Some(src)), m, Some(src), 1);
            process(layer, &x, 2)
        },
    ),
    (
        "You swapped the weights of self-attention and cross-attention: self_attn is for the layer's own tokens, src_attn for the memory.",
        |layer, x, m, src, tgt| {
            let x =
                layer.sublayer[0].forward(x, |y| layer.src_attn.forward(y, y, y, Some(tgt)).output);
            let x = layer.sublayer[1]
                .forward(&x, |y| layer.self_attn.forward(y, m, m, Some(src)).output);
            process(layer, &x, 2)
        },
    ),
    (
        "Your feed-forward layer starts from the result of self-attention, so the result of cross-attention is lost. Pass that result to it.",
        |layer, x, m, src, tgt| {
            let own = look(layer, x, Some(tgt));
            let _ = read(layer, &own, m, Some(src), 1);
            process(layer, &own, 2)
        },
    ),
    (
        "Both attentions are inside one residual connection. Each sublayer has its own: sublayer[0] for self-attention, sublayer[1] for cross-attention.",
        |layer, x, m, src, tgt| {
            let x = layer.sublayer[0].forward(x, |y| {
                let own = layer.self_attn.forward(y, y, y, Some(tgt)).output;
                layer.src_attn.forward(&own, m, m, Some(src)).output
            });
            process(layer, &x, 2)
        },
    ),
    (
        "Your feed-forward layer has no residual connection around it. Call it inside sublayer[2].forward.",
        |layer, x, m, src, tgt| {
            let x = read(layer, &look(layer, x, Some(tgt)), m, Some(src), 1);
            layer.feed_forward.forward(&x)
        },
    ),
    (
        "Cross-attention takes its keys from the decoder. Keys and values both come from the memory.",
        |layer, x, m, src, tgt| {
            let x = look(layer, x, Some(tgt));
            let x = layer.sublayer[1]
                .forward(&x, |y| layer.src_attn.forward(y, y, m, Some(src)).output);
            process(layer, &x, 2)
        },
    ),
    (
        "Your self-attention hides only the future. It must hide the target's padding too: tgt_mask hides both.",
        |layer, x, m, src, _| {
            let past = x.tape().causal(x.shape()[1]);
            let x = look(layer, x, Some(&past));
            process(layer, &read(layer, &x, m, Some(src), 1), 2)
        },
    ),
    (
        "You normalise the memory. Only the query passes a LayerNorm here, in the residual connection; the encoder's last layer has normalised the memory.",
        |layer, x, m, src, tgt| {
            let x = look(layer, x, Some(tgt));
            let memory = layer.sublayer[1].norm.forward(m);
            process(layer, &read(layer, &x, &memory, Some(src), 1), 2)
        },
    ),
    (
        "The queries of your cross-attention are the layer's input. They are the tensor that the residual connection hands over.",
        |layer, x, m, src, tgt| {
            let seen = look(layer, x, Some(tgt));
            let x = ask(layer, &seen, src, |_| [x.clone(), m.clone(), m.clone()]);
            process(layer, &x, 2)
        },
    ),
    (
        "Your cross-attention uses the target's mask. It reads source tokens, so give it src_mask.",
        |layer, x, m, _, tgt| {
            let x = look(layer, x, Some(tgt));
            process(layer, &read(layer, &x, m, Some(tgt), 1), 2)
        },
    ),
];
