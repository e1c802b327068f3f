//! Encoding without a tape. The tokens of several sentences are rows of one matrix, so that the packed weights are read
//! once for all. Attention sees only the tokens of its own sentence, so no bit of a memory depends on the batch.

use super::kernel::{PackedAttention, PackedFeedForward, Seen};
use crate::params::Params;
use crate::transformer::Transformer;

/// An encoder's linear maps, packed for few rows.
pub struct Encoder {
    layers: Vec<PackedEncoderLayer>,
}

/// Linear maps of an encoder layer, packed for few rows.
struct PackedEncoderLayer {
    self_attention: PackedAttention,
    feed_forward: PackedFeedForward,
}

impl Encoder {
    /// Packs the linear maps of a model's encoder.
    pub fn new(model: &Transformer, params: &Params) -> Self {
        let layers = model.encoder.layers.iter().map(|layer| PackedEncoderLayer {
            self_attention: PackedAttention::new(&layer.self_attn, params),
            feed_forward: PackedFeedForward::new(&layer.feed_forward, params),
        });
        Self {
            layers: layers.collect(),
        }
    }

    /// Encodes `x [tokens, d_model]`, the embedded tokens of all sentences, into their memories. `sentences` lists the
    /// rows of each sentence; together they are all rows in order.
    pub fn forward(
        &self,
        model: &Transformer,
        params: &Params,
        mut x: Vec<f32>,
        sentences: &[Vec<u32>],
    ) -> Vec<f32> {
        let rows_of = |rows| std::iter::repeat_n(rows, Vec::len(rows));
        let row_ids: Vec<&Vec<u32>> = sentences.iter().flat_map(rows_of).collect();
        for (layer, parts) in self.layers.iter().zip(&model.encoder.layers) {
            x = parts.sublayer[0].rows(params, x, |x| {
                let keys = layer.self_attention.key.forward(x);
                let values = layer.self_attention.value.forward(x);
                layer.self_attention.forward(x, |row| Seen {
                    keys: &keys,
                    values: &values,
                    row_ids: row_ids[row],
                })
            });
            x = parts.sublayer[1].rows(params, x, |x| layer.feed_forward.forward(x));
        }
        if let Some(norm) = &model.encoder.norm {
            norm.rows(params, &mut x);
        }
        x
    }
}
