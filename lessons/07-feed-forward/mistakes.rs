//! The classic mistakes in the feed-forward layer, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

/// The signature of the feed-forward layer.
pub type FeedForwardFn = fn(&FeedForward, &Var) -> Var;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, FeedForwardFn); 7] = [
    ("no-activation", no_activation),
    ("activation-last", activation_last),
    ("always-relu", always_relu),
    ("no-bias", no_bias),
    ("no-dropout", no_dropout),
    ("late-dropout", late_dropout),
    ("residual-inside", residual_inside),
];

/// Puts no activation function between the two linear maps.
pub fn no_activation(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).named("inner");
    maps.w_2.forward(&inner.dropout(maps.dropout)).named("ffn")
}

/// Applies the activation function after the second map.
pub fn activation_last(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).named("inner").dropout(maps.dropout);
    maps.activation
        .forward(&maps.w_2.forward(&inner))
        .named("ffn")
}

/// Uses ReLU whatever the activation function should be.
pub fn always_relu(maps: &FeedForward, x: &Var) -> Var {
    let active = maps.w_1.forward(x).named("inner").relu().named("active");
    maps.w_2.forward(&active.dropout(maps.dropout)).named("ffn")
}

/// Leaves out the biases.
pub fn no_bias(maps: &FeedForward, x: &Var) -> Var {
    let tape = x.tape();
    let inner = x.matmul_t(&tape.param(maps.w_1.weight)).named("inner");
    let active = maps.activation.forward(&inner).named("active");
    active
        .dropout(maps.dropout)
        .matmul_t(&tape.param(maps.w_2.weight))
        .named("ffn")
}

/// Drops nothing, not even in training.
pub fn no_dropout(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).named("inner");
    let active = maps.activation.forward(&inner).named("active");
    maps.w_2.forward(&active).named("ffn")
}

/// Applies dropout to the result instead of the inner cells.
pub fn late_dropout(maps: &FeedForward, x: &Var) -> Var {
    no_dropout(maps, x).dropout(maps.dropout)
}

/// Includes the residual connection, which the layer around it adds again.
pub fn residual_inside(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).named("inner");
    let active = maps.activation.forward(&inner).named("active");
    let y = maps.w_2.forward(&active.dropout(maps.dropout));
    x.add(&y).named("ffn")
}

/// The inner cells after the activation function.
fn active(maps: &FeedForward, x: &Var) -> Var {
    maps.activation.forward(&maps.w_1.forward(x))
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, FeedForwardFn); 9] = [
    (
        "You drop before the activation function. With ReLU, that makes no difference, but with GELU it does. Drop cells after the activation function.",
        |maps, x| {
            let inner = maps.w_1.forward(x).dropout(maps.dropout);
            maps.w_2.forward(&maps.activation.forward(&inner))
        },
    ),
    (
        "You drop cells of the input. Drop inner cells, after the activation function.",
        |maps, x| no_dropout(maps, &x.dropout(maps.dropout)),
    ),
    (
        "You drop twice: inner cells and cells of the result. Drop only the inner ones; the residual connection drops from the result.",
        |maps, x| {
            let kept = active(maps, x).dropout(maps.dropout);
            maps.w_2.forward(&kept).dropout(maps.dropout)
        },
    ),
    (
        "You keep the proportion that should be dropped. dropout is the proportion to drop: pass it to x.dropout unchanged.",
        |maps, x| {
            let active = active(maps, x);
            let p = maps.dropout;
            let kept = active.dropout(if p > 0.0 { 1.0 - p } else { 0.0 });
            maps.w_2.forward(&kept)
        },
    ),
    (
        "You multiply the kept cells by 1 − dropout. x.dropout already divides them by it to keep their mean, so leave them unchanged.",
        |maps, x| {
            let kept = active(maps, x).dropout(maps.dropout);
            maps.w_2.forward(&kept.scale(1.0 - maps.dropout))
        },
    ),
    (
        "You apply the activation function twice, after each map. It belongs only between the two.",
        |maps, x| {
            let y = maps.w_2.forward(&active(maps, x).dropout(maps.dropout));
            maps.activation.forward(&y)
        },
    ),
    (
        "You apply the activation function to the input. It belongs between the two maps.",
        |maps, x| no_activation(maps, &maps.activation.forward(x)),
    ),
    (
        "You apply softmax to the inner cells. Between the two maps there is only the activation function.",
        |maps, x| {
            let inner = active(maps, x).softmax();
            maps.w_2.forward(&inner.dropout(maps.dropout))
        },
    ),
    (
        "You multiply the active cells by the inner ones, as a gated layer does with a third map. Hand the active cells to w_2.",
        |maps, x| {
            let inner = maps.w_1.forward(x).mul(&active(maps, x));
            maps.w_2.forward(&inner.dropout(maps.dropout))
        },
    ),
];
