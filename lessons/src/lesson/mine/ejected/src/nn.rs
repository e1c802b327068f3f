//! The layers. Each holds its parameters, and calls the function that computes it.

use crate::autograd::Var;
use crate::params::{Builder, Init, Param};

/// `y = x Wᵀ + b`.
pub struct Linear {
    /// `[out, in]`.
    pub weight: Param,
    /// `[out]`.
    pub bias: Param,
}

impl Linear {
    pub fn new(build: &mut Builder, inputs: usize, outputs: usize) -> Self {
        Self {
            weight: build.add("weight", &[outputs, inputs], Init::Xavier),
            bias: build.add(
                "bias",
                &[outputs],
                Init::Uniform(1.0 / (inputs as f32).sqrt()),
            ),
        }
    }

    /// `[…, in]` → `[…, out]`.
    pub fn forward(&self, x: &Var) -> Var {
        let tape = x.tape();
        x.matmul_t(&tape.param(self.weight))
            .add(&tape.param(self.bias))
    }
}

pub mod embeddings {
    use super::*;
    pub use crate::functions::scale_embeddings;

    /// One vector per token id.
    #[derive(Clone, Copy)]
    pub struct Embeddings {
        /// `[vocabulary, d_model]`.
        pub table: Param,
    }

    impl Embeddings {
        pub fn new(build: &mut Builder, vocabulary: usize, d_model: usize) -> Self {
            let table = build.add("table", &[vocabulary, d_model], Init::Xavier);
            Self { table }
        }

        /// `[batch, length]` → `[batch, length, d_model]`.
        pub fn forward(&self, ids: &Var) -> Var {
            scale_embeddings(&ids.tape().param(self.table), ids)
        }
    }
}

pub mod masks {
    use crate::functions;
    pub use crate::functions::{shift, subsequent_mask};
    pub use crate::nn::attention::BLOCKED;
    use crate::tensor::Tensor;

    /// The id that pads sentences to the length of the batch.
    pub const PAD: f32 = 0.0;

    /// A batch of target sentences, as the decoder reads it and as it must be predicted.
    pub struct Shifted {
        /// All but the last token: `[batch, length − 1]`.
        pub tgt: Tensor,
        /// All but the first: `[batch, length − 1]`.
        pub tgt_y: Tensor,
        /// Tokens of `tgt_y` that are not padding.
        pub ntokens: usize,
    }

    /// 1 where `src [batch, source]` is a token, 0 where it is padding: `[batch, 1, source]`.
    pub fn src_mask(src: &Tensor) -> Tensor {
        let &[batch, length] = src.shape() else {
            panic!("ids must be [batch, length], not {:?}", src.shape());
        };
        let real = src.map(|id| if id == PAD { 0.0 } else { 1.0 });
        real.reshape(&[batch, 1, length])
    }

    /// 1 where a token is neither padding nor in the future: `[batch, target, target]`.
    pub fn tgt_mask(tgt: &Tensor) -> Tensor {
        let past = functions::subsequent_mask(tgt.shape()[1]);
        src_mask(tgt).zip(&past, |real, past| real * past)
    }
}

pub mod attention {
    use super::*;
    pub use crate::functions::attention;

    /// The score of what the mask blocks.
    pub const BLOCKED: f32 = -1e9;

    pub struct Attention {
        /// `[…, target, d_v]`.
        pub context: Var,
        /// `[…, target, source]`; every row sums to 1.
        pub weights: Var,
    }
}

pub mod multi_head_attention {
    use super::*;
    pub use crate::functions::multi_head_attention;

    /// Several attention heads beside each other, with three linear maps before them and one after.
    pub struct MultiHeadAttention {
        pub heads: usize,
        pub query: Linear,
        pub key: Linear,
        pub value: Linear,
        pub output: Linear,
        /// The share of attention weights that training drops.
        pub dropout: f32,
    }

    pub struct MultiHead {
        /// `[batch, target, d_model]`.
        pub output: Var,
        /// `[batch, heads, target, source]`.
        pub weights: Var,
    }

