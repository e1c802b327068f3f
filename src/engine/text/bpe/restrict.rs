//! Segmentation with a vocabulary: symbols that are too rare in it are split again.

use std::collections::HashSet;

use super::{BLANKS, Bpe, BpeError, CONTINUED, END_OF_WORD, Version, segment_line};

impl Bpe {
    /// Like [`apply`](Self::apply), but undoes each merge whose symbol is not in `vocabulary`.
    ///
    /// For one language of a jointly learned pair, because a symbol seen only in the other language
    /// would be unknown to the model. In the vocabulary, symbols that do not end a word have the
    /// mark `@@`. An empty vocabulary restricts nothing, as in subword-nmt.
    pub fn apply_within(&self, line: &str, vocabulary: &HashSet<String>) -> String {
        segment_line(line, CONTINUED, |word| {
            self.within(self.segment_word(word), vocabulary, CONTINUED)
        })
    }

    /// Splits the symbols of a word that are not in `vocabulary` into those that were merged, unless it is empty.
    pub(super) fn within(
        &self,
        symbols: Vec<String>,
        vocabulary: &HashSet<String>,
        separator: &str,
    ) -> Vec<String> {
        if vocabulary.is_empty() {
            return symbols;
        }
        let mut within = Vec::new();
        // Symbols that are still to be examined, the leftmost last.
        let ends = std::iter::once(true).chain(std::iter::repeat(false));
        let mut open: Vec<(String, bool)> = symbols.into_iter().rev().zip(ends).collect();
        while let Some((symbol, ends_word)) = open.pop() {
            let written = if ends_word {
                symbol.clone()
            } else {
                format!("{symbol}{separator}")
            };
            let parts = self.parts(&symbol, ends_word);
            match parts.filter(|_| !vocabulary.contains(&written)) {
                Some((first, second)) => {
                    open.push((second.to_owned(), ends_word));
                    open.push((first.to_owned(), false));
                }
                None => within.push(symbol),
            }
        }
        within
    }

    /// The two symbols that were merged into `symbol`, without the mark of a word's end. `None` if it was not merged, or if
    /// an unusual file has merged a part of the mark.
    fn parts(&self, symbol: &str, ends_word: bool) -> Option<(&str, &str)> {
        let mark = if ends_word { END_OF_WORD } else { "" };
        let rank = self.made_by.get(&format!("{symbol}{mark}"))?;
        let (first, second) = &self.merges[*rank];
        let second = second.strip_suffix(mark)?;
        // Where the mark was a symbol, nothing is left of it; subword-nmt writes that, too.
        (!second.is_empty() || self.version == Version::Old).then_some((first, second))
    }
}

/// Symbols of a vocabulary that occur at least `threshold` times.
///
/// Each line has a symbol, a blank and its frequency, as written by `subword-nmt get-vocab`.
pub fn read_vocabulary(text: &str, threshold: usize) -> Result<HashSet<String>, BpeError> {
    let mut vocabulary = HashSet::new();
    for (i, line) in text.lines().enumerate() {
        let entry = line.trim_matches(BLANKS).split_once(' ');
        match entry.map(|(symbol, frequency)| (symbol, frequency.parse::<usize>())) {
            Some((symbol, Ok(frequency))) => {
                if frequency >= threshold {
                    vocabulary.insert(symbol.to_owned());
                }
            }
            _ => {
                return Err(BpeError::Frequency {
                    line: i + 1,
                    found: line.to_owned(),
                });
            }
        }
    }
    Ok(vocabulary)
}
