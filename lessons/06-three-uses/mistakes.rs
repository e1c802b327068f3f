//! The classic mistakes in the three uses, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};
use transformer_tutor::nn::three_uses::{ThreeUses, Used, three_uses};

/// The signature of the three uses.
pub type UsesFn = fn(&ThreeUses, &Var, &Var, &Var, &Var) -> Used;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, UsesFn); 7] = [
    ("cross-self", cross_self),
    ("turned-round", turned_round),
    ("masks-exchanged", masks_exchanged),
    ("no-future-mask", no_future_mask),
    ("raw-source", raw_source),
    ("raw-target", raw_target),
    ("values-from-target", values_from_target),
];

/// Tensors from which cross-attention could be computed.
struct Around<'a> {
    source: &'a Var,
    target: &'a Var,
    memory: &'a Var,
    own: &'a Var,
}

/// Chooses the query, key and value of cross-attention.
type MadeOf = for<'a> fn(Around<'a>) -> [&'a Var; 3];

/// All three uses, with masks for the encoder, the decoder's self-attention, and cross-attention to what is `made_of`.
fn uses(
    maps: &ThreeUses,
    [source, target]: [&Var; 2],
    [src_mask, own_mask, cross_mask]: [Option<&Var>; 3],
    made_of: MadeOf,
) -> Used {
    let attend = |name, layer: &MultiHeadAttention, [q, k, v]: [&Var; 3], mask| {
        let tape = source.tape();
        tape.scoped(name, || layer.forward(q, k, v, mask))
    };
    let memory = attend("encoder", &maps.encoder, [source; 3], src_mask);
    let own = attend("decoder", &maps.decoder, [target; 3], own_mask);
    let made_of = made_of(Around {
        source,
        target,
        memory: &memory.output,
        own: &own.output,
    });
    let crossed = attend("cross", &maps.cross, made_of, cross_mask);
    Used {
        memory,
        own,
        crossed,
    }
}

/// Lets cross-attention look at the target again.
pub fn cross_self(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t], [Some(sm), Some(tm), Some(tm)], |x| [x.own; 3])
}

/// Takes queries from the source, and keys and values from the target.
pub fn turned_round(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t], [Some(sm), Some(tm), None], |x| {
        [x.memory, x.own, x.own]
    })
}

/// Uses the target's mask over the source.
pub fn masks_exchanged(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t], [Some(sm), Some(tm), Some(tm)], |x| {
        [x.own, x.memory, x.memory]
    })
}

/// Lets the decoder see its own future.
pub fn no_future_mask(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, _: &Var) -> Used {
    uses(maps, [s, t], [Some(sm), None, Some(sm)], |x| {
        [x.own, x.memory, x.memory]
    })
}

/// Lets cross-attention bypass the encoder and read its input.
pub fn raw_source(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t], [Some(sm), Some(tm), Some(sm)], |x| {
        [x.own, x.source, x.source]
    })
}

/// Takes cross-attention's queries from the target before its self-attention.
pub fn raw_target(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t], [Some(sm), Some(tm), Some(sm)], |x| {
        [x.target, x.memory, x.memory]
    })
}

/// Takes keys from the memory and values from the target.
pub fn values_from_target(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t], [Some(sm), Some(tm), Some(sm)], |x| {
        [x.own, x.memory, x.own]
    })
}

/// Attention with queries from `x`, and keys and values from the memory.
fn read(maps: &MultiHeadAttention, x: &Var, memory: &MultiHead, mask: &Var) -> MultiHead {
    maps.forward(x, &memory.output, &memory.output, Some(mask))
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, UsesFn); 10] = [
    (
        "Your cross-attention has no mask, so it looks at the padding of the source. Its keys are the source's: give it src_mask.",
        |maps, s, t, sm, tm| {
            uses(maps, [s, t], [Some(sm), Some(tm), None], |x| {
                [x.own, x.memory, x.memory]
            })
        },
    ),
    (
        "Your cross-attention takes its values from the source before the encoder. Keys and values are both the memory.",
        |maps, s, t, sm, tm| {
            uses(maps, [s, t], [Some(sm), Some(tm), Some(sm)], |x| {
                [x.own, x.memory, x.source]
            })
        },
    ),
    (
        "Your encoder has no mask, so it looks at the padding of the source. Give it src_mask.",
        |maps, s, t, sm, tm| {
            uses(maps, [s, t], [None, Some(tm), Some(sm)], |x| {
                [x.own, x.memory, x.memory]
            })
        },
    ),
    (
        "Your encoder uses the target's mask, which hides the future. A source token may see all the others: give it src_mask.",
        |maps, s, t, sm, tm| {
            uses(maps, [s, t], [Some(tm), Some(tm), Some(sm)], |x| {
                [x.own, x.memory, x.memory]
            })
        },
    ),
    (
        "Your cross-attention uses the decoder self-attention's maps. It has its own: maps.cross.",
        |maps, s, t, sm, tm| {
            let mut used = three_uses(maps, s, t, sm, tm);
            used.crossed = read(&maps.decoder, &used.own.output, &used.memory, sm);
            used
        },
    ),
    (
        "You add the target to the queries of cross-attention. The residual connection belongs to the layer around it: the queries are the output of self-attention.",
        |maps, s, t, sm, tm| {
            let mut used = three_uses(maps, s, t, sm, tm);
            used.crossed = read(&maps.cross, &t.add(&used.own.output), &used.memory, sm);
            used
        },
    ),
    (
        "Your decoder reads the memory first and attends to itself afterwards. Self-attention comes first, and the queries come from its result.",
        |maps, s, t, sm, tm| {
            let mut used = three_uses(maps, s, t, sm, tm);
            used.crossed = read(&maps.cross, t, &used.memory, sm);
            let x = &used.crossed.output;
            used.own = maps.decoder.forward(x, x, x, Some(tm));
            used
        },
    ),
    (
        "Your cross-attention takes its keys from the source before the encoder. Keys and values are both the memory.",
        |maps, s, t, sm, tm| {
            uses(maps, [s, t], [Some(sm), Some(tm), Some(sm)], |x| {
                [x.own, x.source, x.memory]
            })
        },
    ),
    (
        "In your cross-attention the source asks and the target is read. The decoder asks: its queries are the output of self-attention, and the memory is read.",
        |maps, s, t, sm, tm| {
            uses(maps, [s, t], [Some(sm), Some(tm), Some(sm)], |x| {
                [x.memory, x.own, x.own]
            })
        },
    ),
    (
        "The queries of your encoder come from the target. The encoder reads only the source: queries, keys and values are all the source.",
        |maps, s, t, sm, tm| {
            let memory = maps.encoder.forward(t, s, s, Some(sm));
            let own = maps.decoder.forward(t, t, t, Some(tm));
            let crossed = read(&maps.cross, &own.output, &memory, sm);
            Used {
                memory,
                own,
                crossed,
            }
        },
    ),
];
