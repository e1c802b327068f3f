//! One sentence under the lens: what attention looked at, and what else could be the reason for each word.

use std::sync::{Arc, OnceLock};

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::decode::{DecodeOptions, score, translate};
use transformer_tutor::lesson::memo::{Lazy, Memo, Weigh};
use transformer_tutor::lesson::models::{self, Model};
use transformer_tutor::lesson::spelled;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::phrasebook::{Pair, Part, pairs};
use transformer_tutor::text::vocabulary::{BOS, EOS, UNK};
use transformer_tutor::transformer::heads::{self, Head};
use transformer_tutor::transformer::pass;

use super::knobs::Knobs;

/// Sentences of the phrasebook that no training saw, with their true alignments.
pub static PAIRS: Lazy<Vec<Pair>> = Lazy::new(|| pairs(Part::HeldOut, 40, 2));

/// A sentence, its translation, and everything measured on it.
pub struct Seen {
    /// The model with all its heads.
    pub model: Arc<Model>,
    pub src: Vec<u32>,
    /// The words whose reasons are asked for, without BOS and EOS: the phrasebook's where it has the sentence, else
    /// those that the whole model writes.
    pub tgt: Vec<u32>,
    /// The true links, where the phrasebook has the sentence.
    pub truth: Option<Vec<(usize, usize)>>,
    /// What the model writes with the heads that are off.
    pub translation: Vec<u32>,
    /// The log-probability of each word of `tgt` and of the EOS: with all heads, and without those that are off.
    pub log_probs: (Vec<f64>, Vec<f64>),
    /// `[target, source]`: the mean weight of the heads of each decoder layer's cross attention.
    pub attention: Vec<Tensor>,
    /// `[target, source]`: |gradient × input|, summed over the channels of a word's embedding.
    pub gradient: Tensor,
    /// `[target, source]`: by how much the log-probability falls when the source word is left out.
    pub left_out: Tensor,
    each: OnceLock<Vec<(Head, f64)>>,
}

impl Weigh for Seen {
    fn heap(&self) -> usize {
        // The weights may be another snapshot's alone, kept by this.
        self.model.params.heap()
            + self.attention.heap()
            + self.gradient.heap()
            + self.left_out.heap()
            + self.src.heap()
            + self.tgt.heap()
            + self.log_probs.heap()
    }
}

/// The translation of a model with these weights, greedily.
pub fn write(t: &Model, params: &Params, src: &[u32]) -> Vec<u32> {
    let options = DecodeOptions::greedy();
    translate(&t.model, params, &[src.to_vec()], &options)[0][0]
        .ids
        .clone()
}

/// The real pass over `src` and `tgt`.
pub fn record(t: &Model, params: &Params, src: &[u32], tgt: &[u32], fused: bool) -> Trace {
    let tape = match fused {
        true => Tape::eval(params).fused(),
        false => Tape::eval(params),
    };
    let read = [&[BOS as u32], tgt].concat();
    let src = models::sentence(&tape, "src", src, "s");
    pass(&t.model, &src, &models::sentence(&tape, "tgt", &read, "t"));
    tape.trace()
}

/// The weights of an attention of a recorded pass, `[1, heads, rows, columns]`.
pub fn weights(trace: &Trace, kind: usize, layer: usize) -> &Tensor {
    let name = format!("{}.weights", heads::scope(kind, layer));
    trace.tensor(&name).expect("every layer has weights")
}

/// One head of them, `[1, rows, columns]`.
pub fn one_head(weights: &Tensor, head: usize) -> Tensor {
    let shape = [1, weights.shape()[2], weights.shape()[3]];
    Tensor::from_fn(&shape, |i| weights.at(&[0, head, i[1], i[2]]))
}

