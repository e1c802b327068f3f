//! Beam search: each step keeps the few most probable hypotheses and discards the rest for good.
//!
//! It gets log-probabilities through [`NextTokens`] and does not depend on models: a table works too.

use multiversion::multiversion;

use super::options::{DecodeOptions, Rule};
use crate::tensor::Tensor;
use crate::text::remarks::Answer;

/// A source of next-token probabilities.
pub trait NextTokens {
    /// Returns the log-probabilities of the next token, `[rows, vocabulary]`.
    ///
    /// Row `i` continues row `parents[i]` of the previous call with the token `tokens[i]`. In the first call, the
    /// parents are sentences and the tokens are start tokens.
    fn next(&mut self, parents: &[usize], tokens: &[u32]) -> Tensor;
}

/// A translation.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypothesis {
    /// Its tokens, without BOS and EOS.
    pub ids: Vec<u32>,
    /// `log_prob` divided by the length penalty. Hypotheses are ranked by it.
    pub score: f64,
    /// Natural logarithm of its probability, including that of the EOS.
    pub log_prob: f64,
    /// True if it ended with an EOS, false if it was cut off at the maximum length.
    pub finished: bool,
}

impl Hypothesis {
    /// The hypothesis, written as `text`, for remarks.
    pub fn answer<'a>(&self, text: &'a str) -> Answer<'a> {
        let mean = self.log_prob / self.ids.len() as f64;
        Answer {
            text,
            mean_log_prob: Some(mean).filter(|_| !self.ids.is_empty()),
            finished: self.finished,
        }
    }
}

/// Continuation of a living hypothesis by one token, as [`beam_step`](super::stepwise::beam_step) returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch {
    /// Hypothesis that it continues, as a rank among those alive after the previous step.
    pub parent: usize,
    /// The new token.
    pub word: u32,
    /// Log-probability of the whole hypothesis, including the new token.
    pub log_prob: f64,
    /// `log_prob` divided by the length penalty.
    pub score: f64,
    /// What became of it.
    pub fate: Fate,
}

/// The fate of a continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stays alive, at this rank.
    Alive(usize),
    /// It ended, and was among the best finished hypotheses.
    Finished,
    /// It was discarded.
    Pruned,
}

// ANCHOR: search
/// Searches for translations of several sentences at once, and returns those of each, best first;
/// no result depends on other sentences.
///
/// `limits` has the maximum number of tokens for each sentence, including the EOS.
pub fn search(
    next: &mut impl NextTokens,
    limits: &[usize],
    options: &DecodeOptions,
) -> Vec<Vec<Hypothesis>> {
    let mut states: Vec<State> = limits.iter().map(|&limit| State::new(limit)).collect();
    let mut parents: Vec<usize> = (0..limits.len()).collect();
    let mut words = vec![options.bos; limits.len()];
    for step in 0.. {
        if parents.is_empty() {
            break;
        }
        let log_probs = next.next(&parents, &words);
        let mut rows = log_probs.data().chunks(log_probs.last());
        let mut first = 0;
        (parents, words) = (vec![], vec![]);
        for state in states.iter_mut().filter(|state| !state.alive.is_empty()) {
            let before = state.alive.len();
            let rows: Vec<&[f32]> = rows.by_ref().take(before).collect();
            for (parent, word) in state.advance(step, &rows, options) {
                parents.push(first + parent);
                words.push(word);
            }
            first += before;
        }
    }
    let results = states.into_iter().map(|state| state.hypotheses(options));
    results.collect()
}
// ANCHOR_END: search

/// Number of log-probabilities that are compared together.
const PIECE: usize = 16;

