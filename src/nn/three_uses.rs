//! The three places where a Transformer attends (Vaswani et al. 2017, 3.2.3).

use super::multi_head_attention::{MultiHead, MultiHeadAttention};
use crate::autograd::Var;

/// An attention for each place, each with maps of its own.
pub struct ThreeUses {
    /// Source words look at source words.
    pub encoder: MultiHeadAttention,
    /// Target words look at the target words up to themselves.
    pub decoder: MultiHeadAttention,
    /// Target words look at what the encoder made of the source.
    pub cross: MultiHeadAttention,
}

/// What each of them returned.
pub struct Used {
    /// The encoder's: the memory.
    pub memory: MultiHead,
    /// The decoder's over itself.
    pub own: MultiHead,
    /// The decoder's over the memory.
    pub crossed: MultiHead,
}

crate::reference! { "three_uses";
// ANCHOR: forward
/// Attends in all three places: `source [batch, source, d_model]`, `target [batch, target, d_model]`,
/// `src_mask [batch, 1, source]` hides padding, `tgt_mask [batch, target, target]` the future too.
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
