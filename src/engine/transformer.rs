//! The complete model (Vaswani et al. 2017), in the forms of the Annotated Transformer, Google's official TensorFlow
//! Transformer and Marian: one set of layers, and a [`Config`](crate::transformer::Config) for the differences.

mod build;
pub mod config;
pub mod cost;
pub mod count;
pub mod decoder;
pub mod encoder;
pub mod generator;
pub mod heads;
pub mod presets;
pub mod size;
pub mod variants;

pub use config::Config;

use crate::autograd::{Component, Var};
use crate::nn::embeddings::{Embeddings, zero_padding};
use crate::nn::masks;
use crate::nn::positional_encoding::{PositionalEncoding, in_halves, waves};
use crate::ops::Layout;
use crate::params::{Init, Params};
use crate::tensor::Tensor;
use config::{EmbeddingInit, Masks, Shift, Start, Tying, Waves};
use decoder::Decoder;
use encoder::Encoder;
use generator::Generator;

/// The component [`pass`], which a tape may replace.
pub const PASS: Component<fn(&Transformer, &Var, &Var) -> Pass> = Component::new("pass");

/// The component [`Config::position_table`], which a tape may replace: the rows that are added to the embeddings,
/// `[length, d_model]`.
pub const POSITION_TABLE: Component<fn(&Config, usize) -> Tensor> =
    Component::new("position_table");

/// The complete model: an encoder and a decoder, with the embeddings and the generator.
pub struct Transformer {
    /// The sizes and options.
    pub config: Config,
    /// The embeddings of source ids.
    pub src_embed: Embeddings,
    /// The embeddings of target ids; the table of `src_embed` if they are tied.
    pub tgt_embed: Embeddings,
    /// Turns source vectors into the memory.
    pub encoder: Encoder,
    /// Turns target vectors and the memory into hidden vectors.
    pub decoder: Decoder,
    /// Turns hidden vectors into log-probabilities of tokens.
    pub generator: Generator,
}

/// The result of one pass through the model.
pub struct Pass {
    /// The encoder's output, `[batch, source, d_model]`.
    pub memory: Var,
    /// The decoder's output, `[batch, target, d_model]`.
    pub hidden: Var,
    /// Log-probabilities of the next token, `[batch, target, tgt_vocab]`.
    pub log_probs: Var,
}

impl Transformer {
    /// Adds the model's parameters to `params`. Panics with the message of [`Config::check`] if it can't be built.
    #[track_caller]
    pub fn new(params: &mut Params, config: &Config) -> Self {
        if let Err(sentence) = config.check() {
            panic!("transformer: {sentence}");
        }
        let init = match config.embedding_init {
            EmbeddingInit::Xavier => Init::XavierUniform,
            EmbeddingInit::Normal => Init::Normal((config.d_model as f32).sqrt().recip()),
        };
        let mut table =
            |name, words| params.scoped(name, |p| Embeddings::new(p, words, config.d_model, init));
        let (src_embed, tgt_embed) = match config.tying {
            Tying::None => {
                let src_embed = table("src_embed", config.src_vocab);
                (src_embed, table("tgt_embed", config.tgt_vocab))
            }
            Tying::All => {
                let shared = table("embed", config.src_vocab);
                let tgt_embed = Embeddings {
                    table: shared.table,
                };
                (shared, tgt_embed)
            }
        };
        let encoder = Encoder::new(params, config);
        let decoder = Decoder::new(params, config);
        let generator = params.scoped("generator", |p| Generator::new(p, config, tgt_embed.table));
        let config = config.clone();
        Self {
            config,
            src_embed,
            tgt_embed,
            encoder,
            decoder,
            generator,
        }
    }

    /// [`pass`] with the given masks.
    #[track_caller]
    pub fn masked(&self, src: &Var, tgt: &Var, src_mask: &Var, tgt_mask: &Var) -> Pass {
        let memory = self.encode(src, src_mask);
        let hidden = self.decode(&memory, src_mask, tgt, tgt_mask);
        let log_probs = self.generator.forward(&hidden);
        Pass {
            memory,
            hidden,
            log_probs,
        }
    }

    /// Calls [`pass`], or the tape's replacement for it.
    #[track_caller]
    pub fn forward(&self, src: &Var, tgt: &Var) -> Pass {
        match src.tape().replacement(&PASS) {
            Some(own) => (own.function)(self, src, tgt),
            None => pass(self, src, tgt),
        }
    }

    // ANCHOR: halves
    /// The memory `[batch, source, d_model]`, computed once however many tokens are decoded.
    #[track_caller]
    pub fn encode(&self, src: &Var, src_mask: &Var) -> Var {
        let x = src.tape().scoped("src_embed", || {
            self.positioned(self.embed(&self.src_embed, src))
        });
        self.encoder.forward(&x, src_mask)
    }

