//! The position-wise feed-forward layer (Vaswani et al. 2017, 3.3).

use super::activation::Activation;
use super::linear::{Bias, Linear};
use crate::autograd::{Component, Var};
use crate::params::Params;

/// The component [`feed_forward`], which a tape may replace.
pub const FEED_FORWARD: Component<fn(&FeedForward, &Var) -> Var> = Component::new("feed_forward");

/// Two linear maps with an activation function between them, the same at every position.
pub struct FeedForward {
    /// `[d_ff, d_model]`.
    pub w_1: Linear,
    /// `[d_model, d_ff]`.
    pub w_2: Linear,
    /// The activation function.
    pub activation: Activation,
    /// The fraction of the inner cells that training drops.
    pub dropout: f32,
}

impl FeedForward {
    /// Creates the maps from `d_model` to `d_ff` channels and back.
    pub fn new(
        params: &mut Params,
        d_model: usize,
        d_ff: usize,
        bias: Bias,
        activation: Activation,
        dropout: f32,
    ) -> Self {
        let (model, inner) = (("d", d_model), ("f", d_ff));
        Self {
            w_1: params.scoped("w_1", |p| Linear::new(p, model, inner, bias)),
            w_2: params.scoped("w_2", |p| Linear::new(p, inner, model, bias)),
            activation,
            dropout,
        }
    }

    /// Calls [`feed_forward`], or the tape's replacement for it.
    #[track_caller]
    pub fn forward(&self, x: &Var) -> Var {
        match x.tape().replacement(&FEED_FORWARD) {
            Some(own) => (own.function)(self, x),
            None => feed_forward(self, x),
        }
    }
}

crate::reference! { "feed_forward";
// ANCHOR: forward
/// `dropout(activation(x · W₁ + b₁)) · W₂ + b₂`; keeps the shape `[batch, length, d_model]`.
#[track_caller]
pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).named("inner");
    let active = maps.activation.forward(&inner).named("active");
    let kept = active.dropout(maps.dropout);
    maps.w_2.forward(&kept).named("ffn")
}
// ANCHOR_END: forward
}
