//! The activation functions between the two linear maps of a feed-forward layer.

use serde::{Deserialize, Serialize};

use crate::autograd::Var;
use crate::ops::{self, Gelu};
use crate::tensor::vector;

/// An activation function, applied to every cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// `max(0, x)`: the paper, the Annotated Transformer and TensorFlow's official Transformer.
    Relu,
    /// `x Φ(x)`: BERT, ViT.
    Gelu,
    /// The tanh approximation of GELU: GPT-2.
    GeluTanh,
    /// The sigmoid approximation of GELU, `x σ(1.702 x)`.
    GeluSigmoid,
    /// `x σ(x)`, also called Swish: EfficientNet.
    Silu,
}

impl Activation {
    /// All activation functions, with their names on the command line.
    pub const ALL: [(&'static str, Self); 5] = [
        ("relu", Self::Relu),
        ("gelu", Self::Gelu),
        ("gelu-tanh", Self::GeluTanh),
        ("gelu-sigmoid", Self::GeluSigmoid),
        ("silu", Self::Silu),
    ];

    // ANCHOR: forward
    /// Applies the function to every cell of `x`.
    pub fn forward(self, x: &Var) -> Var {
        match self {
            Self::Relu => x.relu(),
            Self::Gelu => x.gelu(Gelu::Exact),
            Self::GeluTanh => x.gelu(Gelu::Tanh),
            Self::GeluSigmoid => x.gelu(Gelu::Sigmoid),
            Self::Silu => x.silu(),
        }
    }
    // ANCHOR_END: forward

    /// Applies the function to plain cells in place, for decoding, which runs without a tape.
    pub fn cells(self, x: &mut [f32]) {
        fn each(x: &mut [f32], f: impl Fn(f32) -> f32) {
            x.iter_mut().for_each(|x| *x = f(*x));
        }
        match self {
            Self::Relu => each(x, ops::relu),
            Self::Gelu => each(x, |x| Gelu::Exact.of(x)),
            Self::GeluTanh => each(x, |x| Gelu::Tanh.of(x)),
            Self::GeluSigmoid => each(x, |x| Gelu::Sigmoid.of(x)),
            Self::Silu => vector::silu(x),
        }
    }
}
