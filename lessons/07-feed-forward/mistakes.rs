//! The classic mistakes of the feed-forward layer, each a function of the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

/// The signature of the feed-forward layer.
pub type FeedForwardFn = fn(&FeedForward, &Var) -> Var;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, FeedForwardFn); 7] = [
    ("no-activation", no_activation),
    ("activation-last", activation_last),
    ("always-relu", always_relu),
    ("no-bias", no_bias),
    ("no-dropout", no_dropout),
    ("late-dropout", late_dropout),
    ("residual-inside", residual_inside),
];

/// Two maps with nothing between them.
pub fn no_activation(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).named("inner");
    maps.w_2.forward(&inner.dropout(maps.dropout)).named("ffn")
}

/// The activation after the second map.
pub fn activation_last(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).named("inner").dropout(maps.dropout);
    maps.activation
        .forward(&maps.w_2.forward(&inner))
        .named("ffn")
}

/// ReLU, whatever was asked for.
pub fn always_relu(maps: &FeedForward, x: &Var) -> Var {
    let active = maps.w_1.forward(x).named("inner").relu().named("active");
    maps.w_2.forward(&active.dropout(maps.dropout)).named("ffn")
}

/// The matrices without their biases.
pub fn no_bias(maps: &FeedForward, x: &Var) -> Var {
    let tape = x.tape();
    let inner = x.matmul_t(&tape.param(maps.w_1.weight)).named("inner");
    let active = maps.activation.forward(&inner).named("active");
    active
        .dropout(maps.dropout)
        .matmul_t(&tape.param(maps.w_2.weight))
        .named("ffn")
}

/// Nothing is dropped, in training either.
pub fn no_dropout(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).named("inner");
    let active = maps.activation.forward(&inner).named("active");
    maps.w_2.forward(&active).named("ffn")
}

/// The result is dropped from instead of the inner cells.
pub fn late_dropout(maps: &FeedForward, x: &Var) -> Var {
    no_dropout(maps, x).dropout(maps.dropout)
}

/// The residual connection built in, which the layer around it adds once more.
pub fn residual_inside(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).named("inner");
    let active = maps.activation.forward(&inner).named("active");
    let y = maps.w_2.forward(&active.dropout(maps.dropout));
    x.add(&y).named("ffn")
}
