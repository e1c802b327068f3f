//! The classic mistakes in learning merges, each with the reference's signature.

use std::collections::{BTreeMap, BTreeSet};

use transformer_tutor::text::bpe::{END_OF_WORD, byte_pairs};

use super::corpus::{Corpus, Flaw, Pair};

/// The signature of the learner.
pub type LearnFn = fn(&[(&str, usize)], usize) -> Vec<Pair>;

/// Every mistake, by the name of the switch that turns it on, which is also that of its [`Flaw`].
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
    learned(Corpus::new(words, flaw), merges, best, Corpus::merge)
}

/// Merges learned with a given choice of the next pair and a given way to merge it.
fn learned(
    mut corpus: Corpus,
    merges: usize,
    best: fn(&Corpus) -> Option<Pair>,
    merge: fn(&mut Corpus, &Pair),
) -> Vec<Pair> {
    let next = || {
        let pair = best(&corpus)?;
        merge(&mut corpus, &pair);
        Some(pair)
    };
    std::iter::from_fn(next).take(merges).collect()
}

fn best(corpus: &Corpus) -> Option<Pair> {
    corpus.best().map(|(pair, _)| pair)
}

/// The best pair if each word counts a pair only once.
fn best_by_words(corpus: &Corpus) -> Option<Pair> {
    let mut counts: BTreeMap<&[String], usize> = BTreeMap::new();
    for (symbols, times) in &corpus.words {
        for pair in symbols.windows(2).collect::<BTreeSet<_>>() {
            *counts.entry(pair).or_default() += times;
        }
    }
    let best = counts.into_iter().max_by_key(|(_, count)| *count);
    let best = best.filter(|(_, count)| *count >= 2);
    best.map(|(pair, _)| (pair[0].clone(), pair[1].clone()))
}

/// Merges in the word as plain text, with spaces between its symbols.
fn merge_in_text(corpus: &mut Corpus, (first, second): &Pair) {
    for (symbols, _) in &mut corpus.words {
        let text = symbols.join(" ");
        let text = text.replace(&format!("{first} {second}"), &format!("{first}{second}"));
        *symbols = text.split(' ').map(String::from).collect();
    }
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, LearnFn); 5] = [
    (
        "You make the end of a word a symbol of its own. It belongs to the last character: low is l, o, w</w>.",
        |words, merges| {
            let mut corpus = Corpus::new(words, Some(Flaw::NoMark));
            for (symbols, _) in &mut corpus.words {
                symbols.push(END_OF_WORD.to_owned());
            }
            learned(corpus, merges, best, Corpus::merge)
        },
    ),
    (
        "You count a pair that stands twice in a word once. Count every place where it stands, times the count of the word.",
        |words, merges| {
            let corpus = Corpus::new(words, None);
            learned(corpus, merges, best_by_words, Corpus::merge)
        },
    ),
    (
        "You count the pairs once. A merge makes new symbols: count again after each.",
        |words, merges| {
            let mut counts: Vec<_> = Corpus::new(words, None).counts().into_iter().collect();
            counts.reverse();
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let often = counts.into_iter().filter(|(_, count)| *count >= 2);
            often.map(|(pair, _)| pair).take(merges).collect()
        },
    ),
    (
        "You cut words into bytes. A word begins as its characters: ä is one symbol, and two bytes.",
        |words, merges| {
            let bytes = |word: &str| word.bytes().map(char::from).collect::<String>();
            let words: Vec<_> = words.iter().map(|(word, n)| (bytes(word), *n)).collect();
            let words: Vec<_> = words.iter().map(|(word, n)| (&word[..], *n)).collect();
            byte_pairs(&words, merges)
        },
    ),
    (
        "You replace the pair in the text of a word, so the end of one symbol and the beginning of the next are joined, too. Compare whole symbols.",
        |words, merges| learned(Corpus::new(words, None), merges, best, merge_in_text),
    ),
];