impl Seen {
    /// A sentence under the lens of a model, with some heads off.
    pub fn new(model: Arc<Model>, sentence: &str, off: &[Head]) -> Self {
        let t = &*model;
        let params = heads::without(&t.params, &t.model, off);
        let sentence = t.pipeline.sentence(sentence);
        let mut src = sentence.ids;
        src.truncate(40);
        let read = sentence.spelling.text;
        let pair = PAIRS.iter().find(|pair| pair.german.join(" ") == read);
        let known = pair.map(|pair| (pair, t.pipeline.target.ids(&pair.english.join(" "))));
        // True links are between words: a model of subwords, or one that does not know them, has none.
        let known = known.filter(|(pair, tgt)| {
            let words = (pair.german.len() + 1, pair.english.len());
            words == (src.len(), tgt.len()) && !tgt.contains(&(UNK as u32))
        });
        let (truth, tgt) = match known {
            Some((pair, tgt)) => (Some(pair.alignment.clone()), tgt),
            None => (None, write(t, &t.params, &src)),
        };
        let trace = record(t, &params, &src, &tgt, true);
        // A fused tape keeps no weights by name: a second, plain one has them.
        let plain = record(t, &params, &src, &tgt, false);
        let layers = 0..t.model.config.layers;
        let attention = layers.map(|layer| heads::mean(weights(&plain, 2, layer)));
        let attention = attention.collect();
        let sum = |params: &Params| score(&t.model, params, &src, &tgt);
        let log_probs = (sum(&t.params), sum(&params));
        Self {
            gradient: gradient(&trace, &tgt),
            left_out: left_out(t, &params, &src, &tgt, &log_probs.1),
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

    /// The layer of cross attention that the knob asks for, from 0: the last, where it asks for one that only a deeper
    /// encoder has.
    pub fn layer(&self, knobs: &Knobs) -> usize {
        self.layer_of(2, knobs)
    }

    /// The layer of a kind of attention that the knob asks for, from 0.
    pub fn layer_of(&self, kind: usize, knobs: &Knobs) -> usize {
        let last = heads::layers(&self.model.model, kind) - 1;
        knobs.layer.unwrap_or(last).min(last)
    }

    /// By how much the log-probability of the words changes without each head alone. Computed once.
    pub fn without_each(&self) -> &[(Head, f64)] {
        self.each.get_or_init(|| {
            let t = &*self.model;
            let whole: f64 = self.log_probs.0.iter().sum();
            let one = |head: Head| {
                let params = heads::without(&t.params, &t.model, &[head]);
                let all = score(&t.model, &params, &self.src, &self.tgt);
                (head, all.iter().sum::<f64>() - whole)
            };
            heads::every(&t.model).into_iter().map(one).collect()
        })
    }

    /// Source or target tokens by their ids, as a reader wants them.
    pub fn words(&self, ids: &[u32], source: bool) -> Vec<String> {
        let pipeline = &self.model.pipeline;
        let side = match source {
            true => &pipeline.source,
            false => &pipeline.target,
        };
        ids.iter().map(|&id| spelled(side, id)).collect()
    }

    /// What these knobs look at in `model`, kept for the last few.
    pub fn of(model: Arc<Model>, knobs: &Knobs) -> Result<Arc<Self>, String> {
        static MEMO: Memo<Seen> = Memo::new("looking inside: sentences");
        let Knobs { sentence, off, .. } = knobs;
        let heads = heads::parse(off, &model.model)?;
        let key = format!("{off} | {sentence} | {}", model.key);
        Ok(MEMO.get(key, || Self::new(model, sentence, &heads)))
    }
}

/// |gradient × input| of every word's log-probability by every source word's embedding.
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

/// By how much each word's log-probability falls without each source word.
fn left_out(t: &Model, params: &Params, src: &[u32], tgt: &[u32], whole: &[f64]) -> Tensor {
    let mut cells = vec![0.0; tgt.len() * src.len()];
    for s in 0..src.len() {
        let rest = [&src[..s], &src[s + 1..]].concat();
        // A sentence of the EOS alone has nothing to leave out.
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

/// How alike two rows order the same words, from −1 to 1 (Spearman's rank correlation; equal ones share their ranks).
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
