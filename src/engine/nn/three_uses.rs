//! The three places where a Transformer attends (Vaswani et al. 2017, 3.2.3).

use super::multi_head_attention::{MultiHead, MultiHeadAttention};
use crate::autograd::Var;

/// Three attention layers, one per place, each with its own weights.
pub struct ThreeUses {
    /// Source tokens attend to source tokens.
    pub encoder: MultiHeadAttention,
    /// Target tokens attend to the target tokens up to themselves.
    pub decoder: MultiHeadAttention,
    /// Target tokens attend to the encoder's output.
    pub cross: MultiHeadAttention,
}

/// The result of each attention.
pub struct Used {
    /// The encoder's self-attention; its output is the memory.
    pub memory: MultiHead,
    /// The decoder's self-attention.
    pub own: MultiHead,
    /// The decoder's attention to the memory.
    pub crossed: MultiHead,
}

crate::reference! { "three_uses";
// ANCHOR: forward
/// Attends in all three places: `source [batch, source, d_model]`,
/// `target [batch, target, d_model]`; `src_mask [batch, 1, source]` hides padding,
/// `tgt_mask [batch, target, target]` also the future.
#[track_caller]
pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let tape = source.tape();
    let memory = tape.scoped("encoder", || {
        maps.encoder.forward(source, source, source, Some(src_mask))
    });
    let own = tape.scoped("decoder", || {
        maps.decoder.forward(target, target, target, Some(tgt_mask))
    });
    let crossed = tape.scoped("cross", || {
        let (reader, read) = (&own.output, &memory.output);
        maps.cross.forward(reader, read, read, Some(src_mask))
    });
    Used {
        memory,
        own,
        crossed,
    }
}
// ANCHOR_END: forward
}
