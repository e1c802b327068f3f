//! A corpus whose sentences are segmented and spelled differently in every epoch, so that a model learns words from
//! their parts and can read what people type.

use ndarray_rand::rand::Rng;

use super::corpus::Corpus;
use super::pairs::Pair;
use super::supplement::Supplement;
use crate::tensor::random::generator;
use crate::tensor::{shared, threads};
use crate::text::pipeline::Pipeline;
use crate::text::placeholder;
use crate::text::typing::{as_typed, renamed};
use crate::text::vocabulary::{BOS, EOS};

/// How much sentences vary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// Exponent of subword regularisation, see
    /// [`SentencePiece::sample`](crate::text::sentencepiece::SentencePiece::sample); 0 takes the likeliest pieces.
    pub sampling: f32,
    /// Share of source sentences that are spelled as people type, see [`as_typed`].
    pub typing: f32,
    /// Share of pairs whose names are replaced by made-up ones, see [`renamed`].
    pub names: f32,
}

impl Amount {
    /// True if anything varies.
    pub fn is_some(&self) -> bool {
        self.sampling > 0.0 || self.typing > 0.0 || self.names > 0.0
    }
}

/// The lines of a corpus, and how they vary.
#[derive(Clone, Debug)]
pub struct Variation {
    /// Source and target lines.
    pub lines: Vec<Pair>,
    /// Pairs added to them in every epoch.
    pub supplement: Option<Supplement>,
    /// Fraction of training that each epoch completes.
    pub share: f64,
    /// Conversion of text to ids.
    pub pipeline: Pipeline,
    /// How much they vary.
    pub amount: Amount,
    /// Maximum length of a sentence, in tokens. If the sampled pieces exceed it, the likeliest ones are used, and
    /// truncated.
    pub longest: usize,
    /// Seed of everything random, together with the numbers of the epoch and the pair.
    pub seed: u64,
}

impl Variation {
    /// Pairs of an epoch, in the order of the lines: the same for the same epoch, whatever the number of threads.
    pub fn epoch(&self, number: u64) -> Corpus {
        let done = (number as f64 * self.share).min(1.0);
        let added = self.supplement.as_ref();
        let added = added.map_or(Vec::new(), |supplement| supplement.epoch(number, done));
        let lines: Vec<&Pair> = self.lines.iter().chain(&added).collect();
        let each = lines.len().div_ceil(threads()).max(1);
        let parts: Vec<(usize, _)> = lines.chunks(each).enumerate().collect();
        let mut pairs: Vec<Vec<(Vec<u32>, Vec<u32>)>> = vec![Vec::new(); parts.len()];
        let parts = parts.into_iter().zip(&mut pairs).collect();
        shared(parts, |((part, lines), pairs)| {
            let numbered = lines.iter().enumerate();
            *pairs = numbered
                .map(|(n, line)| self.pair(number, part * each + n, line))
                .collect();
        });
        Corpus {
            pairs: pairs.concat(),
            ..Corpus::default()
        }
    }

    fn pair(&self, epoch: u64, n: usize, (source, target): &Pair) -> (Vec<u32>, Vec<u32>) {
        let Pipeline {
            source: from,
            target: to,
            ..
        } = &self.pipeline;
        let mut rng = generator(self.seed, "variation", (epoch << 32) | n as u64);
        let (source, target) = if rng.random_bool(self.amount.names.into()) {
            renamed(source, target, &mut rng)
        } else {
            (source.clone(), target.clone())
        };
        let (source, target) = if from.hides() {
            placeholder::hide_in_both(&source, &target, &mut rng)
        } else {
            (source, target)
        };
        let typed = if rng.random_bool(self.amount.typing.into()) {
            as_typed(&source, &mut rng)
        } else {
            source
        };
        let power = f64::from(self.amount.sampling);
        let mut ids = |side: &crate::text::pipeline::Side, line: &str| {
            let drawn = (power > 0.0).then(|| side.sampled_ids(line, power, &mut rng));
            let drawn = drawn.filter(|ids| ids.len() <= self.longest);
            let mut ids = drawn.unwrap_or_else(|| side.ids(line));
            ids.truncate(self.longest);
            ids.push(EOS as u32);
            ids
        };
        let source = ids(from, &typed);
        let target = ids(to, &target);
        (source, [&[BOS as u32], &target[..]].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::on_threads;

    fn variation(amount: Amount) -> Variation {
        let line = |n: usize| (format!("Der Hund läuft {n}."), format!("The dog runs {n}."));
        let lines: Vec<Pair> = (0..40).map(line).collect();
        let all = lines.iter().flat_map(|(a, b)| [a.as_str(), b.as_str()]);
        let pieces = crate::text::sentencepiece::learn(all, 40);
        Variation {
            lines,
            supplement: None,
            share: 1.0,
            pipeline: Pipeline::of_pieces(&pieces),
            amount,
            longest: 100,
            seed: 1,
        }
    }

    #[test]
    fn a_pass_is_decided_by_its_number_alone_and_says_the_same_text() {
        let varied = variation(Amount {
            sampling: 0.3,
            typing: 0.0,
            names: 0.0,
        });
        let epoch = on_threads(1, || varied.epoch(1));
        assert_eq!(epoch, on_threads(3, || varied.epoch(1)));
        assert_ne!(epoch, varied.epoch(2));
        for (pair, line) in epoch.pairs.iter().zip(&varied.lines) {
            assert_eq!(varied.pipeline.source.joined(&pair.0), line.0);
            assert_eq!(varied.pipeline.target.joined(&pair.1), line.1);
            assert_eq!((pair.1[0], *pair.1.last().unwrap()), (1, 2));
        }
    }

    #[test]
    fn without_an_amount_nothing_varies_and_with_typing_only_the_source() {
        let none = variation(Amount {
            sampling: 0.0,
            typing: 0.0,
            names: 0.0,
        });
        let plain = none.epoch(3);
        assert_eq!(plain, none.epoch(4));
        let typed = variation(Amount {
            sampling: 0.0,
            typing: 1.0,
            names: 0.0,
        });
        let typed = typed.epoch(3);
        let both = || plain.pairs.iter().zip(&typed.pairs);
        assert!(both().filter(|(a, b)| a.0 != b.0).count() > 20);
        assert!(both().all(|(a, b)| a.1 == b.1));
    }
}
