//! Decoding as the lessons explain it: separate functions for the loop, a step of beam search, and the final choice.
//!
//! [`search`](super::beam::search) does the same for many sentences at once; tests check that the results are equal.

use super::beam::{Branch, Fate, Hypothesis, NextTokens};
use super::greedy::likeliest;
use super::options::Penalty;
use crate::autograd::Tape;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::text::vocabulary::{BOS, EOS};
use crate::transformer::Transformer;

// ANCHOR: loop
/// Appends the most probable token, again and again, until it is EOS or `limit` tokens are written.
pub fn greedy_loop(model: &Transformer, params: &Params, src: &[u32], limit: usize) -> Vec<u32> {
    let context = encode(model, params, src);
    let mut tgt = vec![BOS as u32];
    while tgt.last() != Some(&(EOS as u32)) && tgt.len() <= limit {
        let out = decode(model, params, &tgt, src, &context); // [target, vocabulary]
        let last = out.data().chunks(out.last()).next_back();
        tgt.push(likeliest(last.expect("every word has a row")) as u32);
    }
    tgt
}
// ANCHOR_END: loop

/// Computes the memory of one sentence, `[1, source, d_model]`.
pub fn encode(model: &Transformer, params: &Params, src: &[u32]) -> Tensor {
    let tape = Tape::eval(params).fused();
    let ids = tape.ids("src", row(src), &["b", "s"]);
    model.encode(&ids, &model.src_mask(&ids)).value()
}

/// Computes the log-probabilities of the token after each token of `tgt`, `[target, vocabulary]`.
pub fn decode(
    model: &Transformer,
    params: &Params,
    tgt: &[u32],
    src: &[u32],
    memory: &Tensor,
) -> Tensor {
    let tape = Tape::eval(params).fused();
    let (src, tgt) = (
        tape.ids("src", row(src), &["b", "s"]),
        tape.ids("tgt", row(tgt), &["b", "t"]),
    );
    let memory = tape.constant("memory", memory.clone(), &["b", "s", "d"]);
    let (src_mask, tgt_mask) = (model.src_mask(&src), model.future_mask(&tgt));
    let hidden = model.decode(&memory, &src_mask, &tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden).value();
    log_probs.reshape(&log_probs.shape()[1..])
}

fn row(ids: &[u32]) -> Tensor {
    Tensor::new(&[1, ids.len()], ids.iter().map(|&id| id as f32).collect())
}

crate::reference! { "beam_step";
// ANCHOR: forward
/// One step of beam search: the `2 · beam` most probable continuations, best first, each with its
/// fate.
///
/// `alive` has the log-probability of each hypothesis, `next [hypotheses, vocabulary]` those of its
/// next token. Continuations that write `eos` have ended; the first `beam` of the rest are kept.
/// `length` counts tokens, including the new one; scores are log-probabilities divided by
/// `((5 + length) / 6)^alpha`.
pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut branches = Vec::new();
    for (parent, (row, before)) in next.data().chunks(next.last()).zip(alive).enumerate() {
        for (word, log_prob) in row.iter().enumerate() {
            let log_prob = before + f64::from(*log_prob);
            branches.push(Branch {
                parent,
                word: word as u32,
                log_prob,
                score: log_prob / penalty,
                fate: Fate::Pruned,
            });
        }
    }
    branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    branches.truncate(2 * beam);
    let mut places = 0..beam;
    for branch in &mut branches {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if let Some(place) = places.next() {
            branch.fate = Fate::Alive(place);
        }
    }
    branches
}
// ANCHOR_END: forward
}

/// Signature of [`beam_step`].
pub type StepFn = fn(&[f64], &Tensor, usize, u32, usize, f64) -> Vec<Branch>;

/// The `2 · beam` most probable continuations at one step, most probable first.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Continuations, both kept and discarded.
    pub branches: Vec<Branch>,
}

