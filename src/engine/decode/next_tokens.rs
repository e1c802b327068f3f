//! A model's log-probabilities for the next token, with and without a cache.

use std::sync::Arc;

use super::beam::NextTokens;
use super::cache::{Cache, Incremental, Source};
use crate::autograd::Tape;
use crate::params::Params;
use crate::tensor::{Tensor, vector};
use crate::text::vocabulary::PAD;
use crate::transformer::config::{Shift, Start};
use crate::transformer::{Config, Transformer};

/// A model that decodes one token at a time with a cache.
pub struct Cached<'a> {
    decoder: &'a Incremental<'a>,
    /// `None` only while a step runs.
    cache: Option<Cache>,
}

impl<'a> Cached<'a> {
    /// Creates a decoder that has read no tokens yet, with one hypothesis per source.
    pub fn new(decoder: &'a Incremental<'a>, sources: &[Arc<Source>]) -> Self {
        Self {
            decoder,
            cache: Some(decoder.begin(sources)),
        }
    }
}

impl NextTokens for Cached<'_> {
    fn next(&mut self, parents: &[usize], tokens: &[u32]) -> Tensor {
        let cache = self.cache.take().expect("every step puts a cache back");
        let (logits, cache) = self.decoder.step(cache.select(parents), tokens);
        self.cache = Some(cache);
        allowed(self.decoder.config(), log_softmax(logits))
    }
}

/// A model without a cache: each token repeats the computation for the whole sentence, as in the formulas.
pub struct Uncached<'a> {
    model: &'a Transformer,
    params: &'a Params,
    /// Memory and source ids of each sentence.
    memories: Vec<(Tensor, Tensor)>,
    /// Sentence of each hypothesis, and the ids that it has read.
    rows: Vec<(usize, Vec<f32>)>,
}

impl<'a> Uncached<'a> {
    /// Encodes `sentences` one at a time.
    pub fn new(model: &'a Transformer, params: &'a Params, sentences: &[&[u32]]) -> Self {
        let encode = |src: &&[u32]| {
            let tape = Tape::eval(params).fused();
            let src = Tensor::new(&[1, src.len()], src.iter().map(|&id| id as f32).collect());
            let ids = tape.ids("src", src.clone(), &["b", "s"]);
            (model.encode(&ids, &model.src_mask(&ids)).value(), src)
        };
        Self {
            model,
            params,
            memories: sentences.iter().map(encode).collect(),
            rows: (0..sentences.len()).map(|n| (n, vec![])).collect(),
        }
    }

    /// Log-probabilities of the next token of one hypothesis.
    fn row(&self, (sentence, prefix): &(usize, Vec<f32>)) -> Vec<f32> {
        let tape = Tape::eval(self.params).fused();
        let (memory, src) = &self.memories[*sentence];
        let memory = tape.constant("memory", memory.clone(), &["b", "s", "d"]);
        let src = tape.ids("src", src.clone(), &["b", "s"]);
        let ids = match self.model.config.shift {
            Shift::Ids => prefix.clone(),
            // The model shifts the embeddings by one: zeros come first, and the last embedding is dropped.
            Shift::Embeddings => [&prefix[1..], &[0.0]].concat(),
        };
        let tgt = tape.ids("tgt", Tensor::new(&[1, ids.len()], ids), &["b", "t"]);
        let (src_mask, tgt_mask) = (self.model.src_mask(&src), self.model.future_mask(&tgt));
        let hidden = self.model.decode(&memory, &src_mask, &tgt, &tgt_mask);
        let logits = self.model.generator.logits(&hidden.last_position());
        log_softmax(logits.value()).data().to_vec()
    }
}

impl NextTokens for Uncached<'_> {
    fn next(&mut self, parents: &[usize], words: &[u32]) -> Tensor {
        let longer = parents.iter().zip(words).map(|(&parent, &word)| {
            let (sentence, mut prefix) = self.rows[parent].clone();
            prefix.push(word as f32);
            (sentence, prefix)
        });
        self.rows = longer.collect();
        let rows: Vec<f32> = self.rows.iter().flat_map(|row| self.row(row)).collect();
        let rows = Tensor::new(&[parents.len(), rows.len() / parents.len().max(1)], rows);
        allowed(&self.model.config, rows)
    }
}

/// Rules out padding in `log_probs [rows, vocabulary]` if the decoder begins with it: Marian's models give it a
/// probability, but never write it.
fn allowed(config: &Config, mut log_probs: Tensor) -> Tensor {
    if config.start == Start::Padding {
        let width = log_probs.last().max(1);
        for row in log_probs.data_mut().chunks_mut(width) {
            row[PAD] = f32::NEG_INFINITY;
        }
    }
    log_probs
}

/// Computes the log-softmax over the last axis.
pub fn log_softmax(mut logits: Tensor) -> Tensor {
    let width = logits.last().max(1);
    let rows = logits.data_mut().chunks_mut(width);
    rows.for_each(vector::log_softmax);
    logits
}
