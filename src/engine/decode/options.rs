//! The options of decoding.

use serde::{Deserialize, Serialize};

use crate::text::vocabulary::{BOS, EOS};
use crate::transformer::Transformer;

/// Minimum and maximum number of sentences decoded together, if memory allows it: enough rows that the weights are read
/// rarely.
const GROUP: (usize, usize) = (16, 32);
/// Maximum number of hypotheses decoded together, unless the minimum of sentences has more: the logits of more do not
/// fit in the L2 cache.
const ROWS: usize = 64;

/// Options of decoding, by search or by sampling.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodeOptions {
    /// Number of hypotheses kept alive; 1 is greedy.
    pub beam: usize,
    /// Number of translations per sentence, best first: at most `beam` in a search, any number of samples.
    pub nbest: usize,
    /// Length penalty, which also affects when the search ends.
    pub penalty: Penalty,
    /// Exponent of the length penalty.
    pub alpha: f64,
    /// Implementation whose beam search is followed.
    pub rule: Rule,
    /// Maximum number of tokens, including the EOS; never above the model's `max_len`. `None` is twice the number of
    /// source tokens plus 10.
    pub max_len: Option<usize>,
    /// Number of tokens before an EOS is allowed.
    pub min_len: usize,
    /// Tokens with which every translation begins.
    pub prefix: Vec<u32>,
    /// Options for sampling; `None` searches instead.
    pub sampling: Option<Sampling>,
    /// True to cache keys and values. Otherwise every token costs a pass over the whole sentence.
    pub cache: bool,
    /// Start token, which the decoder reads first. A model that shifts embeddings reads zeros instead.
    pub bos: u32,
    /// Token that ends a sentence.
    pub eos: u32,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self {
            beam: 4,
            nbest: 1,
            penalty: Penalty::Gnmt,
            alpha: 0.6,
            rule: Rule::Tensorflow,
            max_len: None,
            min_len: 0,
            prefix: vec![],
            sampling: None,
            cache: true,
            bos: BOS as u32,
            eos: EOS as u32,
        }
    }
}

impl DecodeOptions {
    /// Returns the options of greedy decoding: the most probable token at every step.
    pub fn greedy() -> Self {
        Self {
            beam: 1,
            ..Self::default()
        }
    }

    /// Returns the maximum number of tokens for a source of `length` tokens.
    pub(super) fn limit(&self, model: &Transformer, length: usize) -> usize {
        let most = self.max_len.unwrap_or(2 * length + 10);
        most.max(self.prefix.len() + 1).min(model.config.max_len)
    }

    /// Returns the number of sentences to decode together: fewer if each has many hypotheses, so that their
    /// probabilities fit into memory.
    pub(super) fn group(&self, model: &Transformer) -> usize {
        const CELLS: usize = 1 << 26;
        let rows = match &self.sampling {
            Some(_) => self.nbest,
            None => self.beam,
        };
        let rows = rows.max(1);
        let group = (ROWS / rows).clamp(GROUP.0, GROUP.1);
        (CELLS / rows.saturating_mul(model.config.tgt_vocab)).clamp(1, group)
    }
}

/// Length penalty: the divisor of a hypothesis's log-probability. Without it, longer hypotheses, whose probability is a
/// product of more factors below 1, could hardly win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Penalty {
    /// No penalty: the divisor is 1.
    None,
    /// `((5 + length) / 6)^α` (Wu et al. 2016; TensorFlow's official Transformer).
    Gnmt,
    /// `length^α`: fairseq, where α is 1 by default.
    Length,
}

impl Penalty {
    /// Returns the divisor for `length` tokens, including the EOS.
    pub fn of(self, length: usize, alpha: f64) -> f64 {
        match self {
            Self::None => 1.0,
            Self::Gnmt => ((5.0 + length as f64) / 6.0).powf(alpha),
            Self::Length => (length as f64).powf(alpha),
        }
    }
}

/// When hypotheses and the search end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// TensorFlow's official search: any EOS among the `2 · beam` most probable continuations finishes a hypothesis.
    /// The best `beam` finished ones are kept, and the search continues until no living one could beat the worst.
    Tensorflow,
    /// fairseq: only an EOS among the `beam` most probable finishes a hypothesis. The first `beam` to finish are kept,
    /// and at the maximum length all must end.
    Fairseq,
    /// Hugging Face's transformers with `early_stopping`: only an EOS among the `beam` most probable finishes a
    /// hypothesis. The best `beam` are kept, the search stops once there are that many, and at the maximum length all
    /// must end, at no cost.
    Transformers,
}

/// How the next token is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sampling {
    /// Divisor of the log-probabilities: below 1, probable tokens become more probable; 0 takes the most probable.
    pub temperature: f64,
    /// Number of most probable tokens to draw from; 0 for all.
    pub top_k: usize,
    /// Total probability of the most probable tokens to draw from (nucleus sampling, Holtzman et al. 2020); 1 for all.
    pub top_p: f64,
    /// Seed. A sample depends on it, on the source sentence, and on the number of the sample.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            temperature: 1.0,
            top_k: 0,
            top_p: 1.0,
            seed: 0,
        }
    }
}
