//! The classic mistakes of the three uses, each a function of the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::multi_head_attention::MultiHead;
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

fn memory(maps: &ThreeUses, source: &Var, src_mask: &Var) -> MultiHead {
    source.tape().scoped("encoder", || {
        maps.encoder.forward(source, source, source, Some(src_mask))
    })
}

fn own(maps: &ThreeUses, target: &Var, mask: Option<&Var>) -> MultiHead {
    target.tape().scoped("decoder", || {
        maps.decoder.forward(target, target, target, mask)
    })
}

fn cross(maps: &ThreeUses, [q, k, v]: [&Var; 3], mask: Option<&Var>) -> MultiHead {
    q.tape()
        .scoped("cross", || maps.cross.forward(q, k, v, mask))
}

/// What the mistakes of the cross attention alone have in common: `made_of` says what its queries, keys and values are made
/// of, given the outputs of the memory and of the decoder.
fn crossing(
    maps: &ThreeUses,
    [source, target, src_mask, tgt_mask]: [&Var; 4],
    made_of: impl Fn(&Var, &Var) -> [Var; 3],
    mask: Option<&Var>,
) -> Used {
    let memory = memory(maps, source, src_mask);
    let own = own(maps, target, Some(tgt_mask));
    let [q, k, v] = made_of(&memory.output, &own.output);
    let crossed = cross(maps, [&q, &k, &v], mask);
    Used {
        memory,
        own,
        crossed,
    }
}

/// The cross attention looks at the target again.
pub fn cross_self(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    crossing(
        maps,
        [s, t, sm, tm],
        |_, own| [own.clone(), own.clone(), own.clone()],
        Some(tm),
    )
}

/// The source asks and the target answers.
pub fn turned_round(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    crossing(
        maps,
        [s, t, sm, tm],
        |m, own| [m.clone(), own.clone(), own.clone()],
        None,
    )
}

/// The target's mask over the source.
pub fn masks_exchanged(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    crossing(
        maps,
        [s, t, sm, tm],
        |m, own| [own.clone(), m.clone(), m.clone()],
        Some(tm),
    )
}

/// The decoder sees its own future.
pub fn no_future_mask(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, _: &Var) -> Used {
    let (memory, own) = (memory(maps, s, sm), own(maps, t, None));
    let (m, o) = (&memory.output, &own.output);
    let crossed = cross(maps, [o, m, m], Some(sm));
    Used {
        memory,
        own,
        crossed,
    }
}

/// The cross attention looks past the encoder at its input.
pub fn raw_source(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    crossing(
        maps,
        [s, t, sm, tm],
        |_, own| [own.clone(), s.clone(), s.clone()],
        Some(sm),
    )
}

/// The cross attention is asked by the target's words before they looked at one another.
pub fn raw_target(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    crossing(
        maps,
        [s, t, sm, tm],
        |m, _| [t.clone(), m.clone(), m.clone()],
        Some(sm),
    )
}

/// Keys from the memory, values from the target.
pub fn values_from_target(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    crossing(
        maps,
        [s, t, sm, tm],
        |m, own| [own.clone(), m.clone(), own.clone()],
        Some(sm),
    )
}