impl Step {
    /// Returns the log-probability that a continuation had to beat to stay alive: that of the last one kept.
    pub fn bar(&self) -> Option<f64> {
        let alive = |branch: &&Branch| matches!(branch.fate, Fate::Alive(_));
        self.branches.iter().rfind(alive).map(|b| b.log_prob)
    }
}

/// Record of a whole search that contains the answer for any exponent of the length penalty from 0 to `most`.
pub struct Tree {
    /// Continuations at each step.
    pub steps: Vec<Step>,
    /// Tokens of the living hypotheses before each step.
    pub alive: Vec<Vec<Vec<u32>>>,
}

impl Tree {
    /// Searches with `step` until `beam` hypotheses have ended that no living one can overtake with any exponent from 0
    /// to `most`, or until `limit` tokens are written.
    pub fn grow(
        next: &mut impl NextTokens,
        step: StepFn,
        beam: usize,
        limit: usize,
        most: f64,
    ) -> Self {
        let mut tree = Self {
            steps: vec![],
            alive: vec![vec![vec![]]],
        };
        let (mut parents, mut words, mut sums) = (vec![0], vec![BOS as u32], vec![0.0]);
        for length in 1..=limit {
            let rows = next.next(&parents, &words);
            let branches = step(&sums, &rows, beam, EOS as u32, length, most);
            let mut living: Vec<(usize, &Branch)> = branches
                .iter()
                .filter_map(|branch| match branch.fate {
                    Fate::Alive(rank) => Some((rank, branch)),
                    _ => None,
                })
                .collect();
            living.sort_by_key(|(rank, _)| *rank);
            let living: Vec<&Branch> = living.into_iter().map(|(_, branch)| branch).collect();
            let before = tree.alive.last().expect("there is a first");
            let longer = |b: &&Branch| [&before[b.parent][..], &[b.word]].concat();
            let longer: Vec<Vec<u32>> = living.iter().map(longer).collect();
            (parents, words) = living.iter().map(|b| (b.parent, b.word)).unzip();
            sums = living.iter().map(|b| b.log_prob).collect();
            tree.steps.push(Step { branches });
            tree.alive.push(longer);
            if sums.is_empty() || tree.settled(&sums, beam, limit, most) {
                break;
            }
        }
        tree
    }

    fn settled(&self, sums: &[f64], beam: usize, limit: usize, most: f64) -> bool {
        let best = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // The two ends suffice, because for each hypothesis the condition is monotonic in the exponent.
        [0.0, most].iter().all(|&alpha| {
            let ended = self.ended(alpha);
            let reach = best / Penalty::Gnmt.of(limit, alpha);
            ended.get(beam - 1).is_some_and(|h| h.score > reach)
        })
    }

    // ANCHOR: choose
    /// All finished hypotheses, best first. The score is the log-probability divided by the penalty
    /// for the length, including the EOS.
    pub fn ended(&self, alpha: f64) -> Vec<Hypothesis> {
        let mut all = Vec::new();
        for (n, step) in self.steps.iter().enumerate() {
            let penalty = Penalty::Gnmt.of(n + 1, alpha);
            let ended = step.branches.iter().filter(|b| b.fate == Fate::Finished);
            all.extend(ended.map(|b| Hypothesis {
                ids: self.alive[n][b.parent].clone(),
                score: b.log_prob / penalty,
                log_prob: b.log_prob,
                finished: true,
            }));
        }
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
        all
    }
    // ANCHOR_END: choose

