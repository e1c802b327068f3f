//! Encoding without a tape. The tokens of several sentences are the rows of one matrix, so that they share the packed
//! weights. Attention sees only the tokens of its own sentence, so the bits of a sentence do not depend on the batch.

use super::kernel::{Packed, Seen, attended, fed_forward};
use crate::params::Params;
use crate::transformer::Transformer;

/// An encoder's maps, packed.
pub struct Encoder {
    layers: Vec<Layer>,
}

struct Layer {
    /// W_Q, W_K, W_V, W_O.
    own: [Packed; 4],
    /// The two of the feed-forward layer.
    inner: [Packed; 2],
}

impl Encoder {
    /// Packs the maps of a model's encoder.
    pub fn new(model: &Transformer, params: &Params) -> Self {
        let layers = model.encoder.layers.iter().map(|layer| Layer {
            own: Packed::attention(&layer.self_attn, params),
            inner: Packed::feed_forward(&layer.feed_forward, params),
        });
        Self {
            layers: layers.collect(),
        }
    }

    /// `x [words, d_model]`, the embedded words of all sentences, becomes their memories. `sentences` has the rows of
    /// each, one sentence after the other.
    pub fn forward(
        &self,
        (model, params): (&Transformer, &Params),
        mut x: Vec<f32>,
        sentences: &[Vec<u32>],
    ) -> Vec<f32> {
        let rows_of = |path| std::iter::repeat_n(path, Vec::len(path));
        let paths: Vec<&Vec<u32>> = sentences.iter().flat_map(rows_of).collect();
        for (layer, parts) in self.layers.iter().zip(&model.encoder.layers) {
            x = parts.sublayer[0].rows(params, x, |x| {
                let [keys, values] = [1, 2].map(|map| layer.own[map].forward(x));
                attended(&layer.own, model.config.heads, x, |row| Seen {
                    keys: &keys,
                    values: &values,
                    path: paths[row],
                })
            });
            x = parts.sublayer[1].rows(params, x, |x| {
                fed_forward(&layer.inner, parts.feed_forward.activation, x)
            });
        }
        if let Some(norm) = &model.encoder.norm {
            norm.rows(params, &mut x);
        }
        x
    }
}
