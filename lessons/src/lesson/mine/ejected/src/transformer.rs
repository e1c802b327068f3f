//! The model: embeddings, the layers of encoder and decoder, and the generator.

use crate::autograd::Var;
use crate::functions::{self, positional_encoding};
use crate::nn::embeddings::Embeddings;
use crate::nn::feed_forward::FeedForward;
use crate::nn::layer_norm::LayerNorm;
use crate::nn::masks;
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::nn::residual::{NormPlace, Residual};
use crate::ops::Deviation;
use crate::params::{Builder, Init, Params, Source};
use crate::text::vocabulary::{BOS, PAD};
use decoder::DecoderLayer;
use encoder::EncoderLayer;
use generator::Generator;

/// The sizes and the form of a model.
#[derive(Clone)]
pub struct Config {
    pub form: Form,
    pub vocabulary: usize,
    /// Number of layers in encoder and decoder.
    pub layers: [usize; 2],
    pub d_model: usize,
    pub d_ff: usize,
    pub heads: usize,
}

/// The choices that published models make differently.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    /// The Annotated Transformer: LayerNorm before each sublayer, and three tables of embeddings.
    Annotated,
    /// Marian: LayerNorm after each sublayer, one table for both languages and the generator, the sines of all positions
    /// before the cosines, and a decoder that reads padding where a sentence begins.
    Marian,
}

impl Config {
    /// The small model that learns to copy.
    pub fn copying(vocabulary: usize) -> Self {
        Self {
            form: Form::Annotated,
            vocabulary,
            layers: [2, 2],
            d_model: 32,
            d_ff: 64,
            heads: 4,
        }
    }

    /// The translator in `model/`.
    pub fn translator(vocabulary: usize) -> Self {
        Self {
            form: Form::Marian,
            vocabulary,
            layers: [3, 2],
            d_model: 256,
            d_ff: 512,
            heads: 4,
        }
    }

    fn attention(&self, build: &mut Builder, name: &str) -> MultiHeadAttention {
        build.scoped(name, |b| {
            MultiHeadAttention::new(b, self.heads, self.d_model)
        })
    }

    fn feed_forward(&self, build: &mut Builder) -> FeedForward {
        build.scoped("feed_forward", |b| {
            FeedForward::new(b, self.d_model, self.d_ff)
        })
    }

    fn norm(&self, build: &mut Builder, name: &str) -> LayerNorm {
        let (deviation, epsilon) = match self.form {
            Form::Annotated => (Deviation::Unbiased, 1e-6),
            Form::Marian => (Deviation::Population, 1e-5),
        };
        build.scoped(name, |b| {
            LayerNorm::new(b, self.d_model, deviation, epsilon)
        })
    }

    fn sublayers<const N: usize>(&self, build: &mut Builder) -> [Residual; N] {
        let place = match self.form {
            Form::Annotated => NormPlace::Pre,
            Form::Marian => NormPlace::Post,
        };
        std::array::from_fn(|n| Residual {
            norm: self.norm(build, &format!("sublayer.{n}.norm")),
            place,
            dropout: 0.0,
        })
    }
}

/// Layers on top of each other. With LayerNorm before the sublayers, one more follows the last layer.
pub struct Stack<L> {
    layers: Vec<L>,
    norm: Option<LayerNorm>,
}

impl<L> Stack<L> {
    fn new(
        build: &mut Builder,
        config: &Config,
        count: usize,
        layer: fn(&mut Builder, &Config) -> L,
    ) -> Self {
        let layers = 0..count;
        let layers = layers.map(|n| build.scoped(&format!("layers.{n}"), |b| layer(b, config)));
        Self {
            layers: layers.collect(),
            norm: (config.form == Form::Annotated).then(|| config.norm(build, "norm")),
        }
    }

    fn forward(&self, x: Var, layer: impl Fn(&L, &Var) -> Var) -> Var {
        let tape = x.tape().clone();
        let mut x = x;
        for (n, parts) in self.layers.iter().enumerate() {
            x = tape.scoped(&format!("layers.{n}"), || layer(parts, &x));
        }
        self.norm
            .as_ref()
            .map_or(x.clone(), |norm| norm.forward(&x))
    }
}

pub mod encoder {
    use super::*;
    pub use crate::functions::encoder_layer;

    /// Self-attention, then feed-forward, each inside a residual connection.
    pub struct EncoderLayer {
        pub self_attn: MultiHeadAttention,
        pub feed_forward: FeedForward,
        pub sublayer: [Residual; 2],
    }

    impl EncoderLayer {
        pub fn new(build: &mut Builder, config: &Config) -> Self {
            Self {
                self_attn: config.attention(build, "self_attn"),
                feed_forward: config.feed_forward(build),
                sublayer: config.sublayers(build),
            }
        }
    }
}

pub mod decoder {
    use super::*;
    pub use crate::functions::decoder_layer;

    /// Self-attention, attention to the memory, and feed-forward, each inside a residual connection.
    pub struct DecoderLayer {
        pub self_attn: MultiHeadAttention,
        pub src_attn: MultiHeadAttention,
        pub feed_forward: FeedForward,
        pub sublayer: [Residual; 3],
    }

