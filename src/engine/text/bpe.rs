//! Byte-pair encoding: rare words as sequences of frequent pieces (Sennrich et al. 2016, section 3.2).

mod by_hand;
mod error;
mod learn;
mod segment;
mod segmenter;

use std::collections::HashMap;

pub use by_hand::byte_pairs;
pub use error::BpeError;
use segment::Segments;
pub use segmenter::Segmenter;

/// Suffix of the last symbol of a word, so that `est</w>` and `est` are different symbols.
pub const END_OF_WORD: &str = "</w>";
/// Suffix, within a line, of a symbol whose word continues: `fast@@ er`.
pub const CONTINUED: &str = "@@";

/// Form of a file of merges: how a word ends before its first merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// `#version: 0.1`, and files without a first line about it: the end of a word is a symbol of its own.
    Old,
    /// `#version: 0.2`: the end of a word belongs to its last character.
    New,
}

impl Version {
    fn name(self) -> &'static str {
        match self {
            Self::Old => "0.1",
            Self::New => "0.2",
        }
    }
}

// Other white space, such as a no-break space, is part of a word.
const BLANKS: [char; 3] = ['\r', '\n', ' '];

/// Merges in the order they were learned, as subword-nmt 0.3.8 learns and applies them.
#[derive(Clone, Debug)]
pub struct Bpe {
    version: Version,
    merges: Vec<(String, String)>,
    /// `ranks[first][second]` is the index of a merge in `merges`.
    ranks: HashMap<String, HashMap<String, usize>>,
}

impl Bpe {
    /// Learns at most `merges` merges from lines whose words are separated by blanks.
    ///
    /// Each step merges the most frequent pair of neighbours; of equally frequent pairs, the last
    /// in code point order. Stops when the best pair occurs less than `min_frequency` times (2 in
    /// subword-nmt).
    pub fn learn<'a>(
        lines: impl Iterator<Item = &'a str>,
        merges: usize,
        min_frequency: usize,
    ) -> Self {
        let merges = learn::learn(count_words(lines), merges, min_frequency);
        Self::new(Version::New, merges)
    }

    fn new(version: Version, merges: Vec<(String, String)>) -> Self {
        let mut ranks: HashMap<String, HashMap<String, usize>> = HashMap::new();
        for (rank, (first, second)) in merges.iter().enumerate() {
            let seconds = ranks.entry(first.clone()).or_default();
            seconds.entry(second.clone()).or_insert(rank);
        }
        Self {
            version,
            merges,
            ranks,
        }
    }

    /// Reads a file of merges: `#version: 0.2`, then one merge per line, such as `e s</w>`. In older files the first line
    /// is `#version: 0.1` or already a merge.
    pub fn parse(text: &str) -> Result<Self, BpeError> {
        let text = text.trim_end_matches(['\r', '\n']);
        let first = text.lines().next().unwrap_or_default();
        let version = first.strip_prefix("#version:");
        let version = match version.map(|version| version.trim().trim_end_matches(".0")) {
            None | Some("0.1") => Version::Old,
            Some("0.2") => Version::New,
            Some(_) => {
                return Err(BpeError::Version {
                    found: first.to_owned(),
                });
            }
        };
        let lines = text
            .lines()
            .enumerate()
            .skip(usize::from(first.starts_with("#version:")));
        if first.is_empty() {
            return Err(BpeError::Merge {
                line: 1,
                found: String::new(),
            });
        }
        let merges = lines.map(|(i, line)| {
            let mut symbols = line.trim_matches(BLANKS).split(' ');
            match (symbols.next(), symbols.next(), symbols.next()) {
                (Some(first), Some(second), None) if !first.is_empty() && !second.is_empty() => {
                    Ok((first.to_owned(), second.to_owned()))
                }
                _ => Err(BpeError::Merge {
                    line: i + 1,
                    found: line.to_owned(),
                }),
            }
        });
        Ok(Self::new(version, merges.collect::<Result<_, _>>()?))
    }

    /// File of merges, in the form that [`parse`](Self::parse) reads.
    pub fn to_text(&self) -> String {
        let mut text = format!("#version: {}\n", self.version.name());
        for (first, second) in &self.merges {
            text += &format!("{first} {second}\n");
        }
        text
    }

    /// Merges in the order they were learned; the index of a merge is its rank.
    pub fn merges(&self) -> &[(String, String)] {
        &self.merges
    }

    /// Symbols of a word, without marks: `fast`, `er` for `faster`.
    pub fn segment_word(&self, word: &str) -> Vec<String> {
        let mut segments = Segments::new(self, word);
        while segments.merge().is_some() {}
        let spans = segments.spans().into_iter();
        let texts = spans.map(|span| &word[span.start..span.end.min(word.len())]);
        // In old files the last symbol may be the end of the word alone.
        let texts = texts.filter(|text| !text.is_empty());
        texts.map(str::to_owned).collect()
    }

    /// Symbols of a word before its first merge: its characters, the last with [`END_OF_WORD`], which in old files is a
    /// symbol itself.
    pub fn characters(&self, word: &str) -> Vec<String> {
        Segments::new(self, word).texts()
    }

    /// Merges applied to `word`, in order, each as its rank and the symbols after it.
    ///
    /// The last symbol ends in [`END_OF_WORD`], as it does in the merges.
    pub fn steps(&self, word: &str) -> Vec<(usize, Vec<String>)> {
        let mut segments = Segments::new(self, word);
        let mut steps = Vec::new();
        while let Some(rank) = segments.merge() {
            steps.push((rank, segments.texts()));
        }
        steps
    }

    /// Segments the words of a line: `faster` becomes `fast@@ er`.
    ///
    /// Blanks and line ends around the line stay; several blanks between two words become one.
    pub fn apply(&self, line: &str) -> String {
        segment_line(line, CONTINUED, |word| self.segment_word(word))
    }
}

