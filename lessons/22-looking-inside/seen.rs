//! One sentence examined: what attention looked at, and other possible explanations for each token.

use std::sync::{Arc, OnceLock};

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::decode::{DecodeOptions, score, translate};
use transformer_tutor::lesson::memo::{Lazy, Memo, Weigh};
use transformer_tutor::lesson::models::{self, Model};
use transformer_tutor::lesson::spelled;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::phrasebook::{Pair, Part, pairs};
use transformer_tutor::text::remarks::Answer;
use transformer_tutor::text::vocabulary::{BOS, EOS, UNK};
use transformer_tutor::transformer::heads::{self, AttentionKind, Head};
use transformer_tutor::transformer::pass;

use super::knobs::Knobs;

/// Sentences of the phrasebook that are in no training data, with their true alignments.
pub static PAIRS: Lazy<Vec<Pair>> = Lazy::new(|| pairs(Part::HeldOut, 40));

/// Maximum number of source tokens read.
const LONGEST: usize = 40;

/// A sentence, its translation, and everything measured on it.
pub struct Analysis {
    /// The model with all its heads.
    pub model: Arc<Model>,
    pub src: Vec<u32>,
    /// Tokens to explain, without BOS and EOS: the phrasebook's translation if it contains the sentence, else what the
    /// complete model writes.
    pub tgt: Vec<u32>,
    /// The true links, if the phrasebook contains the sentence.
    pub truth: Option<Vec<(usize, usize)>>,
    /// Output of the model with the selected heads switched off.
    pub translation: Vec<u32>,
    /// Log-probability of each token of `tgt` and of EOS.
    pub log_probs: LogProbs,
    /// Mean weights of the heads in each decoder layer's cross-attention: `[target, source]`.
    pub attention: Vec<Tensor>,
    /// |gradient × input|, summed over the channels of a token's embedding: `[target, source]`.
    pub gradient: Tensor,
    /// How much the log-probability falls when the source token is left out: `[target, source]`.
    pub left_out: Tensor,
    each: OnceLock<Vec<(Head, f64)>>,
}

/// Log-probabilities of the tokens, with and without the selected heads.
pub struct LogProbs {
    /// With all heads.
    pub all_heads: Vec<f64>,
    /// With the selected heads switched off.
    pub without: Vec<f64>,
}

impl Weigh for Analysis {
    fn heap(&self) -> usize {
        // The weights may belong to an old snapshot that only this value keeps alive.
        self.model.params.heap()
            + self.attention.heap()
            + self.gradient.heap()
            + self.left_out.heap()
            + self.src.heap()
            + self.tgt.heap()
            + self.log_probs.all_heads.heap()
            + self.log_probs.without.heap()
    }
}

/// Greedy translation by a model with these weights.
pub fn write(t: &Model, params: &Params, src: &[u32]) -> Vec<u32> {
    let options = DecodeOptions::greedy();
    translate(&t.model, params, &[src.to_vec()], &options)[0][0]
        .ids
        .clone()
}

/// The real forward pass over `src` and `tgt`.
pub fn record(t: &Model, params: &Params, src: &[u32], tgt: &[u32], fused: bool) -> Trace {
    let tape = if fused {
        Tape::eval(params).fused()
    } else {
        Tape::eval(params)
    };
    let prefix = [&[BOS as u32], tgt].concat();
    let src = models::sentence(&tape, "src", src, "s");
    pass(
        &t.model,
        &src,
        &models::sentence(&tape, "tgt", &prefix, "t"),
    );
    tape.trace()
}

/// Weights of an attention in a recorded pass: `[1, heads, rows, columns]`.
pub fn weights(trace: &Trace, kind: AttentionKind, layer: usize) -> &Tensor {
    let name = format!("{}.weights", kind.scope(layer));
    trace.tensor(&name).expect("every layer has weights")
}

/// Weights of one head: `[1, rows, columns]`.
pub fn one_head(weights: &Tensor, head: usize) -> Tensor {
    let shape = [1, weights.shape()[2], weights.shape()[3]];
    Tensor::from_fn(&shape, |i| weights.at(&[0, head, i[1], i[2]]))
}

impl Analysis {
    /// Examines a sentence in a model, with some heads switched off.
    pub fn new(model: Arc<Model>, sentence: &str, off: &[Head]) -> Self {
        let t = &*model;
        let params = heads::without(&t.params, &t.model, off);
        let sentence = t.pipeline.sentence(sentence);
        let mut src = sentence.ids;
        src.truncate(LONGEST);
        let source = sentence.spelling.text;
        let pair = PAIRS.iter().find(|pair| pair.german.join(" ") == source);
        let known = pair.map(|pair| (pair, t.pipeline.target.ids(&pair.english.join(" "))));
        // True links are between words, so a model of subwords, or one that does not know the words, has none.
        let known = known.filter(|(pair, tgt)| {
            let words = (pair.german.len() + 1, pair.english.len());
            words == (src.len(), tgt.len()) && !tgt.contains(&(UNK as u32))
        });
        let (truth, tgt) = match known {
            Some((pair, tgt)) => (Some(pair.alignment.clone()), tgt),
            None => (None, write(t, &t.params, &src)),
        };
        let trace = record(t, &params, &src, &tgt, true);
        // A fused tape does not record the weights by name, so run a plain one too.
        let plain = record(t, &params, &src, &tgt, false);
        let layers = 0..t.model.config.layers;
        let attention =
            layers.map(|layer| heads::mean(weights(&plain, AttentionKind::Cross, layer)));
        let attention = attention.collect();
        let sum = |params: &Params| score(&t.model, params, &src, &tgt);
        let log_probs = LogProbs {
            all_heads: sum(&t.params),
            without: sum(&params),
        };
        Self {
            gradient: gradient(&trace, &tgt),
            left_out: left_out(t, &params, &src, &tgt, &log_probs.without),
            truth,
            translation: write(t, &params, &src),
            src,
            tgt,
            log_probs,
            attention,
            each: OnceLock::new(),
            model,
        }
    }

