//! Pairs that are added to a corpus in every epoch: dictionary entries, and sentences made from patterns.

use ndarray_rand::rand::Rng;
use ndarray_rand::rand::distr::Distribution;
use ndarray_rand::rand::distr::weighted::WeightedIndex;

use super::dictionary::Dictionary;
use super::pairs::Pair;
use super::patterns::{Fillers, Patterns};
use crate::tensor::random::generator;

/// How much is added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// Fraction of the dictionary's phrases that an epoch includes.
    pub phrases: f32,
    /// Single dictionary words per pair of the corpus.
    pub words: f32,
    /// Sentences made from patterns per pair of the corpus.
    pub patterns: f32,
    /// Final fraction of training, over which phrases and words fade out.
    pub fade: f32,
}

/// Source of the pairs added to a corpus.
#[derive(Clone, Debug)]
pub struct Supplement {
    dictionary: Dictionary,
    fillers: Fillers,
    /// Weights for drawing the words.
    weights: Option<WeightedIndex<f64>>,
    share: Share,
    /// Number of pairs in the corpus.
    pairs: usize,
    seed: u64,
}

/// Exponent of a word's count: common words are drawn more often than rare ones, but less so than they occur.
const EVENNESS: f64 = 0.35;
/// Number of times each greeting or proverb occurs in an epoch.
const SAYINGS: usize = 4;

impl Supplement {
    /// Creates the supplement of a corpus of `pairs` pairs.
    pub fn new(dictionary: Dictionary, share: Share, pairs: usize, seed: u64) -> Self {
        let weights = dictionary
            .words
            .iter()
            .map(|word| word.count.powf(EVENNESS));
        Self {
            fillers: Fillers::of(&dictionary),
            weights: WeightedIndex::new(weights).ok(),
            dictionary,
            share,
            pairs,
            seed,
        }
    }

    /// Pairs for epoch `number` when a fraction `done` of training, from 0 to 1, is complete. The same arguments give
    /// the same pairs.
    pub fn epoch(&self, number: u64, done: f64) -> Vec<Pair> {
        let mut rng = generator(self.seed, "supplement", number);
        let left = self.left(done);
        let mut all = self.dictionary.sentences.clone();
        for _ in 1..SAYINGS {
            all.extend_from_slice(&self.dictionary.sayings);
        }
        let phrases = f64::from(self.share.phrases) * left;
        all.extend(
            self.dictionary
                .phrases
                .iter()
                .filter(|_| rng.random_bool(phrases))
                .cloned(),
        );
        if let Some(weights) = &self.weights {
            let words = self.for_each_pair(self.share.words, left);
            all.extend((0..words).map(|_| {
                let word = &self.dictionary.words[weights.sample(&mut rng)];
                (word.german.clone(), word.english.clone())
            }));
        }
        let patterns = Patterns::built_in();
        let made = self.for_each_pair(self.share.patterns, 1.0);
        all.extend((0..made).map(|_| patterns.draw(&self.fillers, &mut rng)));
        all
    }

    fn for_each_pair(&self, share: f32, left: f64) -> usize {
        (self.pairs as f64 * f64::from(share) * left) as usize
    }

    /// Remaining fraction of phrases and words: 1 until the fade begins, then falling linearly to 0.
    fn left(&self, done: f64) -> f64 {
        let fade = f64::from(self.share.fade);
        if fade > 0.0 {
            ((1.0 - done) / fade).clamp(0.0, 1.0)
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dictionary::{Class, Word};
    use super::*;

    fn dictionary() -> Dictionary {
        let pair = |german: &str, english: &str| (german.to_owned(), english.to_owned());
        let word = |german: &str, english: &str, count| Word {
            german: german.to_owned(),
            english: english.to_owned(),
            class: Class::Other,
            count,
        };
        Dictionary {
            sentences: vec![pair("Hoppla!", "Oops!"), pair("Es taut.", "It is thawing.")],
            sayings: vec![pair("Hoppla!", "Oops!")],
            phrases: vec![pair("im Garten", "in the garden"); 100],
            words: vec![word("oft", "often", 1000.0), word("flugs", "swiftly", 1.0)],
        }
    }

    fn count(pairs: &[Pair], german: &str) -> usize {
        pairs.iter().filter(|pair| pair.0 == german).count()
    }

    #[test]
    fn a_pass_has_the_shares_and_is_decided_by_its_number() {
        let share = Share {
            phrases: 0.5,
            words: 0.2,
            patterns: 0.1,
            fade: 0.0,
        };
        let supplement = Supplement::new(dictionary(), share, 1000, 1);
        let epoch = supplement.epoch(3, 0.9);
        assert_eq!(epoch, supplement.epoch(3, 0.9));
        assert_ne!(epoch, supplement.epoch(4, 0.9));
        assert_eq!(
            (count(&epoch, "Hoppla!"), count(&epoch, "Es taut.")),
            (SAYINGS, 1)
        );
        assert!((30..70).contains(&count(&epoch, "im Garten")));
        let (often, rarely) = (count(&epoch, "oft"), count(&epoch, "flugs"));
        assert_eq!(often + rarely, 200);
        assert!(often > 3 * rarely && rarely > 0, "{often} and {rarely}");
        let rest = SAYINGS + 1 + count(&epoch, "im Garten") + 200;
        assert_eq!(epoch.len() - rest, 100, "patterns");
    }

    #[test]
    fn phrases_and_words_fade_at_the_end_and_sentences_stay() {
        let share = Share {
            phrases: 1.0,
            words: 0.2,
            patterns: 0.0,
            fade: 0.5,
        };
        let supplement = Supplement::new(dictionary(), share, 1000, 1);
        let of = |done| supplement.epoch(0, done).len() - 1 - SAYINGS;
        assert_eq!((of(0.0), of(0.5), of(1.0)), (300, 300, 0));
        assert!((120..180).contains(&of(0.75)), "{}", of(0.75));
    }

    #[test]
    fn without_a_dictionary_only_patterns_are_added() {
        let share = Share {
            phrases: 1.0,
            words: 1.0,
            patterns: 0.5,
            fade: 0.0,
        };
        let supplement = Supplement::new(Dictionary::default(), share, 100, 1);
        assert_eq!(supplement.epoch(0, 0.0).len(), 50);
    }
}
