//! Translation of source ids: the common entry point to greedy decoding, beam search and sampling.

use std::sync::Arc;

use super::beam::{Hypothesis, NextTokens, search};
use super::cache::{Incremental, PackedWeights};
use super::next_tokens::{Cached, Uncached, log_softmax};
use super::options::DecodeOptions;
use super::sample::{Draw, draw};
use crate::autograd::Tape;
use crate::params::Params;
use crate::tensor::{Tensor, alone, shared, threads};
use crate::text::vocabulary::{BOS, EOS, PAD};
use crate::transformer::Transformer;
use crate::transformer::config::Shift;

/// A model prepared for repeated translation: its weights are packed only once.
pub struct PackedModel<'a> {
    model: &'a Transformer,
    params: &'a Params,
    weights: Arc<PackedWeights>,
}

impl<'a> PackedModel<'a> {
    /// Packs the weights of `model`.
    pub fn new(model: &'a Transformer, params: &'a Params) -> Self {
        let weights = Arc::new(PackedWeights::new(model, params));
        Self {
            model,
            params,
            weights,
        }
    }

    /// Like [`translate`], with the packed weights.
    #[track_caller]
    pub fn translate(
        &self,
        sentences: &[Vec<u32>],
        options: &DecodeOptions,
    ) -> Vec<Vec<Hypothesis>> {
        let (model, params) = (self.model, self.params);
        let words: Vec<&[u32]> = sentences.iter().map(|ids| without_padding(ids)).collect();
        for ids in &words {
            fits(model, ids, model.config.src_vocab, "source");
        }
        fits(model, &options.prefix, model.config.tgt_vocab, "prefix");
        let nothing = Hypothesis {
            ids: vec![],
            score: 0.0,
            log_prob: 0.0,
            finished: true,
        };
        let mut translations: Vec<Vec<Hypothesis>> = vec![vec![nothing]; sentences.len()];
        // Sentences of similar length end at about the same time.
        let mut order: Vec<usize> = (0..words.len()).filter(|&n| !words[n].is_empty()).collect();
        order.sort_by_key(|&n| words[n].len());
        let lengths = order.iter().map(|&n| words[n].len());
        let positions = lengths.map(|n| options.limit(model, n).max(n));
        let positions = positions.max().unwrap_or(0);
        let decoder = Incremental::with(model, params, self.weights.clone(), positions);
        let size = order
            .len()
            .div_ceil(threads())
            .clamp(1, options.group(model));
        let mut groups: Vec<(&[usize], Vec<Vec<Hypothesis>>)> =
            order.chunks(size).map(|group| (group, vec![])).collect();
        // The longest come first, so that no thread is left with them at the end.
        let parts = groups.iter_mut().rev().collect();
        shared(parts, |(group, translations): &mut (&[usize], Vec<_>)| {
            let sentences: Vec<&[u32]> = group.iter().map(|&n| words[n]).collect();
            *translations = alone(|| self.group(&decoder, &sentences, options));
        });
        for (group, results) in groups {
            for (&n, hypotheses) in group.iter().zip(results) {
                translations[n] = hypotheses;
            }
        }
        translations
    }

    /// Translates sentences that are decoded together.
    fn group(
        &self,
        decoder: &Incremental<'_>,
        sentences: &[&[u32]],
        options: &DecodeOptions,
    ) -> Vec<Vec<Hypothesis>> {
        let limit = |src: &&[u32]| options.limit(self.model, src.len());
        let limits: Vec<usize> = sentences.iter().map(limit).collect();
        if options.cache {
            let sources = decoder.sources(sentences);
            let mut next = Cached::new(decoder, &sources);
            decode(&mut next, sentences, &limits, options)
        } else {
            let mut next = Uncached::new(self.model, self.params, sentences);
            decode(&mut next, sentences, &limits, options)
        }
    }
}

/// Translates sentences of ids and returns the translations of each, best first. Padding at the end of a sentence is
/// ignored, and a sentence without tokens has the empty translation.
///
/// Sentences are shared among threads. The results are the same to the last bit for any number of threads and any
/// grouping of sentences. Panics if a sentence or the prefix is longer than the model's `max_len`, or if an id is
/// outside its vocabulary.
#[track_caller]
pub fn translate(
    model: &Transformer,
    params: &Params,
    sentences: &[Vec<u32>],
    options: &DecodeOptions,
) -> Vec<Vec<Hypothesis>> {
    PackedModel::new(model, params).translate(sentences, options)
}

fn decode(
    next: &mut impl NextTokens,
    sentences: &[&[u32]],
    limits: &[usize],
    options: &DecodeOptions,
) -> Vec<Vec<Hypothesis>> {
    if options.sampling.is_none() {
        return search(next, limits, options);
    }
    let sentence = |(src, &limit): (&&[u32], &usize)| Draw {
        key: format!("sample {src:?}"),
        limit,
    };
    let draws: Vec<Draw> = sentences.iter().zip(limits).map(sentence).collect();
    draw(next, &draws, options)
}

// ANCHOR: score
/// Log-probability of each token of `tgt`, given `src` and the tokens before it, and last of EOS:
/// `tgt.len() + 1` natural logarithms, whose sum is that of the whole translation.
///
/// `src` is as the encoder reads it; `tgt` has no BOS or EOS. Panics if `src` is empty, if a
/// sentence is longer than the model's `max_len`, or if an id is outside its vocabulary.
#[track_caller]
pub fn score(model: &Transformer, params: &Params, src: &[u32], tgt: &[u32]) -> Vec<f64> {
    let src = without_padding(src);
    assert!(!src.is_empty(), "score: the source has no words");
    fits(model, src, model.config.src_vocab, "source");
    fits(model, tgt, model.config.tgt_vocab, "target");
    let wanted = [tgt, &[EOS as u32]].concat();
    let read = match model.config.shift {
        Shift::Ids => [&[BOS as u32], tgt].concat(),
        // The model itself shifts the embeddings.
        Shift::Embeddings => wanted.clone(),
    };
    let tape = Tape::eval(params).fused();
    let ids = |name: &str, ids: &[u32], axes| {
        let cells = ids.iter().map(|&id| id as f32).collect();
        tape.ids(name, Tensor::new(&[1, ids.len()], cells), axes)
    };
    let (src, tgt) = (ids("src", src, &["b", "s"]), ids("tgt", &read, &["b", "t"]));
    let (src_mask, tgt_mask) = (model.src_mask(&src), model.future_mask(&tgt));
    let memory = model.encode(&src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, &tgt, &tgt_mask);
    let log_probs = log_softmax(model.generator.logits(&hidden).value());
    let rows = log_probs.data().chunks(log_probs.last()).zip(wanted);
    rows.map(|(row, word)| f64::from(row[word as usize]))
        .collect()
}
// ANCHOR_END: score

/// Returns `ids` without the padding at the end.
fn without_padding(ids: &[u32]) -> &[u32] {
    let end = ids
        .iter()
        .rposition(|&id| id != PAD as u32)
        .map_or(0, |last| last + 1);
    &ids[..end]
}

#[track_caller]
fn fits(model: &Transformer, ids: &[u32], vocabulary: usize, what: &str) {
    let most = model.config.max_len;
    assert!(
        ids.len() <= most,
        "translate: a {what} of {} words is longer than max_len {most}",
        ids.len()
    );
    if let Some(id) = ids.iter().find(|id| **id as usize >= vocabulary) {
        panic!(
            "translate: the {what} has the id {id}, but its vocabulary ends at {}",
            vocabulary - 1
        );
    }
}

#[cfg(test)]
mod tests;
