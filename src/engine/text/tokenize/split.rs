//! The rules by which Moses' `tokenizer.perl` splits text into tokens.

use super::{Language, abbreviations};

// Placeholder for a point of an ellipsis until full stops are split off. A noncharacter, so it occurs in no text.
const ELLIPSIS_POINT: char = '\u{fdd0}';
// Mark before and after the text. A control character, so it occurs in no text that is split.
const EDGE: char = '\0';

/// Tokens of a text whose punctuation has been normalised.
pub(super) fn split(text: &str, language: Language) -> Vec<String> {
    let mut spaced = String::with_capacity(2 * text.len());
    let chars = padded(text);
    for around in chars.windows(3) {
        let (before, c, after) = (around[0], around[1], around[2]);
        match c {
            '.' if before == '.' || after == '.' => {
                if before != '.' {
                    spaced.push(' ');
                }
                spaced.push(ELLIPSIS_POINT);
                if after != '.' {
                    spaced.push(' ');
                }
            }
            // 5,300 is one token.
            ',' if before.is_numeric() && after.is_numeric() => spaced.push(','),
            '\'' => spaced += apostrophe(before, after, language),
            '.' | '-' => spaced.push(c),
            _ if c.is_whitespace() => spaced.push(' '),
            _ if is_alphanumeric(c) => spaced.push(c),
            _ => spaced.extend([' ', c, ' ']),
        }
    }
    let mut tokens: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
    tokens = split_points(tokens, language);
    for token in &mut tokens {
        *token = token.replace(ELLIPSIS_POINT, ".");
    }
    tokens
}

/// Characters of the text without control characters, with [`EDGE`] at both ends.
fn padded(text: &str) -> Vec<char> {
    let visible = text
        .chars()
        .filter(|c| c.is_whitespace() || !c.is_control());
    let edge = std::iter::once(EDGE);
    edge.clone().chain(visible).chain(edge).collect()
}

/// An apostrophe with its blanks: in `don't` it begins a token, and as a quotation mark it is one.
fn apostrophe(before: char, after: char, language: Language) -> &'static str {
    match language {
        Language::German => " ' ",
        // Moses looks at three characters: an apostrophe that begins or ends the text has only one
        // neighbour and stays, except after a full stop.
        Language::English if before == EDGE || after == EDGE && before != '.' => "'",
        Language::English if before.is_alphabetic() && after.is_alphabetic() => " '",
        // The 1990's, but not 5'a.
        Language::English if before.is_numeric() && after == 's' => " '",
        Language::English if before.is_numeric() && after.is_alphabetic() => "'",
        Language::English => " ' ",
    }
}

/// Splits the last full stop off each token, unless it belongs to an abbreviation.
fn split_points(tokens: Vec<String>, language: Language) -> Vec<String> {
    let mut split = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let next = rest.peek().and_then(|next| next.chars().next());
        match token.strip_suffix('.') {
            Some(word) if !word.is_empty() && !keeps_point(word, next, language) => {
                split.extend([word.to_owned(), ".".to_owned()]);
            }
            _ => split.push(token),
        }
    }
    split
}

fn keeps_point(word: &str, next: Option<char>, language: Language) -> bool {
    // U.S. and z.B. contain a full stop.
    let dotted = word.contains('.') && word.contains(char::is_alphabetic);
    // A sentence does not begin with a lower-case letter.
    let goes_on = next.is_some_and(char::is_lowercase);
    let counts = next.is_some_and(|c| c.is_ascii_digit());
    dotted
        || goes_on
        || abbreviations::is_abbreviation(word, language)
        || counts && abbreviations::is_before_number(word)
}

/// True for letters and decimal digits; `½` and `²` are symbols.
fn is_alphanumeric(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit()
}
