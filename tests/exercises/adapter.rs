//! The ejected crate behind the interface of the capstone, with all parts.

use std::collections::HashMap;
use std::path::Path;

use crate::autograd::{Grads, Tape, Var};
use crate::functions::{
    attention, copy_batch, decoder_layer, encoder_layer, greedy_decode,
};
use crate::nn::Linear;
use crate::nn::embeddings::Embeddings;
use crate::nn::feed_forward::FeedForward;
use crate::nn::layer_norm::LayerNorm;
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::ops::Deviation;
use crate::params::{self, Builder, Params, Source};
use crate::tensor::Tensor;
use crate::train::Training;
use crate::transformer::decoder::DecoderLayer;
use crate::transformer::encoder::EncoderLayer;
use crate::transformer::{Config, Transformer};

const VOCABULARY: usize = 4028;
const WIDTH: usize = 256;

pub struct Translator {
    model: Transformer,
    params: Params,
    tensors: HashMap<String, Tensor>,
}

fn row(ids: &[usize]) -> Tensor {
    Tensor::new(&[1, ids.len()], ids.iter().map(|&id| id as f32).collect())
}

fn ids(tape: &Tape, ids: &[usize]) -> Var {
    tape.ids("ids", row(ids), &["b", "t"])
}

/// `cells` as `[1, length, width]`.
fn rows(tape: &Tape, cells: &[f32], width: usize) -> Var {
    let value = Tensor::new(&[1, cells.len() / width, width], cells.to_vec());
    tape.constant("x", value, &["b", "t", "d"])
}

/// 1 where one of `rows` positions may see one of `columns`: all of them or, if `causal`, those up to its own.
fn mask(tape: &Tape, causal: bool, [rows, columns]: [usize; 2]) -> Var {
    let seen = |i: &[usize]| f32::from(u8::from(!causal || i[2] <= i[1]));
    let mask = Tensor::from_fn(&[1, rows, columns], seen);
    tape.mask("mask", mask, &["b", "t", "s"])
}

impl Translator {
    pub fn read(folder: &Path) -> Self {
        let tensors = params::read(folder).expect("the weights are there");
        let source = Source::Read(tensors.clone());
        let (model, params) = Transformer::new(&Config::translator(VOCABULARY), source);
        Self {
            model,
            params,
            tensors,
        }
    }

    /// What `run` computes with the layer that has the parameters under `name`.
    fn with<L>(
        &self,
        name: &str,
        layer: impl FnOnce(&mut Builder) -> L,
        run: impl FnOnce(&L, &Tape) -> Var,
    ) -> Vec<f32> {
        let all = self.tensors.iter().filter_map(|(of, tensor)| {
            let rest = of.strip_prefix(name)?.strip_prefix('.')?;
            Some((rest.to_owned(), tensor.clone()))
        });
        let mut build = Builder::new(Source::Read(all.collect()));
        let layer = layer(&mut build);
        let tape = Tape::eval(&build.finish());
        run(&layer, &tape).value().data().to_vec()
    }

    pub fn tensor(&self, name: &str) -> Vec<f32> {
        self.tensors[name].data().to_vec()
    }

    pub fn embedding(&self, words: &[usize]) -> Vec<f32> {
        let table = |b: &mut Builder| Embeddings::new(b, VOCABULARY, WIDTH);
        self.with("embed", table, |layer, tape| layer.forward(&ids(tape, words)))
    }

    pub fn positional_encoding(&self, length: usize) -> Vec<f32> {
        let cell = |at: usize| {
            let (position, column) = ((at / WIDTH) as f32, at % WIDTH);
            let wave = 10000_f32.powf(-2.0 * (column % (WIDTH / 2)) as f32 / WIDTH as f32);
            match column < WIDTH / 2 {
                true => (position * wave).sin(),
                false => (position * wave).cos(),
            }
        };
        (0..length * WIDTH).map(cell).collect()
    }

    pub fn linear(&self, name: &str, x: &[f32]) -> Vec<f32> {
        let square = |b: &mut Builder| Linear::new(b, WIDTH, WIDTH);
        self.with(name, square, |layer, tape| layer.forward(&rows(tape, x, WIDTH)))
    }

    pub fn attention(&self, query: &[f32], key: &[f32], value: &[f32], causal: bool) -> Vec<f32> {
        let tape = Tape::eval(&Params::default());
        let [query, key, value] = [query, key, value].map(|cells| rows(&tape, cells, WIDTH / 4));
        let mask = mask(&tape, causal, [query.shape()[1], key.shape()[1]]);
        let attended = attention(&query, &key, &value, Some(&mask), 0.0);
        attended.context.value().data().to_vec()
    }

    pub fn multi_head_attention(
        &self,
        name: &str,
        x: &[f32],
        memory: &[f32],
        causal: bool,
    ) -> Vec<f32> {
        let heads = |b: &mut Builder| MultiHeadAttention::new(b, 4, WIDTH);
        self.with(name, heads, |layer, tape| {
            let [x, memory] = [x, memory].map(|cells| rows(tape, cells, WIDTH));
            let mask = mask(tape, causal, [x.shape()[1], memory.shape()[1]]);
            layer.forward(&x, &memory, &memory, Some(&mask)).output
        })
    }