/// Maximum number of characters in a word to learn from: learning scans a whole word for each of its merges.
pub const LONGEST_WORD: usize = 100_000;

/// Returns an error if a word is too long to learn from.
pub fn learnable<'a>(lines: impl Iterator<Item = &'a str>) -> Result<(), BpeError> {
    for (i, line) in lines.enumerate() {
        for word in line.split(BLANKS).filter(|word| word.len() > LONGEST_WORD) {
            let characters = word.chars().count();
            if characters > LONGEST_WORD {
                return Err(BpeError::Word {
                    line: i + 1,
                    characters,
                });
            }
        }
    }
    Ok(())
}

/// Refuses text whose different words need more than `most` bytes of memory for their symbols, with an index of them.
pub fn affordable<'a>(lines: impl Iterator<Item = &'a str>, most: u64) -> Result<(), BpeError> {
    let words = count_words(lines);
    let bytes: usize = words.keys().map(|word| word.len()).sum();
    let needed = 30 * bytes as u128 + 150 * words.len() as u128;
    if needed > u128::from(most) {
        let words = words.len();
        return Err(BpeError::Memory { words, needed });
    }
    Ok(())
}

/// Undoes [`Bpe::apply`]: joins each symbol that ends in `@@` with the next.
pub fn join(line: &str) -> String {
    join_at(line, CONTINUED)
}

/// Joins each symbol that ends in `separator` with the next.
pub fn join_at(line: &str, separator: &str) -> String {
    let joined = line.replace(&format!("{separator} "), "");
    match joined.strip_suffix(separator) {
        // The line was cut off inside a word.
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

fn segment_line(
    line: &str,
    separator: &str,
    mut segment: impl FnMut(&str) -> Vec<String>,
) -> String {
    let from_start = line.trim_start_matches(BLANKS);
    let body = from_start.trim_end_matches(BLANKS);
    let (before, after) = (
        &line[..line.len() - from_start.len()],
        &from_start[body.len()..],
    );
    let words = body.split(' ').filter(|word| !word.is_empty());
    let segmented: Vec<_> = words
        .map(|word| segment(word).join(&format!("{separator} ")))
        .collect();
    format!("{before}{}{after}", segmented.join(" "))
}

fn mark(word: &str) -> String {
    format!("{word}{END_OF_WORD}")
}

#[cfg(test)]
mod tests;