    impl MultiHeadAttention {
        pub fn new(build: &mut Builder, heads: usize, d_model: usize) -> Self {
            let mut map = |name| build.scoped(name, |build| Linear::new(build, d_model, d_model));
            Self {
                heads,
                query: map("query"),
                key: map("key"),
                value: map("value"),
                output: map("output"),
                dropout: 0.0,
            }
        }

        pub fn forward(
            &self,
            query: &Var,
            key: &Var,
            value: &Var,
            mask: Option<&Var>,
        ) -> MultiHead {
            multi_head_attention(self, query, key, value, mask)
        }
    }
}

pub mod feed_forward {
    use super::*;
    pub use crate::functions::feed_forward;

    /// Two linear maps with an activation function between them.
    pub struct FeedForward {
        pub w_1: Linear,
        pub w_2: Linear,
        pub activation: Relu,
        /// The share of the inner cells that training drops.
        pub dropout: f32,
    }

    /// `max(0, x)`.
    pub struct Relu;

    impl Relu {
        pub fn forward(&self, x: &Var) -> Var {
            x.relu()
        }
    }

    impl FeedForward {
        pub fn new(build: &mut Builder, d_model: usize, d_ff: usize) -> Self {
            Self {
                w_1: build.scoped("w_1", |build| Linear::new(build, d_model, d_ff)),
                w_2: build.scoped("w_2", |build| Linear::new(build, d_ff, d_model)),
                activation: Relu,
                dropout: 0.0,
            }
        }

        pub fn forward(&self, x: &Var) -> Var {
            feed_forward(self, x)
        }
    }
}

pub mod layer_norm {
    use super::*;
    pub use crate::functions::layer_norm;
    use crate::ops::Deviation;

    /// Brings every vector to mean 0 and standard deviation 1, then scales and shifts it.
    pub struct LayerNorm {
        /// `[d_model]`.
        pub scale: Param,
        /// `[d_model]`.
        pub bias: Param,
        /// The kind of standard deviation that the model was trained with.
        pub deviation: Deviation,
        /// Prevents a division by 0.
        pub epsilon: f32,
    }

    impl LayerNorm {
        pub fn new(
            build: &mut Builder,
            d_model: usize,
            deviation: Deviation,
            epsilon: f32,
        ) -> Self {
            Self {
                scale: build.add("scale", &[d_model], Init::Constant(1.0)),
                bias: build.add("bias", &[d_model], Init::Constant(0.0)),
                deviation,
                epsilon,
            }
        }

        /// `layer_norm` divides by the unbiased deviation. For a model with the other one, the scale makes up for that.
        pub fn forward(&self, x: &Var) -> Var {
            let tape = x.tape();
            let d = x.value().last();
            let ratio = Deviation::Unbiased.correction(d) / self.deviation.correction(d);
            let scale = tape.param(self.scale).scale(ratio.sqrt());
            layer_norm(x, &scale, &tape.param(self.bias), self.epsilon)
        }
    }
}

pub mod residual {
    use super::layer_norm::LayerNorm;
    use super::*;
    pub use crate::functions::residual;

    /// Where the LayerNorm of a residual connection is.
    #[derive(Clone, Copy, PartialEq)]
    pub enum NormPlace {
        /// Before the sublayer: today's models, and the Annotated Transformer.
        Pre,
        /// After the sum: the paper, and the translator in `model/`.
        Post,
    }

    /// `x` plus the output of a sublayer.
    pub struct Residual {
        pub norm: LayerNorm,
        pub place: NormPlace,
        /// The share of the sublayer's cells that training drops.
        pub dropout: f32,
    }

    impl Residual {
        pub fn forward(&self, x: &Var, sublayer: impl FnOnce(&Var) -> Var) -> Var {
            match self.place {
                NormPlace::Pre => residual(x, &self.norm, self.dropout, sublayer),
                NormPlace::Post => {
                    let sum = x.add(&sublayer(x).dropout(self.dropout));
                    self.norm.forward(&sum.named("residual"))
                }
            }
        }
    }
}
