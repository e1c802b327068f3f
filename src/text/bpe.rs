//! Byte-pair encoding: rare words as sequences of frequent pieces (Sennrich et al. 2016, section 3.2).

mod by_hand;
mod error;
mod learn;
mod restrict;

use std::collections::HashMap;
use std::ops::Range;

pub use by_hand::byte_pairs;
pub use error::BpeError;
pub use restrict::read_vocabulary;

/// Marks the last symbol of a word, so that `est</w>` and `est` are different symbols.
pub const END_OF_WORD: &str = "</w>";
/// Marks, in a line, a symbol that its word continues: `fast@@ er`.
pub const CONTINUED: &str = "@@";

const VERSION: &str = "0.2";
// Other white space, a no-break space for one, is a character of a word.
const BLANKS: [char; 3] = ['\r', '\n', ' '];

/// Merges in the order they were learned, as subword-nmt 0.3.8 learns and applies them.
#[derive(Clone, Debug)]
pub struct Bpe {
    merges: Vec<(String, String)>,
    /// `ranks[first][second]` is the place of a merge in `merges`.
    ranks: HashMap<String, HashMap<String, usize>>,
    /// The rank of the merge that made a symbol.
    made_by: HashMap<String, usize>,
}

impl Bpe {
    /// Learns at most `merges` merges from lines whose words are separated by blanks.
    ///
    /// Each step merges the most frequent pair of neighbours; of equally frequent ones the last in
    /// the order of code points. Stops before a pair that occurs less than `min_frequency` times
    /// (2 in subword-nmt).
    pub fn learn<'a>(
        lines: impl Iterator<Item = &'a str>,
        merges: usize,
        min_frequency: usize,
    ) -> Self {
        Self::new(learn::learn(count_words(lines), merges, min_frequency))
    }

    fn new(merges: Vec<(String, String)>) -> Self {
        let mut ranks: HashMap<String, HashMap<String, usize>> = HashMap::new();
        let mut made_by = HashMap::new();
        for (rank, (first, second)) in merges.iter().enumerate() {
            let seconds = ranks.entry(first.clone()).or_default();
            seconds.entry(second.clone()).or_insert(rank);
            made_by.entry(format!("{first}{second}")).or_insert(rank);
        }
        Self {
            merges,
            ranks,
            made_by,
        }
    }

    /// Reads a file of merges: `#version: 0.2`, then one merge a line, such as `e s</w>`.
    pub fn parse(text: &str) -> Result<Self, BpeError> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let version = first.strip_prefix("#version:").map(str::trim);
        if version != Some(VERSION) {
            return Err(BpeError::Version {
                found: first.to_owned(),
            });
        }
        let merges = lines.enumerate().map(|(i, line)| {
            let mut symbols = line.trim_matches(BLANKS).split(' ');
            match (symbols.next(), symbols.next(), symbols.next()) {
                (Some(first), Some(second), None) if !first.is_empty() && !second.is_empty() => {
                    Ok((first.to_owned(), second.to_owned()))
                }
                _ => Err(BpeError::Merge {
                    line: i + 2,
                    found: line.to_owned(),
                }),
            }
        });
        Ok(Self::new(merges.collect::<Result<_, _>>()?))
    }

    /// The file of merges, as [`parse`](Self::parse) reads it.
    pub fn to_text(&self) -> String {
        let mut text = format!("#version: {VERSION}\n");
        for (first, second) in &self.merges {
            text += &format!("{first} {second}\n");
        }
        text
    }

    /// The merges, first learned first; a merge's place is its rank.
    pub fn merges(&self) -> &[(String, String)] {
        &self.merges
    }

    /// The symbols of a word, without marks: `faster` is `fast`, `er`.
    pub fn segment_word(&self, word: &str) -> Vec<String> {
        let marked = mark(word);
        let mut symbols = characters(word);
        while self.merge_once(&marked, &mut symbols).is_some() {}
        let spans = symbols.into_iter();
        spans
            .map(|span| word[span.start..span.end.min(word.len())].to_owned())
            .collect()
    }

    /// The word before its first merge: its characters, the last with [`END_OF_WORD`].
    pub fn characters(&self, word: &str) -> Vec<String> {
        texts(&mark(word), &characters(word))
    }

    /// Each merge that is applied to `word`, in order: its rank, and the symbols after it.
    ///
    /// The symbols are the merges' own, so the last ends in [`END_OF_WORD`].
    pub fn steps(&self, word: &str) -> Vec<(usize, Vec<String>)> {
        let marked = mark(word);
        let mut symbols = characters(word);
        let mut steps = Vec::new();
        while let Some(rank) = self.merge_once(&marked, &mut symbols) {
            steps.push((rank, texts(&marked, &symbols)));
        }
        steps
    }

    /// Applies the lowest-ranked merge that fits, wherever it fits, from left to right.
    fn merge_once(&self, marked: &str, symbols: &mut Vec<Range<usize>>) -> Option<usize> {
        let rank_at = |symbols: &[Range<usize>], i: usize| {
            let seconds = self.ranks.get(&marked[symbols[i].clone()])?;
            seconds.get(&marked[symbols[i + 1].clone()]).copied()
        };
        let pairs = symbols.len().saturating_sub(1);
        let rank = (0..pairs).filter_map(|i| rank_at(symbols, i)).min()?;
        let mut i = 0;
        while i + 1 < symbols.len() {
            if rank_at(symbols, i) == Some(rank) {
                symbols[i].end = symbols[i + 1].end;
                symbols.remove(i + 1);
            }
            i += 1;
        }
        Some(rank)
    }

    /// Segments the words of a line: `faster` becomes `fast@@ er`.
    ///
    /// Blanks and line ends around the line stay; several blanks between two words become one.
    pub fn apply(&self, line: &str) -> String {
        segment_line(line, |word| self.segment_word(word))
    }
}

/// Undoes [`Bpe::apply`]: joins each symbol that ends in `@@` with the next.
pub fn join(line: &str) -> String {
    let joined = line.replace("@@ ", "");
    match joined.strip_suffix(CONTINUED) {
        // A line that was cut off inside a word.
        Some(cut) => cut.to_owned(),
        None => joined,
    }
}

fn count_words<'a>(lines: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    for word in lines.flat_map(|line| line.trim_matches(BLANKS).split(' ')) {
        if !word.is_empty() {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts
}

fn segment_line(line: &str, segment: impl Fn(&str) -> Vec<String>) -> String {
    let from_start = line.trim_start_matches(BLANKS);
    let body = from_start.trim_end_matches(BLANKS);
    let (before, after) = (
        &line[..line.len() - from_start.len()],
        &from_start[body.len()..],
    );
    let words = body.split(' ').filter(|word| !word.is_empty());
    let segmented: Vec<_> = words
        .map(|word| segment(word).join(&format!("{CONTINUED} ")))
        .collect();
    format!("{before}{}{after}", segmented.join(" "))
}

fn mark(word: &str) -> String {
    format!("{word}{END_OF_WORD}")
}

/// The characters of `word` as spans of the marked word, the mark with the last.
fn characters(word: &str) -> Vec<Range<usize>> {
    let mut spans: Vec<_> = word
        .char_indices()
        .map(|(start, c)| start..start + c.len_utf8())
        .collect();
    if let Some(last) = spans.last_mut() {
        last.end += END_OF_WORD.len();
    }
    spans
}

fn texts(marked: &str, spans: &[Range<usize>]) -> Vec<String> {
    let texts = spans.iter().map(|span| marked[span.clone()].to_owned());
    texts.collect()
}

#[cfg(test)]
mod tests;