/// Returns the start of the first piece, at `from` or later, with a token that brings a hypothesis of log-probability
/// `before` above `bar`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512bw+avx512vl", "x86_64+avx2+fma"))]
fn piece_above(row: &[f32], from: usize, before: f64, bar: f64) -> Option<usize> {
    let is_above = |x: &f32| before + f64::from(*x) > bar;
    let (pieces, rest) = row[from..].as_chunks::<PIECE>();
    // Compare the whole piece instead of stopping at the first hit, so that the loop is vectorised.
    let any = |piece: &[f32; PIECE]| piece.iter().fold(false, |any, x| any | is_above(x));
    match pieces.iter().position(any) {
        Some(piece) => Some(from + piece * PIECE),
        None => (rest.iter().any(is_above)).then_some(from + pieces.len() * PIECE),
    }
}

/// Hypothesis `parent`, continued by the token `word`.
struct Continuation {
    parent: usize,
    word: u32,
    /// Log-probability of the whole hypothesis, including the new token.
    log_prob: f64,
}

/// The most probable continuations so far.
struct Likeliest {
    /// Most probable first; equally probable ones in the order in which they were offered.
    continuations: Vec<Continuation>,
    /// Maximum number of them.
    most: usize,
    /// Log-probability that a continuation must exceed.
    bar: f64,
}

impl Likeliest {
    /// Creates an empty list for at most `most` continuations, with room for `room`.
    fn new(most: usize, room: usize) -> Self {
        Self {
            continuations: Vec::with_capacity(room + 1),
            most,
            bar: f64::NEG_INFINITY,
        }
    }

    fn offer(&mut self, parent: usize, word: usize, log_prob: f64) {
        if log_prob <= self.bar {
            return;
        }
        let all = &mut self.continuations;
        let index = all.partition_point(|other| other.log_prob >= log_prob);
        let continuation = Continuation {
            parent,
            word: word as u32,
            log_prob,
        };
        all.insert(index, continuation);
        all.truncate(self.most);
        if all.len() == self.most
            && let Some(last) = all.last()
        {
            self.bar = last.log_prob;
        }
    }
}

/// A hypothesis that has not ended.
struct Living {
    ids: Vec<u32>,
    log_prob: f64,
}

/// State of the search for one sentence.
struct State {
    limit: usize,
    /// Living hypotheses, most probable first; empty when the search has ended.
    alive: Vec<Living>,
    /// Finished hypotheses that are kept, best first.
    finished: Vec<Hypothesis>,
    /// Hypotheses cut off at the end, returned if none has finished.
    cut: Vec<Hypothesis>,
}

