//! The decoder (Vaswani et al. 2017, 3.1): N layers of masked self-attention, attention to the
//! encoder's memory, and feed-forward.

use super::build::Builder;
use super::config::Config;
use crate::autograd::{Component, Var};
use crate::nn::feed_forward::FeedForward;
use crate::nn::layer_norm::LayerNorm;
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::nn::residual::{NormPlace, Residual};
use crate::params::Params;

/// The component [`decoder_layer`], which a tape may replace.
pub const DECODER_LAYER: Component<DecoderLayerFn> = Component::new("decoder_layer");

/// The signature of [`decoder_layer`].
pub type DecoderLayerFn = fn(&DecoderLayer, &Var, &Var, &Var, &Var) -> Var;

/// One layer: three sublayers, each inside a residual connection.
pub struct DecoderLayer {
    /// Every target token attends to itself and the tokens before it.
    pub self_attn: MultiHeadAttention,
    /// Every target token attends to every source token: the only connection from encoder to decoder.
    pub src_attn: MultiHeadAttention,
    /// Applied to every token separately.
    pub feed_forward: FeedForward,
    /// The residual connections around the three sublayers.
    pub sublayer: [Residual; 3],
}

impl DecoderLayer {
    /// Creates a layer with the sizes and options of `config`.
    pub fn new(params: &mut Params, config: &Config) -> Self {
        let mut build = Builder { params, config };
        Self {
            self_attn: build.attention("self_attn"),
            src_attn: build.attention("src_attn"),
            feed_forward: build.feed_forward(config.d_ff),
            sublayer: build.sublayers(),
        }
    }

    /// Calls [`decoder_layer`], or the tape's replacement for it.
    #[track_caller]
    pub fn forward(&self, x: &Var, memory: &Var, src_mask: &Var, tgt_mask: &Var) -> Var {
        match x.tape().replacement(&DECODER_LAYER) {
            Some(own) => (own.function)(self, x, memory, src_mask, tgt_mask),
            None => decoder_layer(self, x, memory, src_mask, tgt_mask),
        }
    }
}

crate::reference! { "decoder_layer";
// ANCHOR: layer
/// Runs one layer; `x [batch, target, d_model]` keeps its shape. `memory [batch, source, d_model]`
/// is the encoder's output, the same in every layer.
#[track_caller]
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let (tape, m) = (x.tape(), memory);
    let x = tape.scoped("self_attn", || {
        layer.sublayer[0].forward(x, |x| {
            layer.self_attn.forward(x, x, x, Some(tgt_mask)).output
        })
    });
    let x = tape.scoped("src_attn", || {
        layer.sublayer[1].forward(&x, |x| {
            layer.src_attn.forward(x, m, m, Some(src_mask)).output
        })
    });
    tape.scoped("feed_forward", || {
        layer.sublayer[2].forward(&x, |x| layer.feed_forward.forward(x))
    })
}
// ANCHOR_END: layer
}

/// A stack of layers, with a final LayerNorm on top if they are pre-norm.
pub struct Decoder {
    /// The layers from bottom to top.
    pub layers: Vec<DecoderLayer>,
    /// Normalises the sum of all layers. Post-norm layers end in their own LayerNorm and need none.
    pub norm: Option<LayerNorm>,
}

impl Decoder {
    /// Creates a stack with the sizes and options of `config`.
    pub fn new(params: &mut Params, config: &Config) -> Self {
        params.scoped("decoder", |params| Self {
            layers: (0..config.layers)
                .map(|n| params.scoped(&format!("layers.{n}"), |p| DecoderLayer::new(p, config)))
                .collect(),
            norm: (config.norm_place == NormPlace::Pre)
                .then(|| Builder { params, config }.norm("norm")),
        })
    }

    // ANCHOR: stack
    /// Runs all layers; `x [batch, target, d_model]` keeps its shape.
    #[track_caller]
    pub fn forward(&self, x: &Var, memory: &Var, src_mask: &Var, tgt_mask: &Var) -> Var {
        x.tape().scoped("decoder", || {
            let mut x = x.clone();
            for (n, layer) in self.layers.iter().enumerate() {
                x = x.tape().scoped(&format!("layers.{n}"), || {
                    layer.forward(&x, memory, src_mask, tgt_mask)
                });
            }
            match &self.norm {
                Some(norm) => norm.forward(&x),
                None => x,
            }
        })
    }
    // ANCHOR_END: stack
}