    /// Hidden vectors `[batch, target, d_model]`.
    #[track_caller]
    pub fn decode(&self, memory: &Var, src_mask: &Var, tgt: &Var, tgt_mask: &Var) -> Var {
        let x = tgt.tape().scoped("tgt_embed", || {
            let words = self.embed(&self.tgt_embed, &self.read(tgt));
            self.positioned(match self.config.shift {
                Shift::Ids => words,
                Shift::Embeddings => words.shift_right().named("shifted"),
            })
        });
        self.decoder.forward(&x, memory, src_mask, tgt_mask)
    }
    // ANCHOR_END: halves

    // ANCHOR: masks
    /// Hides the source's padding: `[batch, 1, source]`, as a mask or as a bias.
    pub fn src_mask(&self, src: &Var) -> Var {
        let mask = masks::src_mask(src);
        match self.config.masks {
            Masks::Fill => mask,
            Masks::Bias => masks::bias(&mask, masks::BLOCKED).named("src_bias"),
        }
    }

    /// Hides the target's future and padding, `[batch, target, target]`; as a bias, only the future.
    pub fn tgt_mask(&self, tgt: &Var) -> Var {
        match self.config.masks {
            Masks::Fill => masks::tgt_mask(tgt),
            Masks::Bias => self.future_mask(tgt),
        }
    }

    /// Hides only the target's future, `[1, target, target]`: for tokens that the model itself
    /// wrote, which are never padding, whatever their ids.
    pub fn future_mask(&self, tgt: &Var) -> Var {
        let past = masks::past(tgt.tape(), tgt.shape()[1]).named("past");
        match self.config.masks {
            Masks::Fill => past,
            Masks::Bias => masks::bias(&past, masks::BLOCKED).named("tgt_bias"),
        }
    }
    // ANCHOR_END: masks

    /// The ids as the decoder reads them: padding takes the place of a start token if there is none.
    fn read(&self, tgt: &Var) -> Var {
        match self.config.start {
            Start::Own => tgt.clone(),
            Start::Padding => masks::start_as_padding(tgt),
        }
    }

    fn embed(&self, embeddings: &Embeddings, ids: &Var) -> Var {
        let words = if self.config.scale_embeddings {
            embeddings.forward(ids)
        } else {
            embeddings.rows(ids)
        };
        if self.config.zero_padding {
            zero_padding(&words, ids)
        } else {
            words
        }
    }

    /// Adds the positional encoding and, in training, applies dropout.
    #[track_caller]
    fn positioned(&self, words: Var) -> Var {
        let (c, length) = (&self.config, words.shape()[1]);
        assert!(
            length <= c.max_len,
            "transformer: a sentence of {length} words is longer than max_len {}",
            c.max_len
        );
        if let Some(own) = words.tape().replacement(&POSITION_TABLE) {
            let pe = (own.function)(c, length).reshape(&[1, length, c.d_model]);
            let pe = words.tape().constant("pe", pe, &["", "t", "d"]);
            return words.add(&pe).named("with_position").dropout(c.dropout);
        }
        if c.waves == Waves::None {
            return words.dropout(c.dropout);
        }
        // A longer table would begin with the same rows.
        let max_len = c.first_position + length;
        if c.halves_of_the_papers_waves() {
            let table = waves(words.tape(), max_len, c.d_model, Layout::Interleaved);
            let table = in_halves(&table);
            let pe = table.unsqueeze(0).named("table");
            let pe = pe.rows_from(c.first_position, length).named("pe");
            return words.add(&pe).named("with_position").dropout(c.dropout);
        }
        let positions = PositionalEncoding {
            max_len,
            d_model: c.d_model,
            layout: c.positions,
            first: c.first_position,
        };
        positions.forward(&words).dropout(c.dropout)
    }
}

