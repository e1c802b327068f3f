//! Sampling: each next token is drawn at random, so that a sentence has many translations.

use super::beam::{Hypothesis, NextTokens};
use super::options::{DecodeOptions, Sampling};
use crate::tensor::random;
use ndarray_rand::rand::RngCore;

impl Sampling {
    // ANCHOR: choices
    /// The tokens that can be drawn, most probable first, with their probabilities, which sum to 1.
    /// Equally probable tokens keep their order.
    pub fn choices(&self, log_probs: &[f32]) -> Vec<(usize, f64)> {
        let mut words: Vec<usize> = (0..log_probs.len()).collect();
        words.sort_by(|&a, &b| log_probs[b].total_cmp(&log_probs[a]));
        let most = match (self.temperature == 0.0, self.top_k) {
            (true, _) => 1,
            (false, 0) => words.len(),
            (false, k) => k,
        };
        words.truncate(most);
        let Some(&best) = words.first() else {
            return vec![];
        };
        // Relative to the most probable token, so that exp can't overflow.
        let weight = |&word: &usize| {
            let below = f64::from(log_probs[word]) - f64::from(log_probs[best]);
            if word == best {
                1.0
            } else {
                (below / self.temperature).exp()
            }
        };
        let weights: Vec<f64> = words.iter().map(weight).collect();
        let all: f64 = weights.iter().sum();
        let mut reached = 0.0;
        let kept = weights.iter().take_while(|weight| {
            let wanted = reached < self.top_p * all || reached == 0.0;
            reached += **weight;
            wanted
        });
        let kept = kept.count();
        let sum: f64 = weights[..kept].iter().sum();
        let shares = words.into_iter().zip(weights).take(kept);
        shares
            .filter(|(_, weight)| *weight > 0.0)
            .map(|(word, weight)| (word, weight / sum))
            .collect()
    }
    // ANCHOR_END: choices

    /// Returns the token at `point`, at least 0 and below 1, when the probabilities of the choices are laid end to end.
    /// Panics if there are no tokens.
    #[track_caller]
    pub fn pick(&self, log_probs: &[f32], point: f64) -> usize {
        let choices = self.choices(log_probs);
        let mut before = 0.0;
        let hit = choices.iter().find(|(_, share)| {
            before += share;
            point < before
        });
        let &(word, _) = hit
            .or(choices.last())
            .expect("sample: there is no word to draw");
        word
    }
}

/// A sentence for which translations are drawn.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Name of the stream of random numbers. Equal keys give equal draws, wherever they are in a batch.
    pub key: String,
    /// Maximum number of tokens, including the EOS.
    pub limit: usize,
}

/// Draws `nbest` translations of each sentence and returns them in the order drawn. Scores are log-probabilities under
/// the model itself, before temperature and cut-offs. Without [`DecodeOptions::sampling`], the default sampling is used.
pub fn draw(
    next: &mut impl NextTokens,
    sentences: &[Draw],
    options: &DecodeOptions,
) -> Vec<Vec<Hypothesis>> {
    let (sampling, samples) = (options.sampling.unwrap_or_default(), options.nbest.max(1));
    let empty = Hypothesis {
        ids: vec![],
        score: 0.0,
        log_prob: 0.0,
        finished: false,
    };
    let mut samples_of = vec![vec![empty; samples]; sentences.len()];
    let each = (0..sentences.len()).flat_map(|s| (0..samples).map(move |n| (s, n)));
    let mut alive: Vec<_> = each
        .filter(|(s, _)| sentences[*s].limit > 0)
        .map(|(s, n)| {
            (
                s,
                n,
                random::generator(sampling.seed, &sentences[s].key, n as u64),
            )
        })
        .collect();
    let mut parents: Vec<usize> = alive.iter().map(|(s, ..)| *s).collect();
    let mut words = vec![options.bos; alive.len()];
    for step in 0.. {
        if alive.is_empty() {
            break;
        }
        let log_probs = next.next(&parents, &words);
        (parents, words) = (vec![], vec![]);
        let rows = alive
            .into_iter()
            .zip(log_probs.data().chunks(log_probs.last()));
        let mut living = vec![];
        for (row, ((s, n, mut rng), log_probs)) in rows.enumerate() {
            let eos = options.eos as usize;
            let word = match options.prefix.get(step) {
                Some(&word) => word as usize,
                None => {
                    let mut allowed = log_probs.to_vec();
                    if let Some(eos) = allowed.get_mut(eos).filter(|_| step < options.min_len) {
                        *eos = f32::NEG_INFINITY;
                    }
                    // 53 bits, the precision of an f64.
                    sampling.pick(
                        &allowed,
                        (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64,
                    )
                }
            };
            let hypothesis = &mut samples_of[s][n];
            hypothesis.log_prob += f64::from(log_probs[word]);
            hypothesis.score = hypothesis.log_prob;
            hypothesis.finished = word == eos;
            if hypothesis.finished {
                continue;
            }
            hypothesis.ids.push(word as u32);
            if step + 1 < sentences[s].limit {
                parents.push(row);
                words.push(word as u32);
                living.push((s, n, rng));
            }
        }
        alive = living;
    }
    samples_of
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: [f64; 4] = [0.1, 0.5, 0.15, 0.25];

    fn choices(sampling: Sampling) -> Vec<(usize, f64)> {
        sampling.choices(&ROW.map(|p| p.ln() as f32))
    }

    fn are(choices: &[(usize, f64)], expected: &[(usize, f64)]) {
        assert_eq!(choices.len(), expected.len(), "{choices:?}");
        for ((word, share), (expected, wanted)) in choices.iter().zip(expected) {
            assert!(
                word == expected && (share - wanted).abs() < 1e-6,
                "{choices:?}"
            );
        }
    }

    #[test]
    fn top_k_and_top_p_cut_the_tail_and_temperature_bends_it() {
        let all = Sampling::default();
        are(&choices(all), &[(1, 0.5), (3, 0.25), (2, 0.15), (0, 0.1)]);
        are(
            &choices(Sampling { top_k: 2, ..all }),
            &[(1, 2.0 / 3.0), (3, 1.0 / 3.0)],
        );
        are(
            &choices(Sampling { top_p: 0.6, ..all }),
            &[(1, 2.0 / 3.0), (3, 1.0 / 3.0)],
        );
        are(&choices(Sampling { top_p: 0.4, ..all }), &[(1, 1.0)]);
        are(&choices(Sampling { top_p: 0.0, ..all }), &[(1, 1.0)]);
        are(
            &choices(Sampling {
                temperature: 0.0,
                ..all
            }),
            &[(1, 1.0)],
        );
        let squares: f64 = ROW.iter().map(|p| p * p).sum();
        let sharp = Sampling {
            temperature: 0.5,
            ..all
        };
        are(&choices(sharp)[..1], &[(1, 0.25 / squares)]);
    }

    #[test]
    fn words_are_drawn_as_often_as_they_are_likely() {
        let row = ROW.map(|p| p.ln() as f32);
        let mut counts = [0.0; 4];
        for i in 0..1000 {
            counts[Sampling::default().pick(&row, f64::from(i) / 1000.0)] += 1.0;
        }
        for (count, p) in counts.iter().zip(ROW) {
            assert!((count - 1000.0 * p).abs() <= 1.0, "{counts:?}");
        }
    }
}
