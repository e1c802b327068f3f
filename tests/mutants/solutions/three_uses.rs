//# Makes the decoder read the source embeddings instead of the encoder's result.
//= raw-source
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let crossed = maps.cross.forward(&own.output, source, source, Some(src_mask));
    Used { memory, own, crossed }
}
//# Computes the queries of cross-attention from the target itself instead of the decoder's self-attention.
//= raw-target
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let crossed = maps
        .cross
        .forward(target, &memory.output, &memory.output, Some(src_mask));
    Used { memory, own, crossed }
}
//# Takes keys from the memory but values from the source embeddings in cross-attention.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let crossed = maps
        .cross
        .forward(&own.output, &memory.output, source, Some(src_mask));
    Used { memory, own, crossed }
}
//# Gives cross-attention the target's mask.
//= masks-exchanged
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let (x, m) = (&own.output, &memory.output);
    let crossed = maps.cross.forward(x, m, m, Some(tgt_mask));
    Used { memory, own, crossed }
}
//# Gives cross-attention no mask: the whole source is known, so nothing seems to need hiding.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let (x, m) = (&own.output, &memory.output);
    let crossed = maps.cross.forward(x, m, m, None);
    Used { memory, own, crossed }
}
//# Gives the encoder no mask, since it may look in both directions.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, None);
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let (x, m) = (&own.output, &memory.output);
    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
    Used { memory, own, crossed }
}
//# Does not mask the decoder's self-attention, where the future must be hidden.
//= no-future-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let _ = tgt_mask;
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, None);
    let (x, m) = (&own.output, &memory.output);
    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
    Used { memory, own, crossed }
}
//# Uses the decoder's self-attention a second time for cross-attention instead of its own maps.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let (x, m) = (&own.output, &memory.output);
    let crossed = maps.decoder.forward(x, m, m, Some(src_mask));
    Used { memory, own, crossed }
}
//# Swaps the sides of cross-attention: the memory gives the queries, and the decoder is read.
//= turned-round
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let (q, kv) = (&memory.output, &own.output);
    let crossed = maps.cross.forward(q, kv, kv, None);
    Used { memory, own, crossed }
}
//# Adds the residual connection before cross-attention, which belongs to the layer around it.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let x = target.add(&own.output);
    let crossed = maps
        .cross
        .forward(&x, &memory.output, &memory.output, Some(src_mask));
    Used { memory, own, crossed }
}
//# Computes the values of cross-attention from the decoder: pairs query and value on one side, the key on the other.
//= values-from-target
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let crossed = maps
        .cross
        .forward(&own.output, &memory.output, &own.output, Some(src_mask));
    Used { memory, own, crossed }
}
//# Detaches the memory before cross-attention, so that no gradient reaches the encoder from there.
//= no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    // The encoder is finished here; the decoder only reads its result.
    let read = source
        .tape()
        .constant("memory", memory.output.value(), &["b", "s", "d"]);
    let crossed = maps.cross.forward(&own.output, &read, &read, Some(src_mask));
    Used { memory, own, crossed }
}
//# Starts the decoder from the memory: reads it first and attends to itself afterwards.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let m = &memory.output;
    let crossed = maps.cross.forward(target, m, m, Some(src_mask));
    let x = &crossed.output;
    let own = maps.decoder.forward(x, x, x, Some(tgt_mask));
    Used { memory, own, crossed }
}
//# Uses the target's causal mask in the encoder too, since both are self-attention.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(tgt_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let (x, m) = (&own.output, &memory.output);
    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
    Used { memory, own, crossed }
}
//# Swaps the sides of cross-attention: the memory gives the queries, and the decoder's result keys and values.
//= turned-round
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let crossed = maps
        .cross
        .forward(&memory.output, &own.output, &own.output, Some(src_mask));
    Used {
        memory,
        own,
        crossed,
    }
}
//# Gives cross-attention no mask, in the belief that only the decoder's own future has to be hidden.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let crossed = maps
        .cross
        .forward(&own.output, &memory.output, &memory.output, None);
    Used {
        memory,
        own,
        crossed,
    }
}
//# Takes the queries of cross-attention from the target itself, not from the result of the decoder's self-attention.
//= raw-target
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let crossed = maps
        .cross
        .forward(target, &memory.output, &memory.output, Some(src_mask));
    Used {
        memory,
        own,
        crossed,
    }
}
