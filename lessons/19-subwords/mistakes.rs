//! The classic mistakes of learning merges, each a function of the reference's signature.

use super::corpus::{Corpus, Flaw, Pair};

/// The signature of the learner.
pub type LearnFn = fn(&[(&str, usize)], usize) -> Vec<Pair>;

/// Every mistake by the name of its switch, which its [`Flaw`] has too.
pub static ALL: [(&str, LearnFn); 7] = [
    ("unweighted", unweighted),
    ("first-tie", first_tie),
    ("across-words", across_words),
    ("no-mark", no_mark),
    ("once", once),
    ("from-right", from_right),
    ("to-the-end", to_the_end),
];

/// Merges learned with `flaw`.
pub fn learn(words: &[(&str, usize)], merges: usize, flaw: Option<Flaw>) -> Vec<Pair> {
    let mut corpus = Corpus::new(words, flaw);
    let mut learned = Vec::new();
    while learned.len() < merges {
        let Some((pair, _)) = corpus.best() else {
            break;
        };
        corpus.merge(&pair);
        learned.push(pair);
    }
    learned
}

/// Every word counts once.
pub fn unweighted(words: &[(&str, usize)], merges: usize) -> Vec<Pair> {
    learn(words, merges, Some(Flaw::Unweighted))
}

/// The first of equally frequent pairs wins.
pub fn first_tie(words: &[(&str, usize)], merges: usize) -> Vec<Pair> {
    learn(words, merges, Some(Flaw::FirstTie))
}

/// Pairs reach from one word into the next.
pub fn across_words(words: &[(&str, usize)], merges: usize) -> Vec<Pair> {
    learn(words, merges, Some(Flaw::AcrossWords))
}

/// The end of a word is not marked.
pub fn no_mark(words: &[(&str, usize)], merges: usize) -> Vec<Pair> {
    learn(words, merges, Some(Flaw::NoMark))
}

/// Only the first occurrence in a word is merged.
pub fn once(words: &[(&str, usize)], merges: usize) -> Vec<Pair> {
    learn(words, merges, Some(Flaw::Once))
}

/// Merged from right to left.
pub fn from_right(words: &[(&str, usize)], merges: usize) -> Vec<Pair> {
    learn(words, merges, Some(Flaw::FromRight))
}

/// Pairs that occur once are merged too.
pub fn to_the_end(words: &[(&str, usize)], merges: usize) -> Vec<Pair> {
    learn(words, merges, Some(Flaw::ToTheEnd))
}
