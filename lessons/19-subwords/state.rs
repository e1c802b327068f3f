//! The state that follows from the settings: the merges so far, the text after them, and the learner's sentence.

use std::collections::HashMap;

use transformer_tutor::lesson::Settings;
use transformer_tutor::text::bpe::{Bpe, CONTINUED, END_OF_WORD};
use transformer_tutor::text::vocabulary::UNK;

use super::check::TASK;
use super::corpus::{self, Corpus, Pair};
use super::knobs::Knobs;

/// A learned merge.
pub struct Merge {
    pub pair: Pair,
    /// Count of the pair before the merge.
    pub count: usize,
    /// Number of symbols in the whole text after the merge.
    pub tokens: usize,
}

/// Everything that the stage shows.
pub struct State {
    /// Words of the text with their counts.
    pub words: Vec<(String, usize)>,
    /// The text before the first merge, and after the last.
    pub start: Corpus,
    pub corpus: Corpus,
    pub merges: Vec<Merge>,
    /// Each word of the sentence with its pieces.
    pub sentence: Vec<(String, Vec<String>)>,
    /// The pieces that the real segmenter makes.
    pub sound: Vec<Vec<String>>,
    /// Words kept by the word vocabulary, the most frequent first.
    pub kept: Vec<String>,
    marks: bool,
}

impl State {
    /// Learns and segments according to the settings.
    pub fn of(knobs: &Knobs, settings: &Settings) -> Self {
        let words = corpus::words(knobs.corpus);
        let counted: Vec<(&str, usize)> = words.iter().map(|(w, n)| (w.as_str(), *n)).collect();
        let pairs = match TASK.broken(settings) {
            None => learned(&words, knobs.merges).merges().to_vec(),
            Some(learn) => learn(&counted, knobs.merges),
        };
        let start = Corpus::new(&counted, settings.mistake().ok().flatten());
        let mut corpus = start.clone();
        let mut merges = Vec::new();
        for pair in pairs {
            let count = occurrences(&corpus, &pair);
            corpus.merge(&pair);
            let tokens = corpus.tokens();
            merges.push(Merge {
                pair,
                count,
                tokens,
            });
        }
        let bpe = segmenter(&merges);
        let split = knobs.sentence.split(' ');
        let sentence: Vec<(String, Vec<String>)> = split
            .map(|word| {
                let pieces = if settings.broken("longest-first") {
                    longest_first(word, &bpe)
                } else {
                    bpe.segment_word(word)
                };
                (word.to_owned(), pieces)
            })
            .collect();
        let sound = sentence.iter().map(|(w, _)| bpe.segment_word(w)).collect();
        let mut kept: Vec<(String, usize)> = words.clone();
        kept.retain(|(_, n)| *n >= knobs.limit);
        // The sort is stable, so equally frequent words stay in order of appearance.
        kept.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        kept.truncate(knobs.size);
        Self {
            words,
            start,
            corpus,
            merges,
            sentence,
            sound,
            kept: kept.into_iter().map(|(w, _)| w).collect(),
            marks: !settings.broken("no-continuation"),
        }
    }

    /// The sentence's pieces as the model reads them.
    pub fn pieces(&self) -> Vec<String> {
        let written = |(_, pieces): &(String, Vec<String>)| -> Vec<String> {
            let last = pieces.len().saturating_sub(1);
            let mark = |(i, piece): (usize, &String)| {
                if self.marks && i < last {
                    format!("{piece}{CONTINUED}")
                } else {
                    piece.clone()
                }
            };
            pieces.iter().enumerate().map(mark).collect()
        };
        self.sentence.iter().flat_map(written).collect()
    }

    /// Number of possible symbols: the characters, and one per merge.
    pub fn vocabulary(&self) -> usize {
        self.start.symbols().len() + self.merges.len()
    }

    /// Id of a word in the word vocabulary; [`UNK`] if it was left out.
    pub fn word_id(&self, word: &str) -> usize {
        let index = self.kept.iter().position(|kept| kept == word);
        index.map_or(UNK, |i| UNK + 1 + i)
    }

    /// Id of each of the sentence's pieces; [`UNK`] for a character that the text does not contain.
    pub fn piece_ids(&self) -> Vec<usize> {
        let mut symbols = self.start.symbols();
        let merged = self.merges.iter();
        symbols.extend(merged.map(|m| format!("{}{}", m.pair.0, m.pair.1)));
        let ids = symbols.iter().enumerate().map(|(i, s)| (s.as_str(), i));
        // The first of equal symbols counts.
        let ids: HashMap<&str, usize> = ids.rev().collect();
        let of = |(_, pieces): &(String, Vec<String>)| -> Vec<usize> {
            let last = pieces.len().saturating_sub(1);
            let id = |(i, piece): (usize, &String)| {
                let end = if i == last { END_OF_WORD } else { "" };
                let symbol = format!("{piece}{end}");
                ids.get(symbol.as_str()).map_or(UNK, |id| UNK + 1 + id)
            };
            pieces.iter().enumerate().map(id).collect()
        };
        self.sentence.iter().flat_map(of).collect()
    }
}

/// Runs the real learner on words with their counts.
pub fn learned(words: &[(String, usize)], merges: usize) -> Bpe {
    let lines = words.iter().map(|(w, n)| [w.as_str()].repeat(*n).join(" "));
    let lines: Vec<String> = lines.collect();
    Bpe::learn(lines.iter().map(String::as_str), merges, 2)
}

fn occurrences(corpus: &Corpus, pair: &Pair) -> usize {
    let here = |symbols: &[String]| {
        let pairs = symbols.windows(2);
        pairs.filter(|w| w[0] == pair.0 && w[1] == pair.1).count()
    };
    let words = corpus.words.iter();
    words.map(|(symbols, times)| here(symbols) * times).sum()
}

/// The real segmenter with these merges.
fn segmenter(merges: &[Merge]) -> Bpe {
    let lines = merges
        .iter()
        .map(|m| format!("{} {}\n", m.pair.0, m.pair.1));
    let lines: String = lines.collect();
    Bpe::parse(&format!("#version: 0.2\n{lines}")).expect("merges are two symbols a line")
}

/// Splits off the longest known piece from the left, repeatedly, ignoring the order of the merges.
fn longest_first(word: &str, bpe: &Bpe) -> Vec<String> {
    let known = bpe.merges().iter().map(|(a, b)| format!("{a}{b}"));
    let known: Vec<String> = known.collect();
    let mut rest = format!("{word}{END_OF_WORD}");
    let mut pieces = Vec::new();
    while !rest.is_empty() && rest != END_OF_WORD {
        let fits = known.iter().filter(|k| {
            // The end mark belongs to the last symbol, so it cannot be left alone.
            rest.strip_prefix(k.as_str())
                .is_some_and(|left| left != END_OF_WORD)
        });
        let longest = fits.max_by_key(|k| k.len()).cloned();
        let piece = longest.unwrap_or_else(|| rest.chars().take(1).collect());
        rest = rest[piece.len()..].to_owned();
        pieces.push(piece.trim_end_matches(END_OF_WORD).to_owned());
    }
    pieces
}
