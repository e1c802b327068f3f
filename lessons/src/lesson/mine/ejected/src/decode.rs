//! Translating: the model predicts one token at a time, and a search decides which to write.

use std::path::Path;

use crate::autograd::Tape;
use crate::functions::{beam_step, greedy_decode};
use crate::params::{self, Params, Source};
use crate::tensor::Tensor;
use crate::text::Tokenizer;
use crate::text::vocabulary::{BOS, EOS, PAD};
use crate::transformer::{Config, Transformer};
use beam::Fate;

/// The longest sentence that the translator was trained for, in tokens.
const LONGEST: usize = 164;

/// The exponent of the length penalty in a beam search.
const ALPHA: f64 = 0.6;

pub mod beam {
    /// A hypothesis of a beam search, continued by one token.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Branch {
        /// The hypothesis that it continues.
        pub parent: usize,
        /// The new token.
        pub word: u32,
        /// The log-probability of all its tokens.
        pub log_prob: f64,
        /// The log-probability divided by the length penalty.
        pub score: f64,
        pub fate: Fate,
    }

    /// What becomes of a branch.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Fate {
        /// It stays, in this place.
        Alive(usize),
        /// It ended.
        Finished,
        /// It was given up.
        Pruned,
    }
}

/// A trained model with its tokenizer.
pub struct Translator {
    model: Transformer,
    params: Params,
    pub tokenizer: Tokenizer,
}

impl Translator {
    /// Reads the files of a folder.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let tokenizer = Tokenizer::read(&folder.join("pieces.txt"))?;
        let config = Config::translator(tokenizer.len());
        let (model, params) = Transformer::new(&config, Source::Read(params::read(folder)?));
        Ok(Self {
            model,
            params,
            tokenizer,
        })
    }

    /// The ids of a sentence's translation. A beam of 1 is a greedy search.
    pub fn translate(&self, sentence: &str, beam: usize) -> Result<Vec<usize>, String> {
        let src = self.tokenizer.encode(sentence);
        if src.len() > LONGEST {
            return Err(format!(
                "this sentence has {} tokens; the model reads {LONGEST}",
                src.len()
            ));
        }
        let limit = (2 * src.len() + 10).min(LONGEST);
        if beam > 1 {
            return Ok(self.search(&src, beam, limit));
        }
        let next = |tokens: &[usize]| self.log_probs(&src, &[tokens.to_vec()]).data().to_vec();
        Ok(greedy_decode(&next, limit))
    }

    /// The log-probabilities of the token after each row of `tgt`, whose rows have one length: `[rows, vocabulary]`.
    fn log_probs(&self, src: &[usize], tgt: &[Vec<usize>]) -> Tensor {
        let tape = Tape::eval(&self.params);
        let ids = |rows: &[Vec<usize>]| {
            let cells = rows.iter().flatten().map(|&id| id as f32);
            Tensor::new(&[rows.len(), rows[0].len()], cells.collect())
        };
        let src = tape.ids("src", ids(&vec![src.to_vec(); tgt.len()]), &["b", "s"]);
        let tgt = tape.ids("tgt", ids(tgt), &["b", "t"]);
        let all = self.model.forward(&src, &tgt).log_probs.value();
        let &[rows, length, vocabulary] = all.shape() else {
            panic!(
                "log-probabilities must be [batch, target, vocabulary], not {:?}",
                all.shape()
            );
        };
        Tensor::from_fn(&[rows, vocabulary], |i| match i[1] {
            PAD => f32::NEG_INFINITY,
            word => all.at(&[i[0], length - 1, word]),
        })
    }

    /// Beam search: keeps the best few hypotheses until none of them can overtake the best that has ended.
    fn search(&self, src: &[usize], beam: usize, limit: usize) -> Vec<usize> {
        let mut alive = vec![vec![BOS]];
        let mut sums = vec![0.0];
        let mut best: Option<(f64, Vec<usize>)> = None;
        for length in 1..=limit {
            let next = self.log_probs(src, &alive);
            let branches = beam_step(&sums, &next, beam, EOS as u32, length, ALPHA);
            let mut longer = vec![];
            for branch in &branches {
                let parent = &alive[branch.parent];
                match branch.fate {
                    Fate::Alive(place) => {
                        let tokens = [&parent[..], &[branch.word as usize]].concat();
                        longer.push((place, tokens, branch.log_prob));
                    }
                    Fate::Finished
                        if best.as_ref().is_none_or(|(score, _)| branch.score > *score) =>
                    {
                        best = Some((branch.score, parent.clone()));
                    }
                    Fate::Finished | Fate::Pruned => {}
                }
            }
            longer.sort_by_key(|(place, ..)| *place);
            sums = longer.iter().map(|(.., log_prob)| *log_prob).collect();
            alive = longer.into_iter().map(|(_, tokens, _)| tokens).collect();
            // A log-probability only falls, and the penalty is largest at the limit.
            let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let reach = most / ((5.0 + limit as f64) / 6.0).powf(ALPHA);
            if alive.is_empty() || best.as_ref().is_some_and(|(score, _)| *score > reach) {
                break;
            }
        }
        let tokens = best
            .map(|(_, tokens)| tokens)
            .or_else(|| alive.into_iter().next());
        tokens.unwrap_or_default().split_off(1)
    }
}
