//! Translation with a learner's parts: one forward pass and one step of beam search per token.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::order::{Line, Translated, Translation};
use super::parts::{GreedyFn, Mine, Parts};
use super::roles::translating;
use crate::autograd::Tape;
use crate::decode::beam::{Fate, Hypothesis, NextTokens};
use crate::decode::options::Penalty;
use crate::decode::stepwise::StepFn;
use crate::decode::{DecodeOptions, translate};
use crate::lesson::exercise::attempt;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::text::placeholder;
use crate::text::vocabulary::{BOS, EOS, PAD};
use crate::train::checkpoint::Translator;
use crate::transformer::Transformer;
use crate::transformer::config::{Masks, Shift, Start};

/// Beam size and exponent of the length penalty, as in `translate`.
const BEAM: usize = 4;
const ALPHA: f64 = 0.6;

/// Maximum number of source tokens, because a whole forward pass per token is slow.
const LONGEST: usize = 100;

/// A translator whose model uses the learner's functions.
pub struct Reader<'a> {
    translator: &'a Translator,
    /// The same model with masks of 1 and 0, which is the form that the exercises use.
    model: Transformer,
}

impl<'a> Reader<'a> {
    /// Prepares the translator. `Err` if the exercises don't fit the model's architecture.
    pub fn new(translator: &'a Translator) -> Result<Self, String> {
        let mut config = translator.model.config.clone();
        if config.shift != Shift::Ids {
            return Err(
                "This model shifts embeddings, as TensorFlow's does. The exercises shift ids: choose everyday, \
                 phrasebook or a run of your own."
                    .to_owned(),
            );
        }
        config.masks = Masks::Fill;
        let model = Transformer::new(&mut Params::layout(), &config);
        Ok(Self { translator, model })
    }

    /// Source ids of a line. `Err` if it is too long.
    fn source(&self, line: &str) -> Result<Vec<u32>, String> {
        let src = self.translator.pipeline.sentence(line).ids;
        let most = LONGEST.min(self.model.config.max_len);
        if src.len() <= most {
            Ok(src)
        } else {
            Err(format!(
                "This sentence has {} tokens; your model reads at most {most}, because it computes a whole forward \
                 pass for each token.",
                src.len()
            ))
        }
    }

    /// Translates each line with the learner's functions and with the references, and compares the two. `Err` if a line
    /// is too long.
    pub fn translate(&self, mine: &Mine, lines: &[String]) -> Result<Translated, String> {
        let mut out = Translated::default();
        for (n, line) in lines.iter().enumerate() {
            let src = self.source(line)?;
            let (mut own, calls) = self.translation(&mine.parts, &src);
            let (mut reference, _) = self.translation(&Parts::default(), &src);
            if n == 0 {
                out.calls = calls;
            }
            let expected = self.log_probs(&Parts::default(), &src, &own.ids);
            let far = |parts: &Parts| {
                let log_probs = attempt("", || self.log_probs(parts, &src, &own.ids)).ok()?;
                distance(&expected, &log_probs)
            };
            let alone = |name: &&str| {
                let only = Parts::default().with(name, &mine.parts);
                ((*name).to_owned(), far(&only))
            };
            // The search is around the forward pass, whose log-probabilities are compared.
            let in_pass = |name: &&&str| {
                translating()
                    .any(|of| of == **name && !["beam_step", "greedy_decode"].contains(&of))
            };
            let mut by_part: Vec<_> = mine.own.iter().filter(in_pass).map(alone).collect();
            // Those without a number first, then the largest.
            by_part.sort_by(|(_, a), (_, b)| {
                let size = |x: &Option<f32>| x.unwrap_or(f32::INFINITY);
                size(b).total_cmp(&size(a))
            });
            let difference = far(&mine.parts);
            let placeholders = self.translator.pipeline.sentence(line).placeholders;
            let restored = |text: &str| placeholder::restore(text, &placeholders);
            let greedy = mine.parts.greedy_decode.map(|greedy| {
                let (own, calls) = self.greedy(greedy, &mine.parts, &src);
                if n == 0 {
                    out.calls.insert("greedy_decode".to_owned(), calls);
                }
                [own, self.greedy_of_engine(&src)].map(|text| restored(&text))
            });
            for one in [&mut own, &mut reference] {
                one.text = restored(&one.text);
            }
            out.lines.push(Line {
                source: line.clone(),
                difference,
                own,
                reference,
                by_part,
                greedy,
            });
        }
        Ok(out)
    }

    fn translation(&self, parts: &Parts, src: &[u32]) -> (Translation, BTreeMap<String, usize>) {
        let mut next = Next {
            reader: self,
            parts,
            src,
            rows: vec![vec![]],
            calls: BTreeMap::new(),
        };
        let (best, steps) = search(&mut next, parts.beam_step, self.limit(src));
        let mut calls = next.calls;
        calls.insert("beam_step".to_owned(), steps);
        let translation = Translation {
            text: self.translator.pipeline.target.text(&best.ids),
            log_prob: Some(best.log_prob).filter(|p| p.is_finite()),
            ids: best.ids,
        };
        (translation, calls)
    }

