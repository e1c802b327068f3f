//! The classic mistakes of the three uses, each a function of the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::multi_head_attention::MultiHeadAttention;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

/// The signature of the three uses.
pub type UsesFn = fn(&ThreeUses, &Var, &Var, &Var, &Var) -> Used;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, UsesFn); 7] = [
    ("cross-self", cross_self),
    ("turned-round", turned_round),
    ("masks-exchanged", masks_exchanged),
    ("no-future-mask", no_future_mask),
    ("raw-source", raw_source),
    ("raw-target", raw_target),
    ("values-from-target", values_from_target),
];

/// What the cross attention could be made of.
struct Around<'a> {
    source: &'a Var,
    target: &'a Var,
    memory: &'a Var,
    own: &'a Var,
}

/// The queries, keys and values of the cross attention.
type MadeOf = for<'a> fn(Around<'a>) -> [&'a Var; 3];

/// All three uses, with the masks of the decoder's look at itself and of its look at what is `made_of`.
fn uses(
    maps: &ThreeUses,
    [source, target, src_mask]: [&Var; 3],
    [own_mask, cross_mask]: [Option<&Var>; 2],
    made_of: MadeOf,
) -> Used {
    let attend = |name, layer: &MultiHeadAttention, [q, k, v]: [&Var; 3], mask| {
        let tape = source.tape();
        tape.scoped(name, || layer.forward(q, k, v, mask))
    };
    let memory = attend("encoder", &maps.encoder, [source; 3], Some(src_mask));
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

/// The cross attention looks at the target again.
pub fn cross_self(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t, sm], [Some(tm); 2], |x| [x.own; 3])
}

/// The source asks and the target answers.
pub fn turned_round(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t, sm], [Some(tm), None], |x| {
        [x.memory, x.own, x.own]
    })
}

/// The target's mask over the source.
pub fn masks_exchanged(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t, sm], [Some(tm); 2], |x| {
        [x.own, x.memory, x.memory]
    })
}

/// The decoder sees its own future.
pub fn no_future_mask(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, _: &Var) -> Used {
    uses(maps, [s, t, sm], [None, Some(sm)], |x| {
        [x.own, x.memory, x.memory]
    })
}

/// The cross attention looks past the encoder at its input.
pub fn raw_source(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t, sm], [Some(tm), Some(sm)], |x| {
        [x.own, x.source, x.source]
    })
}

/// The cross attention is asked by the target's words before they looked at one another.
pub fn raw_target(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t, sm], [Some(tm), Some(sm)], |x| {
        [x.target, x.memory, x.memory]
    })
}

/// Keys from the memory, values from the target.
pub fn values_from_target(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    uses(maps, [s, t, sm], [Some(tm), Some(sm)], |x| {
        [x.own, x.memory, x.own]
    })
}

/// What else is got wrong, with what the check says of it.
pub static CLASSICS: [(&str, UsesFn); 2] = [
    (
        "Your cross-attention has no mask, so it looks at the padding of the source. Its keys are the source's: give it src_mask.",
        |maps, s, t, sm, tm| {
            uses(maps, [s, t, sm], [Some(tm), None], |x| {
                [x.own, x.memory, x.memory]
            })
        },
    ),
    (
        "Your cross-attention takes its values from the source before the encoder. Keys and values are both the memory.",
        |maps, s, t, sm, tm| {
            uses(maps, [s, t, sm], [Some(tm), Some(sm)], |x| {
                [x.own, x.memory, x.source]
            })
        },
    ),
];
