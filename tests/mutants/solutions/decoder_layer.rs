//# The two masks are swapped.
//= masks-exchanged
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(src_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(tgt_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Self-attention gets no mask, so every position sees the future.
//= no-future-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let _ = tgt_mask;
    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, None).output);
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Self-attention hides only the future and not the padding of the target.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let _ = tgt_mask;
    let past = x.tape().causal(x.shape()[1]);
    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(&past)).output);
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Self-attention gets the source's mask as well as cross-attention, and the target's mask is never used.
//= classic-9
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let _ = tgt_mask;
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(src_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Cross-attention gets no mask, so it reads the source's padding.
//= no-source-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let _ = src_mask;
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer.src_attn.forward(y, memory, memory, None).output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Cross-attention takes its queries from the memory and its keys and values from the decoder.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer.src_attn.forward(memory, y, y, Some(src_mask)).output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Cross-attention takes its keys from the memory and its values from the decoder.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer.src_attn.forward(y, memory, y, Some(src_mask)).output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Cross-attention takes its values from the memory and its keys from the decoder.
//= own-keys
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer.src_attn.forward(y, y, memory, Some(src_mask)).output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Cross-attention reads the decoder's own tokens and never the memory.
//= own-keys
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let _ = (memory, src_mask);
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer.src_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Cross-attention runs before self-attention.
//= cross-first classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Cross-attention is left out.
//= no-cross
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let _ = (memory, src_mask);
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Cross-attention uses the weights of self-attention.
//= shared-attention
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .self_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# The two attentions are swapped: self-attention uses the weights of cross-attention and vice versa.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.src_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .self_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Feed-forward uses the residual connection of cross-attention, so the third LayerNorm is never used.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
}
//# All three sublayers use the first residual connection.
//= one-norm
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[0].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[0].forward(&x, |y| layer.feed_forward.forward(y))
}
//# The memory is normalised again before cross-attention reads it.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let memory = layer.sublayer[1].norm.forward(memory);
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, &memory, &memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# The queries of cross-attention come from the outer stream, not from the tensor that the residual connection passes in.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |_| {
        layer
            .src_attn
            .forward(&x, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Cross-attention starts from the layer's input again, so the result of self-attention is lost.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let _written = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Feed-forward starts from the result of self-attention, so the result of cross-attention is lost.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let _read = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Both attentions share one residual connection.
//= one-norm
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        let y = layer.self_attn.forward(y, y, y, Some(tgt_mask)).output;
        layer
            .src_attn
            .forward(&y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# The memory is treated as a constant, so no gradient reaches the encoder.
//= no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let memory = &memory
        .tape()
        .constant("memory", memory.value(), &memory.axes());
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Feed-forward is left out.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    })
}
//# All sublayers are called directly, without residual connections.
//= classic-8
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.self_attn.forward(x, x, x, Some(tgt_mask)).output;
    let x = layer
        .src_attn
        .forward(&x, memory, memory, Some(src_mask))
        .output;
    layer.feed_forward.forward(&x)
}
//# Runs cross-attention with the maps of self-attention.
//= shared-attention
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;

pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .self_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Calls feed-forward directly at the end, without the third residual connection around it.
//= classic-8
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;

pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.feed_forward.forward(&x)
}
//# Takes the queries of cross-attention from the layer's input, not from the result of self-attention.
//= classic-1 classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;

pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let attended = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let crossed = layer.sublayer[1].forward(&attended, |_| {
        layer
            .src_attn
            .forward(x, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&crossed, |y| layer.feed_forward.forward(y))
}
