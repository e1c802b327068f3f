//# Self-attention gets no mask, so padding is read.
//= no-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let _ = mask;
    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, None).output);
    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Feed-forward runs before self-attention.
//= ffn-first classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let x = layer.sublayer[0].forward(x, |y| layer.feed_forward.forward(y));
    layer.sublayer[1].forward(&x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output)
}
//# Both sublayers use the first residual connection, and so the first LayerNorm.
//= one-norm
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let residual = &layer.sublayer[0];
    let x = residual.forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    residual.forward(&x, |y| layer.feed_forward.forward(y))
}
//# The two residual connections are used in the reverse order.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let [first, second] = &layer.sublayer;
    let x = second.forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    first.forward(&x, |y| layer.feed_forward.forward(y))
}
//# Feed-forward reads the layer's input instead of the result of attention, which is lost.
//= old-x
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let _attended =
        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    layer.sublayer[1].forward(x, |y| layer.feed_forward.forward(y))
}
//# Attention and feed-forward run in parallel on the same input instead of one after the other.
//= old-x
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let attended =
        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    let fed = layer.sublayer[1].forward(x, |y| layer.feed_forward.forward(y));
    attended.add(&fed).sub(x)
}
//# Attention reads the layer's x instead of the tensor that the residual connection passes in.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let after =
        layer.sublayer[0].forward(x, |_| layer.self_attn.forward(x, x, x, Some(mask)).output);
    layer.sublayer[1].forward(&after, |y| layer.feed_forward.forward(y))
}
//# Only the query is the normalised tensor; keys and values are the layer's x.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let after =
        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, x, x, Some(mask)).output);
    layer.sublayer[1].forward(&after, |y| layer.feed_forward.forward(y))
}
//# Feed-forward reads the outer stream instead of the tensor that the residual connection passes in.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    layer.sublayer[1].forward(&x, |_| layer.feed_forward.forward(&x))
}
//# The sublayers add their input themselves, although the residual connection already does.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        y.add(&layer.self_attn.forward(y, y, y, Some(mask)).output)
    });
    layer.sublayer[1].forward(&x, |y| y.add(&layer.feed_forward.forward(y)))
}
//# x is added again to the result of each residual connection.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let attended =
        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    let x = x.add(&attended);
    let fed = layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y));
    x.add(&fed)
}
//# The sublayers are called directly, without their residual connections.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let attended = layer.self_attn.forward(x, x, x, Some(mask)).output;
    layer.feed_forward.forward(&attended)
}
//# Attention and feed-forward share one residual connection around both.
//= one-norm
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    layer.sublayer[0].forward(x, |y| {
        let attended = layer.self_attn.forward(y, y, y, Some(mask)).output;
        layer.feed_forward.forward(&attended)
    })
}
//# The mask is inverted, so only padding can be seen.
//= classic-8
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let hidden = mask.not_equal(1.0);
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(&hidden)).output
    });
    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
}
//# The encoder hides the future too, as if it were a decoder.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let length = x.shape()[1];
    let mask = mask.and(&x.tape().causal(length));
    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(&mask)).output);
    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
}
//# Padding is hidden by setting its vectors to zero, and attention gets no mask.
//= no-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let real = mask.transpose();
    let x = layer.sublayer[0].forward(x, |y| {
        let y = y.mul(&real);
        layer.self_attn.forward(&y, &y, &y, None).output
    });
    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
}
//# The layer's result is normalised again at the end.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    let x = layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y));
    layer.sublayer[1].norm.forward(&x)
}
//# The feed-forward sublayer is forgotten.
//= skip-ffn
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output)
}
//# Takes the keys and values of self-attention from the layer's x, so that only the queries are normalised.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;

pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let attended = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, x, x, Some(mask)).output
    });
    layer.sublayer[1].forward(&attended, |y| layer.feed_forward.forward(y))
}
//# Uses the first residual connection for both sublayers, so the second LayerNorm is never used.
//= one-norm
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;

pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let sublayer = &layer.sublayer[0];
    let x = sublayer.forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    sublayer.forward(&x, |y| layer.feed_forward.forward(y))
}
//# Adds each sublayer's input again inside the closure, though the residual connection already adds x.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;

pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        let attended = layer.self_attn.forward(y, y, y, Some(mask)).output;
        y.add(&attended)
    });
    layer.sublayer[1].forward(&x, |y| y.add(&layer.feed_forward.forward(y)))
}
