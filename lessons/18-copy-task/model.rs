//! The whole model, wired so that parts can be left out.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::data::copy::CopyBatch;
use transformer_tutor::lesson::copying::VOCABULARY;
use transformer_tutor::nn::embeddings::Embeddings;
use transformer_tutor::nn::positional_encoding::PositionalEncoding;
use transformer_tutor::nn::residual::{NormPlace, Residual};
use transformer_tutor::params::Params;
use transformer_tutor::transformer::{Config, Transformer};

/// What is left out of the model.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The factor √d_model after the embedding.
    pub scale: bool,
    /// The positions.
    pub positions: bool,
    /// The residual connection around every sublayer.
    pub residual: bool,
    /// Place of the LayerNorms; with post-norm, as in the paper, there is none on top.
    pub place: NormPlace,
}

impl Default for Cut {
    fn default() -> Self {
        Self {
            scale: false,
            positions: false,
            residual: false,
            place: NormPlace::Pre,
        }
    }
}

/// Configuration that learns within seconds.
pub fn small() -> Config {
    let mut config = Config::annotated(VOCABULARY, VOCABULARY).sized(2, 32, 64, 4);
    config.dropout = 0.0;
    config
}

/// Configuration of the Annotated Transformer's example.
pub fn full() -> Config {
    Config::annotated(VOCABULARY, VOCABULARY).sized(2, 512, 2048, 8)
}

/// A small model and what has been left out of it.
pub struct Copier {
    pub model: Transformer,
    cut: Cut,
}

impl Copier {
    /// Builds the model in `params`.
    pub fn new(params: &mut Params, cut: Cut) -> Self {
        let mut config = small();
        config.norm_place = cut.place;
        let model = Transformer::new(params, &config);
        Self { model, cut }
    }

    /// Runs a batch and returns the decoder's output: `[batch, length − 1, d_model]`.
    pub fn hidden(&self, tape: &Tape, batch: &CopyBatch) -> Var {
        let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
        let src_mask = tape.mask("src_mask", batch.src_mask.clone(), &["b", "1", "s"]);
        let tgt = tape.ids("tgt", batch.tgt.clone(), &["b", "t"]);
        let tgt_mask = tape.mask("tgt_mask", batch.tgt_mask.clone(), &["b", "t", "t"]);
        let memory = self.encode(&src, &src_mask);
        self.decode(&memory, &src_mask, &tgt, &tgt_mask)
    }

    fn embed(&self, embeddings: &Embeddings, ids: &Var) -> Var {
        let words = if self.cut.scale {
            let table = ids.tape().param(embeddings.table);
            table.embedding(ids).named("embedded")
        } else {
            embeddings.forward(ids)
        };
        if self.cut.positions {
            return words;
        }
        let config = &self.model.config;
        let positions = PositionalEncoding {
            max_len: words.shape()[1],
            d_model: config.d_model,
            layout: config.positions,
            first: config.first_position,
        };
        positions.forward(&words)
    }

    fn around(&self, residual: &Residual, x: &Var, sublayer: impl FnOnce(&Var) -> Var) -> Var {
        if self.cut.residual {
            // Nothing of x is kept beside the sublayer's output.
            let y = sublayer(&residual.norm.forward(x));
            return x.scale(0.0).named("kept").add(&y).named("residual");
        }
        residual.forward(x, sublayer)
    }

    /// The memory: `[batch, length, d_model]`.
    pub fn encode(&self, src: &Var, mask: &Var) -> Var {
        let (tape, model) = (src.tape(), &self.model);
        let mut x = tape.scoped("src_embed", || self.embed(&model.src_embed, src));
        for (n, layer) in model.encoder.layers.iter().enumerate() {
            let part = |name: &str, at: usize, x: &Var, sublayer: &dyn Fn(&Var) -> Var| {
                tape.scoped(&format!("encoder.layers.{n}.{name}"), || {
                    self.around(&layer.sublayer[at], x, sublayer)
                })
            };
            let attend = |x: &Var| layer.self_attn.forward(x, x, x, Some(mask)).output;
            x = part("self_attn", 0, &x, &attend);
            x = part("feed_forward", 1, &x, &|x| layer.feed_forward.forward(x));
        }
        let norm = model.encoder.norm.as_ref();
        norm.map_or(x.clone(), |norm| {
            tape.scoped("encoder", || norm.forward(&x))
        })
    }

    /// The decoder's output.
    pub fn decode(&self, memory: &Var, src_mask: &Var, tgt: &Var, tgt_mask: &Var) -> Var {
        let (tape, model) = (tgt.tape(), &self.model);
        let mut x = tape.scoped("tgt_embed", || self.embed(&model.tgt_embed, tgt));
        for (n, layer) in model.decoder.layers.iter().enumerate() {
            let part = |name: &str, at: usize, x: &Var, sublayer: &dyn Fn(&Var) -> Var| {
                tape.scoped(&format!("decoder.layers.{n}.{name}"), || {
                    self.around(&layer.sublayer[at], x, sublayer)
                })
            };
            let attend = |x: &Var| layer.self_attn.forward(x, x, x, Some(tgt_mask)).output;
            let normed = |x: &Var| {
                let attended = layer.src_attn.forward(x, memory, memory, Some(src_mask));
                attended.output
            };
            x = part("self_attn", 0, &x, &attend);
            x = part("src_attn", 1, &x, &normed);
            x = part("feed_forward", 2, &x, &|x| layer.feed_forward.forward(x));
        }
        let norm = model.decoder.norm.as_ref();
        norm.map_or(x.clone(), |norm| {
            tape.scoped("decoder", || norm.forward(&x))
        })
    }

    /// Number of LayerNorms in the model, including those on top.
    pub fn norms(&self) -> usize {
        let mut params = Params::layout();
        Transformer::new(&mut params, &self.model.config);
        let scales = params.iter().filter(|(_, name, _)| name.ends_with("scale"));
        scales.count()
    }
}