    /// Translation that `greedy` writes with the model of `parts`, and how often it asked the model.
    fn greedy(&self, greedy: GreedyFn, parts: &Parts, src: &[u32]) -> (String, usize) {
        let asked = Cell::new(0);
        let next = |tokens: &[usize]| {
            asked.set(asked.get() + 1);
            let prefix: Vec<u32> = tokens.iter().map(|&id| id as u32).collect();
            let tape = parts.on(Tape::eval(&self.translator.params));
            let rows = self.pass(&tape, src, &[&prefix]);
            let width = rows.last();
            rows.data()[rows.len() - width..].to_vec()
        };
        let written = greedy(&next, self.limit(src));
        let ids: Vec<u32> = written.iter().map(|&id| id as u32).collect();
        (self.translator.pipeline.target.text(&ids), asked.get())
    }

    /// Translation of the engine's greedy search.
    fn greedy_of_engine(&self, src: &[u32]) -> String {
        let (t, mut options) = (self.translator, DecodeOptions::default());
        options.beam = 1;
        options.max_len = Some(self.limit(src));
        let translations = translate(&t.model, &t.params, &[src.to_vec()], &options);
        t.pipeline.target.text(&translations[0][0].ids)
    }

    /// Maximum number of tokens of a translation.
    fn limit(&self, src: &[u32]) -> usize {
        (2 * src.len() + 10).min(self.model.config.max_len)
    }

    /// Log-probabilities `[tokens + 1, vocabulary]` of the token after each position, from the start token on.
    fn log_probs(&self, parts: &Parts, src: &[u32], tgt: &[u32]) -> Tensor {
        let prefix = [&[BOS as u32], tgt].concat();
        let tape = parts.on(Tape::eval(&self.translator.params));
        self.pass(&tape, src, &[&prefix])
    }

    /// Forward pass for rows of equal length with the same source: `[rows · length, vocabulary]`.
    fn pass(&self, tape: &Tape, src: &[u32], rows: &[&[u32]]) -> Tensor {
        let ids = |name: &str, rows: &[&[u32]], axis| {
            let cells = rows.iter().flat_map(|row| row.iter().map(|&id| id as f32));
            let shape = [rows.len(), rows[0].len()];
            tape.ids(name, Tensor::new(&shape, cells.collect()), &["b", axis])
        };
        let src = ids("src", &vec![src; rows.len()], "s");
        let tgt = ids("tgt", rows, "t");
        let log_probs = self.model.forward(&src, &tgt).log_probs.value();
        let vocabulary = self.model.config.tgt_vocab;
        let (n, length) = (rows.len(), rows[0].len());
        assert!(
            log_probs.shape() == [n, length, vocabulary],
            "the log-probabilities have the shape {:?}; it must be [batch, target, tgt_vocab], here {:?}",
            log_probs.shape(),
            [n, length, vocabulary]
        );
        log_probs.reshape(&[n * length, vocabulary])
    }
}

/// Beam search with `step`, until no live hypothesis can overtake the best finished one or `limit` tokens are written.
/// Returns the best hypothesis and the number of steps.
fn search(next: &mut impl NextTokens, step: StepFn, limit: usize) -> (Hypothesis, usize) {
    let mut alive: Vec<Vec<u32>> = vec![vec![]];
    let (mut parents, mut words, mut sums) = (vec![0], vec![BOS as u32], vec![0.0]);
    let mut best: Option<Hypothesis> = None;
    let mut steps = 0;
    while steps < limit && !parents.is_empty() {
        steps += 1;
        let rows = next.next(&parents, &words);
        let branches = step(&sums, &rows, BEAM, EOS as u32, steps, ALPHA);
        let mut living = Vec::new();
        for branch in &branches {
            assert!(
                branch.parent < alive.len(),
                "beam_step: a branch continues hypothesis {}, but there are {}",
                branch.parent,
                alive.len()
            );
            match branch.fate {
                Fate::Alive(rank) => living.push((rank, branch)),
                Fate::Finished if best.as_ref().is_none_or(|b| branch.score > b.score) => {
                    best = Some(Hypothesis {
                        ids: alive[branch.parent].clone(),
                        score: branch.score,
                        log_prob: branch.log_prob,
                        finished: true,
                    });
                }
                Fate::Finished | Fate::Pruned => {}
            }
        }
        living.sort_by_key(|(rank, _)| *rank);
        let longer = living
            .iter()
            .map(|(_, b)| [&alive[b.parent][..], &[b.word]].concat());
        alive = longer.collect();
        (parents, words) = living.iter().map(|(_, b)| (b.parent, b.word)).unzip();
        sums = living.iter().map(|(_, b)| b.log_prob).collect();
        // Upper bound for a live hypothesis: its probability only falls, and its length penalty is largest at the end.
        let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let reach = most / Penalty::Gnmt.of(limit, ALPHA);
        if best.as_ref().is_some_and(|best| best.score > reach) {
            break;
        }
    }
    let cut = || Hypothesis {
        ids: alive.first().cloned().unwrap_or_default(),
        score: f64::NEG_INFINITY,
        log_prob: sums.first().copied().unwrap_or(f64::NEG_INFINITY),
        finished: false,
    };
    (best.unwrap_or_else(cut), steps)
}