crate::reference! { "pass";
// ANCHOR: forward
/// The forward pass for the ids `src [batch, source]` and `tgt [batch, target]`. `tgt` begins with a
/// start token and lacks its last token; a model that shifts embeddings gets the whole sentence.
#[track_caller]
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}
// ANCHOR_END: forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;

    const GLASS: fn() -> Config = || Config::annotated(11, 11).sized(2, 16, 32, 4);

    const MARIAN: fn() -> Config = || Config {
        encoder_layers: Some(1),
        ..Config::marian(11).sized(2, 16, 32, 4)
    };

    fn ids(rows: &[[f32; 4]]) -> Tensor {
        Tensor::new(&[rows.len(), 4], rows.concat())
    }

    fn pass(config: &Config, src: &Tensor, tgt: &Tensor) -> (Tensor, Tensor) {
        let mut params = Params::new(7);
        let model = Transformer::new(&mut params, config);
        let tape = Tape::eval(&params);
        let src = tape.ids("src", src.clone(), &["b", "s"]);
        let tgt = tape.ids("tgt", tgt.clone(), &["b", "t"]);
        let pass = model.forward(&src, &tgt);
        (pass.memory.value(), pass.log_probs.value())
    }

    /// The cells of position `at` of sentence 0.
    fn position(x: &Tensor, at: usize) -> &[f32] {
        &x.data()[at * x.last()..(at + 1) * x.last()]
    }

    #[test]
    fn a_word_of_the_future_changes_nothing_before_it() {
        for config in [
            GLASS(),
            Config::tensorflow(11).sized(2, 16, 32, 4),
            MARIAN(),
        ] {
            let src = ids(&[[1.0, 5.0, 3.0, 2.0]]);
            let (_, one) = pass(&config, &src, &ids(&[[1.0, 4.0, 6.0, 7.0]]));
            let (_, other) = pass(&config, &src, &ids(&[[1.0, 4.0, 6.0, 9.0]]));
            // TensorFlow's form does the shifting itself, so even position 3 does not see token 3.
            let seen = if config.shift == Shift::Ids { 3 } else { 4 };
            for at in 0..seen {
                assert_eq!(position(&one, at), position(&other, at), "position {at}");
            }
            if seen == 3 {
                assert_ne!(position(&one, 3), position(&other, 3));
            }
        }
    }

    #[test]
    fn padding_changes_nothing_for_the_words_before_it() {
        for config in [
            GLASS(),
            Config::tensorflow(11).sized(2, 16, 32, 4),
            MARIAN(),
        ] {
            let tgt = ids(&[[1.0, 4.0, 6.0, 7.0]]);
            let (long, with_padding) = pass(&config, &ids(&[[5.0, 3.0, 0.0, 0.0]]), &tgt);
            let short = Tensor::new(&[1, 2], vec![5.0, 3.0]);
            let (short, without) = pass(&config, &short, &tgt);
            let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
            assert!(near(position(&long, 1), position(&short, 1)));
            assert!(near(with_padding.data(), without.data()));
        }
    }

    #[test]
    fn a_tied_model_has_one_table_and_its_gradient_comes_from_three_places() {
        let config = GLASS().tied();
        let mut params = Params::new(7);
        let model = Transformer::new(&mut params, &config);
        assert_eq!(model.src_embed.table, model.generator.weight);
        let tape = Tape::eval(&params);
        let src = tape.ids("src", ids(&[[5.0, 3.0, 2.0, 2.0]]), &["b", "s"]);
        let tgt = tape.ids("tgt", ids(&[[1.0, 4.0, 6.0, 7.0]]), &["b", "t"]);
        let grads = model.forward(&src, &tgt).log_probs.sum().backward();
        let table = grads.param(model.src_embed.table).expect("it was used");
        // Id 9 occurs in no sentence, but the logit of every token is computed from its row.
        for row in [5, 4, 9] {
            let norm: f32 = table.data()[row * 16..(row + 1) * 16]
                .iter()
                .map(|d| d * d)
                .sum();
            assert!(norm > 0.0, "row {row}");
        }
    }

    #[test]
    fn marians_decoder_begins_with_padding_and_has_the_papers_waves_in_halves() {
        let config = MARIAN();
        let src = ids(&[[5.0, 3.0, 2.0, 2.0]]);
        let (_, start) = pass(&config, &src, &ids(&[[1.0, 4.0, 6.0, 7.0]]));
        let (_, padding) = pass(&config, &src, &ids(&[[0.0, 4.0, 6.0, 7.0]]));
        assert_eq!(start, padding);
        let mut params = Params::new(7);
        let model = Transformer::new(&mut params, &config);
        let tape = Tape::eval(&params);
        let src = tape.ids("src", src, &["b", "s"]);
        model.encode(&src, &model.src_mask(&src));
        let trace = tape.trace();
        let pe = trace.tensor("src_embed.pe").expect("positions are added");
        let paper = crate::nn::positional_encoding::positional_encoding(4, 16);
        for (position, pair) in [(0, 0), (1, 3), (3, 7)] {
            let of = |column| pe.at(&[0, position, column]);
            assert_eq!(of(pair), paper.at(&[position, 2 * pair]));
            assert_eq!(of(8 + pair), paper.at(&[position, 2 * pair + 1]));
        }
        assert_eq!(pe.data(), config.position_table(4).data());
    }

    #[test]
    #[should_panic(expected = "one table cannot serve 11 source words and 12 target words")]
    fn different_vocabularies_cannot_be_tied() {
        let config = Config {
            tgt_vocab: 12,
            ..GLASS().tied()
        };
        Transformer::new(&mut Params::layout(), &config);
    }
}