impl State {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            alive: if limit == 0 {
                vec![]
            } else {
                vec![Living {
                    ids: vec![],
                    log_prob: 0.0,
                }]
            },
            finished: vec![],
            cut: vec![],
        }
    }

    /// Performs one step and returns parent and token of every hypothesis that stays alive.
    fn advance(
        &mut self,
        step: usize,
        rows: &[&[f32]],
        options: &DecodeOptions,
    ) -> Vec<(usize, u32)> {
        let (length, beam) = (step + 1, options.beam.max(1));
        let norm = options.penalty.of(length, options.alpha);
        let last = length >= self.limit;
        let strict = options.rule != Rule::Tensorflow || beam == 1;
        let mut next = vec![];
        for (rank, continuation) in self.likeliest(step, rows, options).into_iter().enumerate() {
            if continuation.word != options.eos {
                if next.len() < beam {
                    next.push(continuation);
                }
            } else if !strict || rank < beam {
                self.finish(&continuation, continuation.log_prob / norm, options);
            }
        }
        let before = std::mem::take(&mut self.alive);
        for &Continuation {
            parent,
            word,
            log_prob,
        } in &next
        {
            let ids = [&before[parent].ids[..], &[word]].concat();
            self.alive.push(Living { ids, log_prob });
        }
        if last || self.ended(options) {
            let cut = std::mem::take(&mut self.alive).into_iter();
            self.cut = cut
                .map(|living| Hypothesis {
                    ids: living.ids,
                    score: living.log_prob / norm,
                    log_prob: living.log_prob,
                    finished: false,
                })
                .collect();
            return vec![];
        }
        next.iter().map(|c| (c.parent, c.word)).collect()
    }

    /// Adds a finished hypothesis, unless the beam is full.
    fn finish(&mut self, end: &Continuation, score: f64, options: &DecodeOptions) {
        let beam = options.beam.max(1);
        if options.rule == Rule::Fairseq && self.finished.len() >= beam {
            return;
        }
        // After equally good ones, as in TensorFlow's top_k.
        let index = self.finished.partition_point(|h| h.score >= score);
        let hypothesis = Hypothesis {
            ids: self.alive[end.parent].ids.clone(),
            score,
            log_prob: end.log_prob,
            finished: true,
        };
        self.finished.insert(index, hypothesis);
        self.finished.truncate(beam);
    }

    /// True if enough hypotheses have finished and, by TensorFlow's rule, no living one could beat the worst of them.
    fn ended(&self, options: &DecodeOptions) -> bool {
        let beam = options.beam.max(1);
        if options.rule != Rule::Tensorflow || beam == 1 {
            return self.finished.len() >= beam;
        }
        let (Some(worst), Some(best)) = (self.finished.last(), self.alive.first()) else {
            return self.alive.is_empty();
        };
        // Upper bound for a living hypothesis: its log-probability only falls, and the penalty is largest at the length
        // limit or, with a negative exponent, at the next token.
        let next = best.ids.len() + 1;
        let penalties = [next, self.limit].map(|length| options.penalty.of(length, options.alpha));
        let reach = best.log_prob / penalties[0].max(penalties[1]);
        self.finished.len() >= options.nbest.min(beam) && worst.score > reach
    }

    /// Returns the `2 · beam` most probable continuations; of equally probable ones, the first. With that many, `beam`
    /// remain alive even if half end.
    fn likeliest(
        &self,
        step: usize,
        rows: &[&[f32]],
        options: &DecodeOptions,
    ) -> Vec<Continuation> {
        let most = options.beam.max(1).saturating_mul(2);
        // There may be fewer continuations than the beam is wide.
        let offered: usize = rows.iter().map(|row| row.len()).sum();
        let mut best = Likeliest::new(most, most.min(offered));
        let eos = options.eos as usize;
        let last = step + 1 >= self.limit;
        let forced = match (options.prefix.get(step), options.rule) {
            (Some(&word), _) => Some(word as usize),
            (None, Rule::Fairseq | Rule::Transformers) if last => Some(eos),
            _ => None,
        };
        let free = last && options.rule == Rule::Transformers && forced == Some(eos);
        for (parent, (row, living)) in rows.iter().zip(&self.alive).enumerate() {
            let before = living.log_prob;
            match forced {
                Some(word) if free => best.offer(parent, word, before),
                Some(word) => best.offer(parent, word, before + f64::from(row[word])),
                None => {
                    let mut from = 0;
                    // Few pieces contain a token that is probable enough.
                    while let Some(first) = piece_above(row, from, before, best.bar) {
                        from = row.len().min(first + PIECE);
                        for (word, log_prob) in (first..).zip(&row[first..from]) {
                            if word != eos || step >= options.min_len {
                                best.offer(parent, word, before + f64::from(*log_prob));
                            }
                        }
                    }
                }
            }
        }
        best.continuations
    }

    fn hypotheses(self, options: &DecodeOptions) -> Vec<Hypothesis> {
        let mut hypotheses = if self.finished.is_empty() {
            self.cut
        } else {
            self.finished
        };
        if hypotheses.is_empty() {
            // With damaged weights, no token may have a valid probability.
            hypotheses.push(Hypothesis {
                ids: vec![],
                score: f64::NEG_INFINITY,
                log_prob: f64::NEG_INFINITY,
                finished: false,
            });
        }
        hypotheses.truncate(options.nbest.max(1));
        hypotheses
    }
}

#[cfg(test)]
mod tests;
