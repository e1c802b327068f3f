//! The classic mistakes of learning merges, each a function of the reference's signature.

use super::corpus::{Corpus, Flaw, Pair};

/// The signature of the learner.
pub type LearnFn = fn(&[(&str, usize)], usize) -> Vec<Pair>;

/// Every mistake by the name of its switch, which its [`Flaw`] has too.
pub static ALL: [(&str, LearnFn); 7] = [
    ("unweighted", |words, merges| {
        learn(words, merges, Some(Flaw::Unweighted))
    }),
    ("first-tie", |words, merges| {
        learn(words, merges, Some(Flaw::FirstTie))
    }),
    ("across-words", |words, merges| {
        learn(words, merges, Some(Flaw::AcrossWords))
    }),
    ("no-mark", |words, merges| {
        learn(words, merges, Some(Flaw::NoMark))
    }),
    ("once", |words, merges| {
        learn(words, merges, Some(Flaw::Once))
    }),
    ("from-right", |words, merges| {
        learn(words, merges, Some(Flaw::FromRight))
    }),
    ("to-the-end", |words, merges| {
        learn(words, merges, Some(Flaw::ToTheEnd))
    }),
];

/// Merges learned with `flaw`.
pub fn learn(words: &[(&str, usize)], merges: usize, flaw: Option<Flaw>) -> Vec<Pair> {
    let mut corpus = Corpus::new(words, flaw);
    let next = || {
        let (pair, _) = corpus.best()?;
        corpus.merge(&pair);
        Some(pair)
    };
    std::iter::from_fn(next).take(merges).collect()
}
