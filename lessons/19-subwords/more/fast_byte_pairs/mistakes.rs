//! The classic mistakes in keeping the counts of pairs up to date, each with the signature of the exercise.

use std::collections::{BTreeMap, HashMap};

use transformer_tutor::text::bpe::byte_pairs;

use super::super::corpus::{Corpus, Flaw, Pair};
use super::super::mistakes::{LearnFn, learn};

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, LearnFn); 6] = [
    ("not-discounted", |words, merges| {
        kept(words, merges, Half::Discount)
    }),
    ("not-counted", |words, merges| {
        kept(words, merges, Half::Count)
    }),
    ("first-tie", |words, merges| {
        learn(words, merges, Some(Flaw::FirstTie))
    }),
    ("unweighted", |words, merges| {
        learn(words, merges, Some(Flaw::Unweighted))
    }),
    ("once", |words, merges| {
        learn(words, merges, Some(Flaw::Once))
    }),
    ("to-the-end", |words, merges| {
        learn(words, merges, Some(Flaw::ToTheEnd))
    }),
];

/// Half of what a merge does to the counts of the words that it changes.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    /// Taking out the pairs that the word had.
    Discount,
    /// Adding the pairs that it has now.
    Count,
}

/// Merges learned with counts that are kept from merge to merge, without one half of bringing them up to date.
fn kept(words: &[(&str, usize)], merges: usize, left_out: Half) -> Vec<Pair> {
    let mut corpus = Corpus::new(words, None);
    let mut counts = corpus.counts();
    let mut learned = Vec::new();
    while learned.len() < merges {
        let often = counts.iter().filter(|(_, count)| **count >= 2);
        let Some((pair, _)) = often.max_by_key(|(_, count)| **count) else {
            break;
        };
        let pair = pair.clone();
        let changed = changed(&corpus, &pair);
        if left_out != Half::Discount {
            update(&mut counts, &corpus, &changed, usize::saturating_sub);
        }
        corpus.merge(&pair);
        if left_out != Half::Count {
            update(&mut counts, &corpus, &changed, |count, times| count + times);
        }
        learned.push(pair);
    }
    learned
}

/// The words that have a pair.
fn changed(corpus: &Corpus, pair: &Pair) -> Vec<usize> {
    let has = |symbols: &[String]| symbols.windows(2).any(|p| p[0] == pair.0 && p[1] == pair.1);
    let words = corpus.words.iter().enumerate();
    let words = words.filter(|(_, (symbols, _))| has(symbols));
    words.map(|(number, _)| number).collect()
}

/// Sets the counts of all pairs of these words to `new` of the count and the number of times that the word occurs.
fn update(
    counts: &mut BTreeMap<Pair, usize>,
    corpus: &Corpus,
    words: &[usize],
    new: fn(usize, usize) -> usize,
) {
    for (symbols, times) in words.iter().map(|&number| &corpus.words[number]) {
        for pair in symbols.windows(2) {
            let count = counts
                .entry((pair[0].clone(), pair[1].clone()))
                .or_default();
            *count = new(*count, *times);
        }
    }
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, LearnFn); 3] = [
    (
        "Your numbers are in the order in which symbols were made. Of equally frequent pairs, compare the texts of the symbols.",
        by_number,
    ),
    (
        "You make the end of a word a symbol of its own. It belongs to the last character: low is l, o, w</w>.",
        |words, merges| {
            let apart: Vec<String> = words
                .iter()
                .map(|(word, _)| format!("{word}\u{0}"))
                .collect();
            let apart: Vec<_> = apart
                .iter()
                .zip(words)
                .map(|(w, (_, n))| (&w[..], *n))
                .collect();
            let plain = |text: String| text.replace('\u{0}', "");
            let learned = byte_pairs(&apart, merges).into_iter();
            learned.map(|(a, b)| (plain(a), plain(b))).collect()
        },
    ),
    (
        "You leave out the mark for the end of a word: `</w>` on its last character.",
        |words, merges| learn(words, merges, Some(Flaw::NoMark)),
    ),
];

/// Merges that take the pair with the largest numbers of equally frequent ones.
fn by_number(words: &[(&str, usize)], merges: usize) -> Vec<Pair> {
    let mut corpus = Corpus::new(words, None);
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut learned = Vec::new();
    while learned.len() < merges {
        for symbol in corpus.words.iter().flat_map(|(symbols, _)| symbols) {
            let next = numbers.len();
            numbers.entry(symbol.clone()).or_insert(next);
        }
        let often = corpus.counts().into_iter().filter(|(_, count)| *count >= 2);
        let key = |(pair, count): &(Pair, usize)| (*count, numbers[&pair.0], numbers[&pair.1]);
        let Some((pair, _)) = often.max_by_key(key) else {
            break;
        };
        corpus.merge(&pair);
        learned.push(pair);
    }
    learned
}
