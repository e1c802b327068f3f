//! Splitting a line into words for BLEU, by the rules of sacreBLEU's tokenizers.
//!
//! The same translation scores differently under different rules (Post 2018, "A Call for Clarity in
//! Reporting BLEU Scores"), so every score names its tokenizer.

use std::fmt;
use std::str::FromStr;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Rules by which a line is split into words. All finally split at white space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tokenize {
    /// `13a`, the rules of mteval-v13a.pl (WMT): ASCII symbols are words; periods and commas too,
    /// except inside a number; a dash after a digit. Undoes `&quot; &amp; &lt; &gt;`.
    #[default]
    V13a,
    /// `intl`, the rules of mteval-v14.pl: Unicode punctuation (category P) is a word where it touches
    /// something other than a number (N); every Unicode symbol (S) is a word.
    Intl,
    /// `char`: every character other than white space is a word.
    Char,
    /// `none`: the line is already tokenised.
    None,
}

impl Tokenize {
    /// All tokenizers, in the order in which help texts list them.
    pub const ALL: [Tokenize; 4] = [Self::V13a, Self::Intl, Self::Char, Self::None];

    /// sacreBLEU's name for it, which `--tokenize` takes and the signature shows after `tok:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::V13a => "13a",
            Self::Intl => "intl",
            Self::Char => "char",
            Self::None => "none",
        }
    }

    /// Splits `line` into words. White space at its end is dropped before any rule applies.
    pub fn words(self, line: &str) -> Vec<String> {
        let line = line.trim_end_matches(is_space);
        match self {
            Self::V13a => split(&v13a(line)),
            Self::Intl => split(&intl(line)),
            Self::Char => {
                let characters = line.chars().filter(|&c| !is_space(c));
                characters.map(String::from).collect()
            }
            Self::None => split(line),
        }
    }
}

impl fmt::Display for Tokenize {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tokenize {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|t| t.name() == name);
        known.ok_or_else(|| {
            if OTHERS.contains(&name) {
                format!(
                    "tokenizer {name} is sacreBLEU's alone: tokenise both files with it and choose none, or choose char, \
                     for which every character is a word"
                )
            } else {
                format!("unknown tokenizer {name:?}: choose 13a, intl, char or none")
            }
        })
    }
}

/// sacreBLEU's other tokenizers.
const OTHERS: [&str; 7] = [
    "zh",
    "ja-mecab",
    "ko-mecab",
    "spm",
    "flores101",
    "flores200",
    "spBLEU-1K",
];

/// True for white space as in Python's `str.split`: Unicode's and the four ASCII separators.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn split(line: &str) -> Vec<String> {
    let words = line.split(is_space).filter(|word| !word.is_empty());
    words.map(String::from).collect()
}

fn v13a(line: &str) -> String {
    let line = line.replace("<skipped>", "").replace("-\n", "");
    // `&amp;` before `&lt;`, so that `&amp;lt;` becomes `<`: the order is part of the rules.
    let line = line.replace('\n', " ").replace("&quot;", "\"");
    let line = line.replace("&amp;", "&").replace("&lt;", "<");
    // The spaces give a mark at either end of the line a neighbour that is not a digit.
    let line = format!(" {} ", line.replace("&gt;", ">"));
    // ASCII punctuation, except the apostrophe and the three marks that depend on their neighbours.
    let line = surround(&line, |c| {
        c.is_ascii_punctuation() && !matches!(c, '\'' | ',' | '-' | '.')
    });
    let digit = |c: char| c.is_ascii_digit();
    let mark = |c: char| matches!(c, '.' | ',');
    let line = after(&line, |c| !digit(c), mark);
    let line = before(&line, mark, |c| !digit(c));
    after(&line, digit, |c| c == '-')
}

fn intl(line: &str) -> String {
    let line = after(line, |c| !is_number(c), is_punctuation);
    let line = before(&line, is_punctuation, |c| !is_number(c));
    surround(&line, is_symbol)
}

/// Puts a space on both sides of every `mark`.
fn surround(line: &str, mark: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(line.len() * 2);
    for c in line.chars() {
        if mark(c) {
            out.extend([' ', c, ' '])
        } else {
            out.push(c)
        }
    }
    out
}

