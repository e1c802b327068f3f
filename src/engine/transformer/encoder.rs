//! The encoder (Vaswani et al. 2017, 3.1): N layers of self-attention and feed-forward.

use super::build::Builder;
use super::config::Config;
use crate::autograd::{Component, Var};
use crate::nn::feed_forward::FeedForward;
use crate::nn::layer_norm::LayerNorm;
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::nn::residual::{NormPlace, Residual};
use crate::params::Params;

/// The component [`encoder_layer`], which a tape may replace.
pub const ENCODER_LAYER: Component<fn(&EncoderLayer, &Var, &Var) -> Var> =
    Component::new("encoder_layer");

/// One layer: two sublayers, each inside a residual connection.
pub struct EncoderLayer {
    /// Every source token attends to every source token.
    pub self_attn: MultiHeadAttention,
    /// Applied to every token separately.
    pub feed_forward: FeedForward,
    /// The residual connections around attention and feed-forward.
    pub sublayer: [Residual; 2],
}

impl EncoderLayer {
    /// Creates a layer with the sizes and options of `config`.
    pub fn new(params: &mut Params, config: &Config) -> Self {
        let mut build = Builder { params, config };
        Self {
            self_attn: build.attention("self_attn"),
            feed_forward: build.feed_forward(config.encoder_d_ff()),
            sublayer: build.sublayers(),
        }
    }

    /// Calls [`encoder_layer`], or the tape's replacement for it.
    #[track_caller]
    pub fn forward(&self, x: &Var, mask: &Var) -> Var {
        match x.tape().replacement(&ENCODER_LAYER) {
            Some(own) => (own.function)(self, x, mask),
            None => encoder_layer(self, x, mask),
        }
    }
}

crate::reference! { "encoder_layer";
// ANCHOR: layer
/// A layer: `x [batch, source, d_model]` keeps its shape; `mask [batch, 1, source]` hides padding.
#[track_caller]
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let tape = x.tape();
    let x = tape.scoped("self_attn", || {
        layer.sublayer[0].forward(x, |x| layer.self_attn.forward(x, x, x, Some(mask)).output)
    });
    tape.scoped("feed_forward", || {
        layer.sublayer[1].forward(&x, |x| layer.feed_forward.forward(x))
    })
}
// ANCHOR_END: layer
}

/// A stack of layers, with a final LayerNorm on top if they are pre-norm.
pub struct Encoder {
    /// The layers from bottom to top.
    pub layers: Vec<EncoderLayer>,
    /// Normalises the sum of all layers. Post-norm layers end in their own LayerNorm and need none.
    pub norm: Option<LayerNorm>,
}

impl Encoder {
    /// Creates a stack with the sizes and options of `config`.
    pub fn new(params: &mut Params, config: &Config) -> Self {
        params.scoped("encoder", |params| Self {
            layers: (0..config.encoder_layers())
                .map(|n| params.scoped(&format!("layers.{n}"), |p| EncoderLayer::new(p, config)))
                .collect(),
            norm: (config.norm_place == NormPlace::Pre)
                .then(|| Builder { params, config }.norm("norm")),
        })
    }

    // ANCHOR: stack
    /// Runs all layers: `x [batch, source, d_model]` becomes the memory, of the same shape.
    #[track_caller]
    pub fn forward(&self, x: &Var, mask: &Var) -> Var {
        x.tape().scoped("encoder", || {
            let mut x = x.clone();
            for (n, layer) in self.layers.iter().enumerate() {
                x = x
                    .tape()
                    .scoped(&format!("layers.{n}"), || layer.forward(&x, mask));
            }
            match &self.norm {
                Some(norm) => norm.forward(&x),
                None => x,
            }
        })
    }
    // ANCHOR_END: stack
}
