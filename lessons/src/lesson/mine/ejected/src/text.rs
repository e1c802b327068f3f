//! Text to token ids and back: a unigram model of subwords (Kudo 2018), as SentencePiece uses it.

use std::collections::HashMap;
use std::path::Path;

use vocabulary::{EOS, UNK};

/// The ids with a meaning of their own; the pieces follow.
pub mod vocabulary {
    pub const PAD: usize = 0;
    pub const BOS: usize = 1;
    pub const EOS: usize = 2;
    pub const UNK: usize = 3;
}

/// The sign for a blank inside a piece.
const BLANK: char = '▁';

/// How much less likely an unknown character is than the least likely piece, as a logarithm.
const UNKNOWN: f32 = 10.0;

pub struct Tokenizer {
    /// Pieces by id; those of the special ids are empty.
    pieces: Vec<String>,
    /// Id and log-probability of each piece.
    known: HashMap<String, (usize, f32)>,
    /// Log-probability of a character that no piece has.
    unknown: f32,
    /// Number of bytes of the longest piece.
    longest: usize,
}

impl Tokenizer {
    /// Reads a list of pieces: one per line, with its log-probability behind a blank.
    pub fn read(path: &Path) -> Result<Self, String> {
        let wrong = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
        let text = std::fs::read_to_string(path).map_err(|e| wrong(&e))?;
        let mut tokenizer = Self {
            pieces: vec![String::new(); UNK + 1],
            known: HashMap::new(),
            unknown: f32::MAX,
            longest: 0,
        };
        for line in text.lines() {
            let (piece, score) = line.split_once(' ').unwrap_or((line, ""));
            let score: f32 = score
                .parse()
                .map_err(|_| wrong(&format!("'{line}' is not a piece and a number")))?;
            let id = tokenizer.pieces.len();
            tokenizer.known.insert(piece.to_owned(), (id, score));
            tokenizer.pieces.push(piece.to_owned());
            tokenizer.unknown = tokenizer.unknown.min(score - UNKNOWN);
            tokenizer.longest = tokenizer.longest.max(piece.len());
        }
        Ok(tokenizer)
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The ids of a sentence, with the end of the sentence after them.
    pub fn encode(&self, sentence: &str) -> Vec<usize> {
        let words: Vec<String> = sentence.split_whitespace().map(plain).collect();
        let text: String = words.iter().map(|word| format!("{BLANK}{word}")).collect();
        let mut ids = self.likeliest(&text);
        // Neighbours that no piece has are one unknown token.
        ids.dedup_by(|a, b| *a == UNK && *b == UNK);
        ids.push(EOS);
        ids
    }

    /// The segmentation with the largest sum of log-probabilities, found from left to right: the best way to reach the
    /// end of a piece is that piece after the best way to reach its start.
    fn likeliest(&self, text: &str) -> Vec<usize> {
        // For each byte: the sum of the best way there, and the last piece with its start.
        let mut best: Vec<Option<(f32, usize, usize)>> = vec![None; text.len() + 1];
        for (start, first) in text.char_indices() {
            let before = best[start].map_or(0.0, |(sum, ..)| sum);
            let mut offer = |end: usize, score: f32, id: usize| {
                let sum = f64::from(score) + f64::from(before);
                if best[end].is_none_or(|(least, ..)| sum > f64::from(least)) {
                    best[end] = Some((sum as f32, id, start));
                }
            };
            let next = start + first.len_utf8();
            if !self.known.contains_key(&text[start..next]) {
                offer(next, self.unknown, UNK);
            }
            let ends = next..=text.len().min(start + self.longest);
            for end in ends.filter(|&end| text.is_char_boundary(end)) {
                if let Some(&(id, score)) = self.known.get(&text[start..end]) {
                    offer(end, score, id);
                }
            }
        }
        let (mut ids, mut end) = (vec![], text.len());
        while let Some((_, id, start)) = best[end] {
            ids.push(id);
            end = start;
        }
        ids.reverse();
        ids
    }

    /// The pieces of the ids.
    pub fn pieces(&self, ids: &[usize]) -> Vec<&str> {
        ids.iter().map(|&id| self.pieces[id].as_str()).collect()
    }

    /// The text of the ids.
    pub fn decode(&self, ids: &[usize]) -> String {
        self.pieces(ids)
            .concat()
            .replace(BLANK, " ")
            .trim()
            .to_owned()
    }
}

/// A word with the quotes, dashes and dots of a plain keyboard, which the model was trained on.
fn plain(word: &str) -> String {
    let mut plain = String::new();
    for c in word.chars() {
        match c {
            '“' | '”' | '„' | '«' | '»' => plain.push('"'),
            '’' | '‘' | '‚' | '´' | '`' => plain.push('\''),
            '–' | '—' => plain.push('-'),
            '…' => plain.push_str("..."),
            c => plain.push(c),
        }
    }
    plain
}