/// Puts spaces around a `mark` that follows a `left`.
fn after(line: &str, left: impl Fn(char) -> bool, mark: impl Fn(char) -> bool) -> String {
    pairs(line, left, mark, |left, mark| [left, ' ', mark, ' '])
}

/// Puts spaces around a `mark` that precedes a `right`.
fn before(line: &str, mark: impl Fn(char) -> bool, right: impl Fn(char) -> bool) -> String {
    pairs(line, mark, right, |mark, right| [' ', mark, ' ', right])
}

/// Replaces pairs of neighbours from left to right. As in a regular expression's substitution, no character belongs to
/// two pairs: in `1...2` the second period ends a pair, so the third follows nothing.
fn pairs(
    line: &str,
    first: impl Fn(char) -> bool,
    second: impl Fn(char) -> bool,
    replace: impl Fn(char, char) -> [char; 4],
) -> String {
    let mut out = String::with_capacity(line.len() * 2);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match rest.next_if(|&next| first(c) && second(next)) {
            Some(next) => out.extend(replace(c, next)),
            None => out.push(c),
        }
    }
    out
}

fn is_number(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Number
}

fn is_punctuation(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Punctuation
}

fn is_symbol(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Symbol
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tokenize: Tokenize, line: &str, words: &str) {
        assert_eq!(tokenize.words(line).join(" "), words);
    }

    #[test]
    fn v13a_keeps_numbers_and_apostrophes_together() {
        let check = |line, words| check(Tokenize::V13a, line, words);
        check(
            "It costs $1,000.50, doesn't it?",
            "It costs $ 1,000.50 , doesn't it ?",
        );
        check("1990-1995 well-known 3-D", "1990 - 1995 well-known 3 - D");
        check("It was 2020.", "It was 2020 .");
        check("a/b (c) [d] {e} ~f_g", "a / b ( c ) [ d ] { e } ~ f _ g");
        check("«Straße» – 5€", "«Straße» – 5€");
    }

    #[test]
    fn v13a_takes_marks_in_pairs_from_the_left() {
        let check = |line, words| check(Tokenize::V13a, line, words);
        check("wait...", "wait . . .");
        check("3...", "3 . . .");
        check("1..2", "1 . . 2");
        check("1...2", "1 . . .2");
        check("a.5,b", "a . 5 , b");
    }

    #[test]
    fn v13a_undoes_entities_and_line_ends() {
        let check = |line, words| check(Tokenize::V13a, line, words);
        check("&quot;A&amp;B&quot; &amp;lt; C &gt;", "\" A & B \" < C >");
        check("trans-\nlate\nme<skipped>", "translate me");
    }

    #[test]
    fn intl_splits_unicode_punctuation_and_symbols() {
        let check = |line, words| check(Tokenize::Intl, line, words);
        check("«Straße» – 5€, 1.000,50", "« Straße » – 5 € , 1.000,50");
        check(
            "doesn't well-known 1990-95",
            "doesn ' t well - known 1990-95",
        );
        // A flaw of mteval-v14.pl itself: nothing separates the last period from a number.
        check("It was 2020.", "It was 2020.");
        check("It was 2020.  ", "It was 2020.");
        check("x=½÷٣، ٤.", "x = ½ ÷ ٣ ، ٤.");
    }

    #[test]
    fn char_splits_everything() {
        check(Tokenize::Char, " aß ñ. ", "a ß ñ .");
    }

    #[test]
    fn none_splits_at_white_space_only() {
        check(Tokenize::None, "a,b \u{a0}c\u{1c}d\te.\n", "a,b c d e.");
    }

    #[test]
    fn empty_lines_have_no_words() {
        for tokenize in Tokenize::ALL {
            check(tokenize, "", "");
            check(tokenize, " \u{3000}\n", "");
        }
    }

    #[test]
    fn names_are_read_and_an_unknown_one_is_answered() {
        for tokenize in Tokenize::ALL {
            assert_eq!(tokenize.name().parse(), Ok(tokenize));
        }
        assert_eq!(
            "moses".parse::<Tokenize>(),
            Err("unknown tokenizer \"moses\": choose 13a, intl, char or none".to_string())
        );
        for name in OTHERS {
            let message = name.parse::<Tokenize>().unwrap_err();
            assert!(message.contains("choose none, or choose char"), "{message}");
        }
    }
}
