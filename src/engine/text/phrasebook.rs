//! The built-in German–English corpus: sentence pairs with true word alignments, from a synchronous grammar.
//!
//! A sentence is drawn as a tree of its meaning (`derive`), and each language puts the tree into words (`german`,
//! `english`). Words that come from the same part of the tree are translations of each other, which gives the
//! alignment.

mod derive;
mod english;
mod german;
mod grammar;
mod lexicon;
mod random;
#[cfg(test)]
mod tests;
mod verbs;

use std::collections::HashSet;

use grammar::{Key, Nominal, Np, Sentence, Words, determiners};
use lexicon::{ADJECTIVES, Determiner, MASS, NOUNS, Noun, PAST_TIMES, SOLE, fits};
use random::{Random, hash};
use verbs::{Case, Frame, VERBS};

use crate::tensor::shared;

/// A sentence in both languages, tokenised (punctuation marks are separate tokens; German nouns and the first word are
/// capitalised), with the pairs of token indices that translate each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// German tokens.
    pub german: Vec<String>,
    /// English tokens.
    pub english: Vec<String>,
    /// (German token, English token), in order.
    pub alignment: Vec<(usize, usize)>,
}

/// Parts of the corpus. No German sentence is in two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Sentences to train on.
    Train,
    /// Sentences with the words and rules of `Train`.
    HeldOut,
    /// Sentences longer than any of `Train`: 15 to 25 German tokens, mostly of several clauses.
    Hard,
}

/// Maximum length of a sentence in `Train` and `HeldOut`, in German tokens.
const LONGEST: usize = 14;
const LONGEST_HARD: usize = 25;

/// Generates `n` pairs of a part. No German sentence occurs twice in one call, and the same seed gives the same pairs.
///
/// Never returns if `n` is more than the part has, which is millions.
pub fn pairs(part: Part, n: usize, seed: u64) -> Vec<Pair> {
    /// Number of sentences that one thread puts into words at a time.
    const SHARE: usize = 64;
    let mut random = Random(seed);
    let mut seen = HashSet::new();
    let mut pairs = Vec::with_capacity(n);
    // Trees are drawn in sequence from one random stream; putting them into words depends on nothing else.
    let block = (2 * n).clamp(SHARE, 16 * SHARE);
    while pairs.len() < n {
        let mut draw = || derive::Maker::new(&mut random, part == Part::Hard).sentence();
        let drawn: Vec<Sentence> = (0..block).map(|_| draw()).collect();
        let mut translated = vec![None; block];
        let shares = drawn
            .chunks(SHARE)
            .zip(translated.chunks_mut(SHARE))
            .collect();
        shared(
            shares,
            |(drawn, translated): (&[Sentence], &mut [Option<Pair>])| {
                for (sentence, pair) in drawn.iter().zip(translated) {
                    *pair = say(sentence, part);
                }
            },
        );
        let new = translated.into_iter().flatten();
        let mut new = new.filter(|pair| seen.insert(pair.german.clone()));
        pairs.extend(new.by_ref().take(n - pairs.len()));
    }
    pairs
}

/// A sentence in both languages, or `None` if it does not belong to `part`.
fn say(sentence: &Sentence, part: Part) -> Option<Pair> {
    let german = german::say(sentence);
    let words: Vec<String> = german.iter().map(|(word, _)| word.clone()).collect();
    let hash = hash(&words);
    (belongs(&words, hash) == Some(part)).then(|| join(german, english::say(sentence)))
}

/// Lower bound on the number of distinct German sentences.
///
/// Counts only one family: `<subject> hat [<time>] <object> <participle>` without pronouns and relative clauses, where
/// distinct trees give distinct subjects and objects.
pub fn distinct() -> u128 {
    let phrases = |case: Case| -> Vec<(&Noun, u128)> {
        NOUNS
            .iter()
            .map(|noun| (noun, noun_phrases(noun, case).len() as u128))
            .collect()
    };
    let (subjects, objects) = (phrases(Case::Nominative), phrases(Case::Accusative));
    let mut sentences = 0;
    for verb in VERBS.iter().filter(|verb| !verb.state) {
        let Frame::Object(class) = verb.frame else {
            continue;
        };
        for (subject, ways) in subjects.iter().filter(|(noun, _)| noun.is(verb.subject)) {
            for (object, others) in objects.iter().filter(|(noun, _)| noun.is(class)) {
                if subject.german != object.german {
                    sentences += ways * others;
                }
            }
        }
    }
    sentences * (PAST_TIMES.len() as u128 + 1)
}

/// All phrases of a noun with a determiner and perhaps an adjective.
fn noun_phrases(noun: &'static Noun, case: Case) -> HashSet<Vec<String>> {
    let adjectives = ADJECTIVES
        .iter()
        .filter(|adjective| fits(adjective, noun) && !noun.is(SOLE));
    let adjectives: Vec<_> = adjectives.map(Some).chain([None]).collect();
    let mut phrases = HashSet::new();
    for plural in [false, true] {
        if plural && noun.is(MASS | SOLE) {
            continue;
        }
        // `derive` does not draw these two for every role.
        let determiners = determiners(noun, plural).into_iter();
        for determiner in determiners.filter(|d| !matches!(d, Determiner::Bare | Determiner::Every))
        {
            for &adjective in &adjectives {
                let nominal = Nominal {
                    node: 0,
                    noun,
                    plural,
                    determiner,
                    adjective,
                    relative: None,
                };
                let mut words = Words::default();
                german::np(&mut words, &Np::Noun(nominal), case);
                phrases.insert(words.0.into_iter().map(|(word, _)| word).collect());
            }
        }
    }
    phrases
}

/// Part of a sentence, by its length and a hash of its words; one sentence in fifty is held out.
fn belongs(german: &[String], hash: u64) -> Option<Part> {
    match (german.len(), hash % 50) {
        (..=LONGEST, 0) => Some(Part::HeldOut),
        (..=LONGEST, _) => Some(Part::Train),
        (..=LONGEST_HARD, 1) => Some(Part::Hard),
        _ => None,
    }
}

fn join(german: Vec<(String, Vec<Key>)>, english: Vec<(String, Vec<Key>)>) -> Pair {
    let mut alignment = Vec::new();
    for (g, (_, keys)) in german.iter().enumerate() {
        for (e, (_, others)) in english.iter().enumerate() {
            if keys.iter().any(|key| others.contains(key)) {
                alignment.push((g, e));
            }
        }
    }
    let words = |side: Vec<(String, Vec<Key>)>| side.into_iter().map(|(word, _)| word).collect();
    Pair {
        german: words(german),
        english: words(english),
        alignment,
    }
}
