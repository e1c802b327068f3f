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

/// The cross attention looks at the target again.
pub fn cross_self(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    let (memory, own) = (memory(maps, s, sm), own(maps, t, Some(tm)));
    let asks = &own.output;
    let crossed = cross(maps, [asks; 3], Some(tm));
    Used {
        memory,
        own,
        crossed,
    }
}

/// The source asks and the target answers.
pub fn turned_round(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    let (memory, own) = (memory(maps, s, sm), own(maps, t, Some(tm)));
    let (m, o) = (&memory.output, &own.output);
    let crossed = cross(maps, [m, o, o], None);
    Used {
        memory,
        own,
        crossed,
    }
}

/// The target's mask over the source.
pub fn masks_exchanged(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    let (memory, own) = (memory(maps, s, sm), own(maps, t, Some(tm)));
    let (m, o) = (&memory.output, &own.output);
    let crossed = cross(maps, [o, m, m], Some(tm));
    Used {
        memory,
        own,
        crossed,
    }
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
    let (memory, own) = (memory(maps, s, sm), own(maps, t, Some(tm)));
    let crossed = cross(maps, [&own.output, s, s], Some(sm));
    Used {
        memory,
        own,
        crossed,
    }
}

/// The cross attention is asked by the target's words before they looked at one another.
pub fn raw_target(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    let (memory, own) = (memory(maps, s, sm), own(maps, t, Some(tm)));
    let m = &memory.output;
    let crossed = cross(maps, [t, m, m], Some(sm));
    Used {
        memory,
        own,
        crossed,
    }
}

/// Keys from the memory, values from the target.
pub fn values_from_target(maps: &ThreeUses, s: &Var, t: &Var, sm: &Var, tm: &Var) -> Used {
    let (memory, own) = (memory(maps, s, sm), own(maps, t, Some(tm)));
    let (m, o) = (&memory.output, &own.output);
    let crossed = cross(maps, [o, m, o], Some(sm));
    Used {
        memory,
        own,
        crossed,
    }
}