    pub fn layer_norm(&self, name: &str, x: &[f32]) -> Vec<f32> {
        let norm = |b: &mut Builder| LayerNorm::new(b, WIDTH, Deviation::Population, 1e-5);
        self.with(name, norm, |layer, tape| layer.forward(&rows(tape, x, WIDTH)))
    }

    pub fn feed_forward(&self, name: &str, x: &[f32]) -> Vec<f32> {
        let maps = |b: &mut Builder| FeedForward::new(b, WIDTH, 2 * WIDTH);
        self.with(name, maps, |layer, tape| layer.forward(&rows(tape, x, WIDTH)))
    }

    pub fn encoder_layer(&self, layer: usize, x: &[f32]) -> Vec<f32> {
        let new = |b: &mut Builder| EncoderLayer::new(b, &self.model.config);
        self.with(&format!("encoder.layers.{layer}"), new, |layer, tape| {
            let x = rows(tape, x, WIDTH);
            encoder_layer(layer, &x, &mask(tape, false, [x.shape()[1]; 2]))
        })
    }

    pub fn encoder(&self, src: &[usize]) -> Vec<f32> {
        let tape = Tape::eval(&self.params);
        let src = ids(&tape, src);
        let memory = self.model.encode(&src, &self.model.src_mask(&src));
        memory.value().data().to_vec()
    }

    pub fn decoder_layer(&self, layer: usize, x: &[f32], memory: &[f32]) -> Vec<f32> {
        let new = |b: &mut Builder| DecoderLayer::new(b, &self.model.config);
        self.with(&format!("decoder.layers.{layer}"), new, |layer, tape| {
            let [x, memory] = [x, memory].map(|cells| rows(tape, cells, WIDTH));
            let [target, source] = [&x, &memory].map(|rows| rows.shape()[1]);
            let all = mask(tape, false, [target, source]);
            let past = mask(tape, true, [target, target]);
            decoder_layer(layer, &x, &memory, &all, &past)
        })
    }

    pub fn decoder(&self, tgt: &[usize], memory: &[f32]) -> Vec<f32> {
        let tape = Tape::eval(&self.params);
        let (tgt, memory) = (ids(&tape, tgt), rows(&tape, memory, WIDTH));
        let src_mask = mask(&tape, false, [tgt.shape()[1], memory.shape()[1]]);
        let hidden = self.model.decode(&memory, &src_mask, &tgt, &self.model.tgt_mask(&tgt));
        hidden.value().data().to_vec()
    }

    pub fn generator(&self, hidden: &[f32]) -> Vec<f32> {
        let tape = Tape::eval(&self.params);
        let log_probs = self.model.generator.forward(&rows(&tape, hidden, WIDTH));
        log_probs.value().data().to_vec()
    }

    pub fn log_probs(&self, src: &[usize], tgt: &[usize]) -> Vec<f32> {
        let tape = Tape::eval(&self.params);
        let pass = self.model.forward(&ids(&tape, src), &ids(&tape, tgt));
        pass.log_probs.value().data().to_vec()
    }

    pub fn translate(&self, src: &[usize], limit: usize) -> Vec<usize> {
        let next = |tgt: &[usize]| {
            self.log_probs(src, tgt)
                .split_off((tgt.len() - 1) * VOCABULARY)
        };
        greedy_decode(&next, limit)
    }
}

pub struct Copying(Training);

fn words(sentences: &[Vec<usize>]) -> Tensor {
    row(&sentences.concat()).reshape(&[sentences.len(), sentences[0].len()])
}

impl Copying {
    pub fn new(seed: u64) -> Self {
        Self(Training::new(seed))
    }

    pub fn step(&mut self, sentences: &[Vec<usize>]) -> f32 {
        self.0.step_on(&words(sentences)).expect("all numbers are finite")
    }

    fn loss_and_gradients(&self, sentences: &[Vec<usize>]) -> (f32, Grads) {
        let tape = Tape::train(&self.0.params, 0);
        let loss = self.0.loss(&tape, copy_batch(&words(sentences)));
        (loss.value().at(&[]), loss.backward())
    }

    pub fn loss(&self, sentences: &[Vec<usize>]) -> f32 {
        self.loss_and_gradients(sentences).0
    }

    pub fn parameters(&self) -> Vec<(String, Vec<f32>)> {
        let params = &self.0.params;
        let one = |param| (params.name(param).to_owned(), params.get(param).data().to_vec());
        params.all().map(one).collect()
    }

    pub fn set(&mut self, name: &str, cells: &[f32]) {
        let params = &mut self.0.params;
        let param = params.all().find(|param| params.name(*param) == name).expect("its name");
        let shape = params.get(param).shape().to_vec();
        params.set(param, Tensor::new(&shape, cells.to_vec()));
    }

    pub fn gradients(&self, sentences: &[Vec<usize>]) -> Vec<(String, Vec<f32>)> {
        let (_, grads) = self.loss_and_gradients(sentences);
        let one = |param| {
            let name = self.0.params.name(param).to_owned();
            (name, grads.param(param).expect("it has one").data().to_vec())
        };
        self.0.params.all().map(one).collect()
    }

    pub fn copy(&self, sentence: &[usize]) -> Vec<usize> {
        let written = self.0.copy(&row(sentence));
        written.data().iter().map(|&id| id as usize).collect()
    }
}
