//! A text as words made of symbols, for the stage's counts.

use std::collections::{BTreeMap, BTreeSet};

use transformer_tutor::text::bpe::END_OF_WORD;
use transformer_tutor::text::sample::{self, Language};

use super::knobs::Source;

/// Two neighbouring symbols.
pub type Pair = (String, String);

/// Mistakes in learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// Counts every word once, however often it occurs.
    Unweighted,
    /// Takes the first of equally frequent pairs in the order of code points.
    FirstTie,
    /// Treats the text as one row of symbols, so that pairs cross word boundaries.
    AcrossWords,
    /// Does not mark the end of a word.
    NoMark,
    /// Merges only the first occurrence in a word.
    Once,
    /// Merges from right to left.
    FromRight,
    /// Also merges pairs that occur once.
    ToTheEnd,
}

/// Words as symbols, with their counts.
#[derive(Clone)]
pub struct Corpus {
    /// Symbols of each word, and its count.
    pub words: Vec<(Vec<String>, usize)>,
    flaw: Option<Flaw>,
}

impl Corpus {
    /// Splits the words into characters.
    pub fn new(words: &[(&str, usize)], flaw: Option<Flaw>) -> Self {
        let symbols = |word: &str| {
            let mut symbols: Vec<String> = word.chars().map(String::from).collect();
            if let Some(last) = symbols.last_mut().filter(|_| flaw != Some(Flaw::NoMark)) {
                last.push_str(END_OF_WORD);
            }
            symbols
        };
        let words = match flaw {
            Some(Flaw::AcrossWords) => {
                let again = |(word, times): &(&str, usize)| vec![symbols(word); *times];
                vec![(words.iter().flat_map(again).flatten().collect(), 1)]
            }
            Some(Flaw::Unweighted) => words.iter().map(|(w, _)| (symbols(w), 1)).collect(),
            _ => words.iter().map(|(w, n)| (symbols(w), *n)).collect(),
        };
        Self { words, flaw }
    }

    /// Count of each pair.
    pub fn counts(&self) -> BTreeMap<Pair, usize> {
        let mut counts = BTreeMap::new();
        for (symbols, times) in &self.words {
            for pair in symbols.windows(2) {
                let pair = (pair[0].clone(), pair[1].clone());
                *counts.entry(pair).or_default() += times;
            }
        }
        counts
    }

    /// The pair to merge next, with its count; `None` at the end.
    pub fn best(&self) -> Option<(Pair, usize)> {
        let mut counts: Vec<(Pair, usize)> = self.counts().into_iter().collect();
        if self.flaw == Some(Flaw::FirstTie) {
            counts.reverse();
        }
        let least = 2 - usize::from(self.flaw == Some(Flaw::ToTheEnd));
        let best = counts.into_iter().max_by_key(|(_, count)| *count);
        best.filter(|(_, count)| *count >= least)
    }

    /// Joins each occurrence of `pair` to one symbol.
    pub fn merge(&mut self, pair: &Pair) {
        for (symbols, _) in &mut self.words {
            if self.flaw == Some(Flaw::FromRight) {
                merge_from_right(symbols, pair);
                continue;
            }
            let mut i = 0;
            while i + 1 < symbols.len() {
                if symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
                    let second = symbols.remove(i + 1);
                    symbols[i].push_str(&second);
                    if self.flaw == Some(Flaw::Once) {
                        break;
                    }
                }
                i += 1;
            }
        }
    }

    /// Every symbol in use, in the order of code points.
    pub fn symbols(&self) -> Vec<String> {
        let all = self.words.iter().flat_map(|(symbols, _)| symbols);
        all.cloned().collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Number of symbols in the whole text.
    pub fn tokens(&self) -> usize {
        self.words.iter().map(|(s, n)| s.len() * n).sum()
    }
}

fn merge_from_right(symbols: &mut Vec<String>, pair: &Pair) {
    let mut i = symbols.len().saturating_sub(1);
    while i > 0 {
        if symbols[i - 1] == pair.0 && symbols[i] == pair.1 {
            let second = symbols.remove(i);
            symbols[i - 1].push_str(&second);
            i = i.saturating_sub(1);
        }
        i = i.saturating_sub(1);
    }
}

/// Words of a source with their counts, in the order of first appearance.
pub fn words(source: Source) -> Vec<(String, usize)> {
    let owned =
        |words: &[(&str, usize)]| words.iter().map(|(w, n)| ((*w).to_owned(), *n)).collect();
    let languages: &[Language] = match source {
        Source::English => &[Language::English],
        Source::German => &[Language::German],
        Source::Both => &[Language::German, Language::English],
        Source::Letters => return owned(&[("banana", 4), ("aaab", 3), ("baaac", 2)]),
        // Sennrich et al. 2016, algorithm 1.
        Source::Paper => return owned(&[("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)]),
    };
    let mut counted: Vec<(String, usize)> = Vec::new();
    let sentences = languages.iter().flat_map(|l| sample::all_words(11, *l));
    for word in sentences.flatten().filter(|w| w != "<pad>") {
        match counted.iter_mut().find(|(known, _)| *known == word) {
            Some((_, times)) => *times += 1,
            None => counted.push((word, 1)),
        }
    }
    counted
}