/// Largest difference between corresponding cells of two tensors; `None` if their shapes differ or it is not finite.
fn distance(a: &Tensor, b: &Tensor) -> Option<f32> {
    if a.shape() != b.shape() {
        return None;
    }
    let cells = a.data().iter().zip(b.data());
    let far = cells.map(|(a, b)| if a == b { 0.0 } else { (a - b).abs() });
    let far = far.fold(
        0.0,
        |most: f32, x| if x > most || x.is_nan() { x } else { most },
    );
    Some(far).filter(|far| far.is_finite())
}

/// Scores next tokens with the learner's model, using a whole forward pass for each.
struct Next<'a> {
    reader: &'a Reader<'a>,
    parts: &'a Parts,
    src: &'a [u32],
    /// Decoder input of each hypothesis.
    rows: Vec<Vec<u32>>,
    calls: BTreeMap<String, usize>,
}

impl NextTokens for Next<'_> {
    fn next(&mut self, parents: &[usize], words: &[u32]) -> Tensor {
        let longer = parents.iter().zip(words);
        let longer = longer.map(|(&parent, &word)| [&self.rows[parent][..], &[word]].concat());
        self.rows = longer.collect();
        let rows: Vec<&[u32]> = self.rows.iter().map(Vec::as_slice).collect();
        let tape = self.parts.on(Tape::eval(&self.reader.translator.params));
        let log_probs = self.reader.pass(&tape, self.src, &rows);
        for (name, calls) in tape.calls() {
            *self.calls.entry(name.to_owned()).or_default() += calls;
        }
        let (length, vocabulary) = (rows[0].len(), log_probs.last());
        let last = log_probs
            .data()
            .chunks(vocabulary)
            .skip(length - 1)
            .step_by(length);
        let mut last: Vec<f32> = last.flatten().copied().collect();
        if self.reader.model.config.start == Start::Padding {
            // Marian's models give padding a probability, but must never write it.
            last.iter_mut()
                .skip(PAD)
                .step_by(vocabulary)
                .for_each(|p| *p = f32::NEG_INFINITY);
        }
        Tensor::new(&[rows.len(), vocabulary], last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::attention::Attention;
    use crate::train::built_in::BuiltIn;

    const SENTENCE: &str = "Der Hund schläft im Garten.";

    fn mine(change: impl FnOnce(&mut Parts), own: &'static str) -> Mine {
        let mut mine = Mine {
            own: vec![own],
            ..Mine::default()
        };
        change(&mut mine.parts);
        mine
    }

    #[test]
    fn the_references_write_what_translate_writes() {
        for model in BuiltIn::ALL {
            let t = model.translator();
            let src = t.pipeline.sentence(SENTENCE).ids;
            let engine = translate(&t.model, &t.params, &[src], &DecodeOptions::default());
            let reader = Reader::new(t).expect("it shifts ids");
            let translated = reader.translate(&Mine::default(), &[SENTENCE.to_owned()]);
            let translated = translated.expect("it is short");
            let line = &translated.lines[0];
            assert_eq!(line.own, line.reference);
            assert_eq!(line.own.ids, engine[0][0].ids, "{}", line.own.text);
            let near = line.own.log_prob.expect("it is finite") - engine[0][0].log_prob;
            assert!(near.abs() < 1e-3, "{near}");
            assert_eq!(line.difference, Some(0.0));
            assert!(translated.calls["attention"] > translated.calls["pass"]);
        }
    }

    #[test]
    fn a_wrong_function_is_named_by_its_own_difference() {
        let reader = Reader::new(BuiltIn::Phrasebook.translator()).expect("it shifts ids");
        let unscaled = |q: &crate::autograd::Var,
                        k: &crate::autograd::Var,
                        v: &crate::autograd::Var,
                        _: Option<&crate::autograd::Var>,
                        _: f32| {
            let weights = q.matmul_t(k).softmax();
            Attention {
                context: weights.matmul(v),
                weights,
            }
        };
        let mut mine = mine(|parts| parts.attention = unscaled, "attention");
        mine.own.push("feed_forward");
        let translated = reader.translate(&mine, &[SENTENCE.to_owned()]);
        let translated = translated.expect("it is short");
        let by_part = &translated.lines[0].by_part;
        assert_eq!(by_part[0].0, "attention");
        assert!(by_part[0].1.is_some_and(|far| far > 0.1), "{by_part:?}");
        assert_eq!(by_part[1], ("feed_forward".to_owned(), Some(0.0)));
    }
}
