//! Parts of a sentence that a translation carries over unchanged: addresses, tags, variables, dates in digits, numbers.
//!
//! A small model copies a long number or an address with mistakes. So each such part is replaced by one of the
//! [`SYMBOLS`] before the model reads the sentence; the model places the symbol, and the part returns in its English
//! form. Short whole numbers stay, because their words depend on them ("1 Tag", "2 Tage").

mod forms;
#[cfg(test)]
mod tests;

use ndarray_rand::rand::Rng;
use ndarray_rand::rand::seq::SliceRandom;

use super::sentencepiece::SentencePiece;
use forms::parts;
pub use forms::{matches, pattern};

/// Symbols that stand for a part of a sentence. Unicode normalisation leaves them as they are.
pub const SYMBOLS: [char; 8] = ['❶', '❷', '❸', '❹', '❺', '❻', '❼', '❽'];

/// A part of a sentence that is not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// What the model reads in its place.
    pub symbol: char,
    /// The part as written: `72,5 kg`.
    pub source: String,
    /// The part as English writes it: `72.5 kg`.
    pub target: String,
}

/// True if the pieces contain every symbol.
pub fn known(pieces: &SentencePiece) -> bool {
    SYMBOLS.iter().all(|symbol| pieces.weight(*symbol) > 0.0)
}

/// Replaces the parts of a line by symbols, in order. Parts beyond the number of symbols stay.
pub fn hide(line: &str) -> (String, Vec<Placeholder>) {
    replace(line, &SYMBOLS)
}

fn replace(line: &str, symbols: &[char]) -> (String, Vec<Placeholder>) {
    let (mut text, mut placeholders) = (String::with_capacity(line.len()), Vec::new());
    let mut from = 0;
    for (part, &symbol) in parts(line).into_iter().zip(symbols) {
        text += &line[from..part.at.start];
        text.push(symbol);
        from = part.at.end;
        placeholders.push(Placeholder {
            symbol,
            source: line[part.at].to_owned(),
            target: part.english,
        });
    }
    (text + &line[from..], placeholders)
}

/// Puts the parts back into a translation.
pub fn restore(translation: &str, placeholders: &[Placeholder]) -> String {
    let mut text = String::with_capacity(translation.len());
    for c in translation.chars() {
        match placeholders.iter().find(|one| one.symbol == c) {
            Some(one) => text += &one.target,
            None => text.push(c),
        }
    }
    text
}

/// Replaces what both sentences of a training pair contain by symbols drawn at random, so that the model learns all of
/// them. A part that the target writes in a different way stays in both.
pub fn hide_in_both(source: &str, target: &str, rng: &mut impl Rng) -> (String, String) {
    let mut symbols = SYMBOLS;
    symbols.shuffle(rng);
    let (mut hidden, placeholders) = replace(source, &symbols);
    let mut target = target.to_owned();
    for one in placeholders {
        match place(&target, &one.target) {
            Some(at) => target.replace_range(at, one.symbol.encode_utf8(&mut [0; 4])),
            None => hidden = hidden.replace(one.symbol, &one.source),
        }
    }
    (hidden, target)
}

/// First place where `part` is not within a longer word or number.
fn place(text: &str, part: &str) -> Option<std::ops::Range<usize>> {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(part).find_map(|(at, _)| {
        let end = at + part.len();
        let (before, after) = (text[..at].chars(), text[end..].chars());
        let mut tail = after.clone();
        // "3" is not in "3.5", but it is in "It costs 3."
        let decimal = matches!(tail.next(), Some('.' | ','))
            && tail.next().is_some_and(|c| c.is_ascii_digit());
        let word = part.starts_with(char::is_alphanumeric) && inside(before.clone().next_back())
            || part.ends_with(char::is_alphanumeric) && (inside(after.clone().next()) || decimal);
        (!word).then_some(at..end)
    })
}