    /// See [`models::remarks`].
    pub fn remarks(&self, sentence: &str) -> Option<String> {
        let pipeline = &self.model.pipeline;
        let sentence = pipeline.sentence(sentence);
        let log_prob: f64 = self.log_probs.all_heads.iter().sum();
        let answer = Answer {
            text: &pipeline.translation(&sentence, &self.tgt),
            mean_log_prob: Some(log_prob / self.tgt.len() as f64).filter(|_| !self.tgt.is_empty()),
            finished: true,
        };
        models::remarks(pipeline, &sentence, LONGEST, Some(answer))
    }

    /// Layer of cross-attention that the knob selects, from 0. Takes the last if the knob's value exists only in a
    /// deeper encoder.
    pub fn layer(&self, knobs: &Knobs) -> usize {
        self.layer_of(AttentionKind::Cross, knobs)
    }

    /// Layer of a kind of attention that the knob selects, from 0.
    pub fn layer_of(&self, kind: AttentionKind, knobs: &Knobs) -> usize {
        let last = kind.layers(&self.model.model) - 1;
        knobs.layer.unwrap_or(last).min(last)
    }

    /// How much the tokens' log-probability changes when each head is switched off on its own. Computed once.
    pub fn without_each(&self) -> &[(Head, f64)] {
        self.each.get_or_init(|| {
            let t = &*self.model;
            let whole: f64 = self.log_probs.all_heads.iter().sum();
            let one = |head: Head| {
                let params = heads::without(&t.params, &t.model, &[head]);
                let all = score(&t.model, &params, &self.src, &self.tgt);
                (head, all.iter().sum::<f64>() - whole)
            };
            heads::every(&t.model).into_iter().map(one).collect()
        })
    }

    /// Source or target tokens for the reader, from their ids.
    pub fn words(&self, ids: &[u32], source: bool) -> Vec<String> {
        let pipeline = &self.model.pipeline;
        let side = if source {
            &pipeline.source
        } else {
            &pipeline.target
        };
        ids.iter().map(|&id| spelled(side, id)).collect()
    }

    /// The measurements that these knobs select on `model`, cached for the last few.
    pub fn of(model: Arc<Model>, knobs: &Knobs) -> Result<Arc<Self>, String> {
        static MEMO: Memo<Analysis> = Memo::new("looking inside: sentences");
        let Knobs { sentence, off, .. } = knobs;
        let heads = heads::parse(off, &model.model)?;
        let key = format!("{off} | {sentence} | {}", model.key);
        Ok(MEMO.get(key, || Self::new(model, sentence, &heads)))
    }
}

/// |gradient × input| of every token's log-probability with respect to every source token's embedding.
fn gradient(trace: &Trace, tgt: &[u32]) -> Tensor {
    let find = |name| trace.find(name).expect("every pass has this step");
    let (from, input) = (find("generator.log_probs"), find("src_embed.embedded"));
    let embedded = &trace.steps()[input].value;
    let width = embedded.last();
    let mut cells = Vec::new();
    for (t, &word) in tgt.iter().enumerate() {
        let grads = trace.gradients(from, &[0, t, word as usize]);
        let grads = grads[input].as_ref().expect("the source has an influence");
        let both = grads.data().chunks(width);
        let both = both.zip(embedded.data().chunks(width));
        cells.extend(both.map(|(g, x)| {
            let product: f32 = g.iter().zip(x).map(|(g, x)| g * x).sum();
            product.abs()
        }));
    }
    Tensor::new(&[tgt.len(), embedded.shape()[1]], cells)
}

/// How much each token's log-probability falls without each source token.
fn left_out(t: &Model, params: &Params, src: &[u32], tgt: &[u32], whole: &[f64]) -> Tensor {
    let mut cells = vec![0.0; tgt.len() * src.len()];
    for s in 0..src.len() {
        let rest = [&src[..s], &src[s + 1..]].concat();
        // A sentence with only EOS has nothing to leave out.
        if rest.is_empty() {
            continue;
        }
        let without = score(&t.model, params, &rest, tgt);
        for row in 0..tgt.len() {
            cells[row * src.len() + s] = (whole[row] - without[row]) as f32;
        }
    }
    Tensor::new(&[tgt.len(), src.len()], cells)
}

/// Spearman's rank correlation of two rows, from −1 to 1; equal values share their ranks.
pub fn rank_correlation(a: &[f32], b: &[f32]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum()
    };
    let spread = (sum(&a, &a) * sum(&b, &b)).sqrt();
    match spread {
        0.0 => 0.0,
        spread => sum(&a, &b) / spread,
    }
}

fn ranks(row: &[f32]) -> Vec<f64> {
    let below = |x: &f32| row.iter().filter(|y| *y < x).count() as f64;
    let equal = |x: &f32| row.iter().filter(|y| *y == x).count() as f64;
    let rank = |x| below(x) + (equal(x) - 1.0) / 2.0;
    row.iter().map(rank).collect()
}

/// One row of a matrix.
pub fn row(matrix: &Tensor, at: usize) -> &[f32] {
    let width = matrix.last();
    &matrix.data()[at * width..][..width]
}

/// Whether an id ends a sentence.
pub fn is_end(id: u32) -> bool {
    id == EOS as u32
}