    /// Returns the best finished hypothesis or, if none has finished, the most probable living one.
    pub fn best(&self, alpha: f64) -> Hypothesis {
        self.ended(alpha).into_iter().next().unwrap_or_else(|| {
            let last = self.steps.last().map_or(&[][..], |step| &step.branches);
            let alive = last.iter().find(|b| b.fate == Fate::Alive(0));
            let log_prob = alive.map_or(0.0, |b| b.log_prob);
            let ids = self.alive.last().and_then(|alive| alive.first()).cloned();
            Hypothesis {
                ids: ids.unwrap_or_default(),
                score: log_prob / Penalty::Gnmt.of(self.steps.len(), alpha),
                log_prob,
                finished: false,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::beam::search;
    use crate::decode::next_tokens::Uncached;
    use crate::decode::options::DecodeOptions;
    use crate::decode::translate::translate;
    use crate::train::built_in::BuiltIn;

    const SENTENCES: [&str; 3] = [
        "Die junge Lehrerin liest heute ein Buch .",
        "Der Mann , der den Hund sieht , schläft .",
        "Ich habe gestern den alten Brief geschrieben .",
    ];

    #[test]
    fn the_loop_writes_what_translate_writes_greedily() {
        let t = BuiltIn::Phrasebook.translator();
        for line in SENTENCES {
            let src = t.pipeline.source_ids(line);
            let tgt = greedy_loop(&t.model, &t.params, &src, 30);
            let options = DecodeOptions::greedy();
            let translation = translate(&t.model, &t.params, &[src], &options).remove(0);
            assert_eq!(tgt[1..tgt.len() - 1], translation[0].ids);
            assert_eq!(tgt.last(), Some(&(EOS as u32)));
        }
    }

    /// Three steps of two hypotheses; EOS, the third token, has probability 0.
    struct Table(usize);

    impl NextTokens for Table {
        fn next(&mut self, parents: &[usize], _: &[u32]) -> Tensor {
            let steps = [
                [[0.7, 0.2, 0.0, 0.1]; 2],
                [[0.4, 0.35, 0.0, 0.25], [0.8, 0.1, 0.0, 0.1]],
                [[0.1, 0.8, 0.0, 0.1], [0.2, 0.1, 0.0, 0.7]],
            ];
            let rows: Vec<f32> = steps[self.0][..parents.len()].concat();
            self.0 += 1;
            Tensor::new(&[parents.len(), 4], rows).map(f32::ln)
        }
    }

    #[test]
    fn a_branch_below_the_bar_is_pruned_and_parents_spell_the_best_living_hypothesis() {
        let tree = Tree::grow(&mut Table(0), beam_step, 2, 3, 0.6);
        assert_eq!(tree.steps.len(), 3);
        for step in &tree.steps {
            let bar = step.bar().unwrap();
            for branch in &step.branches {
                match branch.fate {
                    Fate::Alive(_) => assert!(branch.log_prob >= bar, "{branch:?}"),
                    Fate::Pruned => assert!(branch.log_prob <= bar, "{branch:?}"),
                    Fate::Finished => {}
                }
            }
        }
        let (mut rank, mut spelled) = (0, vec![]);
        for step in tree.steps.iter().rev() {
            let here = |branch: &&Branch| branch.fate == Fate::Alive(rank);
            let branch = step.branches.iter().find(here).unwrap();
            spelled.insert(0, branch.word);
            rank = branch.parent;
        }
        // 0.7 · 0.4 · 0.8 = 0.224; the next is 0.7 · 0.35 · 0.7 = 0.1715.
        assert_eq!(spelled, [0, 0, 1]);
        assert_eq!(tree.alive[3][0], spelled);
    }

    #[test]
    fn one_tree_holds_the_answer_of_every_exponent() {
        let t = BuiltIn::Phrasebook.translator();
        for line in SENTENCES {
            let src = t.pipeline.source_ids(line);
            let words = || Uncached::new(&t.model, &t.params, &[&src]);
            let tree = Tree::grow(&mut words(), beam_step, 4, 24, 2.0);
            for alpha in [0.0, 0.6, 1.0, 2.0] {
                let options = DecodeOptions {
                    nbest: 4,
                    alpha,
                    ..DecodeOptions::default()
                };
                let hypotheses = search(&mut words(), &[24], &options).remove(0);
                let ours = tree.ended(alpha);
                for (a, b) in ours.iter().zip(&hypotheses) {
                    assert_eq!(a.ids, b.ids, "{line} {alpha}");
                    assert!((a.score - b.score).abs() < 1e-9);
                }
            }
        }
    }
}