    impl DecoderLayer {
        pub fn new(build: &mut Builder, config: &Config) -> Self {
            Self {
                self_attn: config.attention(build, "self_attn"),
                src_attn: config.attention(build, "src_attn"),
                feed_forward: config.feed_forward(build),
                sublayer: config.sublayers(build),
            }
        }
    }
}

pub mod generator {
    use super::*;
    pub use crate::functions::next_words;
    use crate::params::Param;

    /// From vectors to one number per token.
    pub struct Generator {
        /// `[vocabulary, d_model]`.
        pub weight: Param,
        /// `[vocabulary]`.
        pub bias: Option<Param>,
    }

    impl Generator {
        pub fn logits(&self, hidden: &Var) -> Var {
            let fit = hidden.matmul_t(&hidden.tape().param(self.weight));
            match self.bias {
                Some(bias) => fit.add(&hidden.tape().param(bias)),
                None => fit,
            }
        }

        pub fn forward(&self, hidden: &Var) -> Var {
            next_words(self, hidden)
        }
    }
}

/// The whole model.
pub struct Transformer {
    pub config: Config,
    pub src_embed: Embeddings,
    pub tgt_embed: Embeddings,
    pub encoder: Stack<EncoderLayer>,
    pub decoder: Stack<DecoderLayer>,
    pub generator: Generator,
}

/// The result of a forward pass.
pub struct Pass {
    /// The encoder's output, `[batch, source, d_model]`.
    pub memory: Var,
    /// The decoder's output, `[batch, target, d_model]`.
    pub hidden: Var,
    /// Log-probabilities of the next token, `[batch, target, vocabulary]`.
    pub log_probs: Var,
}

impl Transformer {
    /// Builds the model with the numbers of `source`.
    pub fn new(config: &Config, source: Source) -> (Self, Params) {
        let mut build = Builder::new(source);
        let b = &mut build;
        let (words, d_model) = (config.vocabulary, config.d_model);
        let mut table = |name| b.scoped(name, |b| Embeddings::new(b, words, d_model));
        let (src_embed, tgt_embed) = match config.form {
            Form::Annotated => (table("src_embed"), table("tgt_embed")),
            Form::Marian => {
                let both = table("embed");
                (both, both)
            }
        };
        let [encoder, decoder] = config.layers;
        let encoder = b.scoped("encoder", |b| {
            Stack::new(b, config, encoder, EncoderLayer::new)
        });
        let decoder = b.scoped("decoder", |b| {
            Stack::new(b, config, decoder, DecoderLayer::new)
        });
        let generator = b.scoped("generator.proj", |b| Generator {
            weight: match config.form {
                Form::Annotated => b.add("weight", &[words, d_model], Init::Xavier),
                Form::Marian => tgt_embed.table,
            },
            bias: Some(b.add(
                "bias",
                &[words],
                Init::Uniform(1.0 / (d_model as f32).sqrt()),
            )),
        });
        let model = Self {
            config: config.clone(),
            src_embed,
            tgt_embed,
            encoder,
            decoder,
            generator,
        };
        (model, build.finish())
    }

    /// Predicts the token after each token of `tgt`.
    pub fn forward(&self, src: &Var, tgt: &Var) -> Pass {
        functions::pass(self, src, tgt)
    }

    /// 1 where a source token may be seen: `[batch, 1, source]`.
    pub fn src_mask(&self, src: &Var) -> Var {
        src.tape()
            .mask("src_mask", masks::src_mask(&src.value()), &[])
    }

    /// 1 where a target token may be seen: `[batch, target, target]`.
    pub fn tgt_mask(&self, tgt: &Var) -> Var {
        tgt.tape()
            .mask("tgt_mask", masks::tgt_mask(&tgt.value()), &[])
    }

    /// The memory, `[batch, source, d_model]`.
    pub fn encode(&self, src: &Var, src_mask: &Var) -> Var {
        let x = self.positioned(&self.src_embed.forward(src));
        let layer = |layer: &EncoderLayer, x: &Var| functions::encoder_layer(layer, x, src_mask);
        src.tape()
            .scoped("encoder", || self.encoder.forward(x, layer))
    }

    /// The decoder's output, `[batch, target, d_model]`.
    pub fn decode(&self, memory: &Var, src_mask: &Var, tgt: &Var, tgt_mask: &Var) -> Var {
        let tape = tgt.tape();
        let read = match self.config.form {
            Form::Annotated => tgt.clone(),
            Form::Marian => {
                let begins = |id| if id == BOS as f32 { PAD as f32 } else { id };
                tape.ids("read", tgt.value().map(begins), &["b", "t"])
            }
        };
        let x = self.positioned(&self.tgt_embed.forward(&read));
        let layer = |layer: &DecoderLayer, x: &Var| {
            functions::decoder_layer(layer, x, memory, src_mask, tgt_mask)
        };
        tape.scoped("decoder", || self.decoder.forward(x, layer))
    }

    /// Adds the positional encoding to `words [batch, length, d_model]`.
    fn positioned(&self, words: &Var) -> Var {
        let (length, d_model) = (words.shape()[1], self.config.d_model);
        let mut table = positional_encoding(length, d_model);
        if self.config.form == Form::Marian {
            let pairs = table.reshape(&[length, d_model / 2, 2]);
            table = pairs.permute(&[0, 2, 1]).reshape(&[length, d_model]);
        }
        words.add(&words.tape().constant("positions", table, &["t", "d"]))
    }
}
