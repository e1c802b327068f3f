//! Builds the parts of a layer as a [`Config`] specifies them.

use super::config::Config;
use crate::nn::feed_forward::FeedForward;
use crate::nn::layer_norm::LayerNorm;
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::nn::residual::Residual;
use crate::params::Params;

/// Adds the parts of a layer to `params`, with the sizes and options of `config`.
pub(super) struct Builder<'a> {
    pub params: &'a mut Params,
    pub config: &'a Config,
}

impl Builder<'_> {
    pub fn attention(&mut self, name: &str) -> MultiHeadAttention {
        let c = self.config;
        self.params.scoped(name, |params| {
            let dropout = c.inner_dropout.unwrap_or(c.dropout);
            MultiHeadAttention::new(params, c.heads, c.d_model, c.projection_bias, dropout)
        })
    }

    /// Creates a feed-forward layer of inner width `d_ff`, which may differ between encoder and decoder.
    pub fn feed_forward(&mut self, d_ff: usize) -> FeedForward {
        let c = self.config;
        self.params.scoped("feed_forward", |params| {
            FeedForward::new(
                params,
                c.d_model,
                d_ff,
                c.feed_forward_bias,
                c.activation,
                c.inner_dropout.unwrap_or(c.dropout),
            )
        })
    }

    pub fn norm(&mut self, name: &str) -> LayerNorm {
        let c = self.config;
        self.params.scoped(name, |params| {
            LayerNorm::new(params, c.d_model, c.deviation, c.epsilon)
        })
    }

    pub fn sublayers<const N: usize>(&mut self) -> [Residual; N] {
        std::array::from_fn(|n| Residual {
            norm: self.norm(&format!("sublayer.{n}.norm")),
            place: self.config.norm_place,
            dropout: self.config.dropout,
        })
    }
}
