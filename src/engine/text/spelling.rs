//! Rewrites a line as people type it with the characters that a model was trained on.

mod invisible;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::tokenize::{Form, normalize};
pub use invisible::{is_invisible, without_invisible};

/// A line as a model reads it, with the changes made to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// The line as the model reads it.
    pub text: String,
    /// Replaced characters, each once with its replacement, which is empty if the character was dropped.
    pub changes: Vec<(String, String)>,
    /// True if the line was in capitals and was made lower case.
    pub lowered: bool,
}

impl Spelling {
    /// Keeps the line as it is.
    pub fn unchanged(line: &str) -> Self {
        Self {
            text: line.to_owned(),
            ..Self::default()
        }
    }

    fn note(&mut self, from: &str, to: &str) {
        if !self.changes.iter().any(|(known, _)| known == from) {
            self.changes.push((from.to_owned(), to.to_owned()));
        }
    }

    /// Describes the changes in a sentence; `None` if there are none.
    pub fn remark(&self) -> Option<String> {
        let replaced = self.changes.iter().map(|(from, to)| match to.as_str() {
            "" => format!("{} as nothing", named(from)),
            to => format!("{} as {to}", named(from)),
        });
        let capitals = self.lowered.then(|| "capitals as small letters".to_owned());
        let all: Vec<String> = replaced.chain(capitals).collect();
        let (last, first) = all.split_last()?;
        let list = match first {
            [] => last.clone(),
            first => format!("{} and {last}", first.join(", ")),
        };
        Some(format!("The model reads {list}."))
    }
}

/// Shows a character as it is, or as its code point if it is invisible.
fn named(text: &str) -> String {
    let hidden = |c: char| is_invisible(c) || ('\u{300}'..='\u{36f}').contains(&c);
    let mut all = text.chars();
    match (all.next(), all.next()) {
        (Some(c), None) if hidden(c) => format!("U+{:04X}", u32::from(c)),
        _ => text.to_owned(),
    }
}

/// Typographic characters and their plain keyboard equivalents.
const PLAIN: [(&str, &[char]); 5] = [
    (
        "\"",
        &[
            '“', '”', '„', '«', '»', '‟', '‹', '›', '〝', '〞', '❝', '❞', '″',
        ],
    ),
    (
        "'",
        &['’', '‘', '‚', '‛', '´', '`', '′', '‵', 'ʼ', 'ʻ', 'ˈ'],
    ),
    ("-", &['–', '—', '‑', '‐', '−', '‒', '―', '⁃']),
    ("...", &['…']),
    ("/", &['⁄', '∕']),
];

/// Replaces typographic characters by those of a plain keyboard.
pub fn with_plain_marks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match PLAIN.iter().find(|(_, signs)| signs.contains(&c)) {
            Some((sign, _)) => plain += sign,
            None => plain.push(c),
        }
    }
    plain
}

/// Rewrites the line with characters that a model knows. `weight` gives the frequency of a character in its training
/// text, 0 for never.
///
/// A typographic character becomes the plain one if that was more frequent. An unknown character is composed, replaced
/// by its compatibility form (`ﬁ` by `fi`, a full-width letter by the usual one) or stripped of its accent; if none of
/// these is known, it stays. Invisible characters are dropped.
pub fn in_known_characters(line: &str, weight: impl Fn(char) -> f64) -> Spelling {
    let mut spelling = without_invisible(line);
    let lowered = without_shouting(&spelling.text);
    spelling.lowered = matches!(lowered, Cow::Owned(_));
    let line = if weight('>') > 0.0 && weight('<') > 0.0 {
        lowered.into_owned()
    } else {
        angle_quotes(&lowered)
    };
    spelling.text = String::with_capacity(line.len());
    for c in normalize(&line, Form::Nfc).chars() {
        if c.is_whitespace() {
            spelling.text.push(' ');
        } else if is_invisible(c) && !invisible::joins(&spelling.text, c, &weight) {
            spelling.note(&c.to_string(), "");
        } else if let Some(other) = replacement(c, &weight) {
            spelling.note(&c.to_string(), &other);
            spelling.text += &other;
        } else {
            spelling.text.push(c);
        }
    }
    spelling
}

/// Characters, and letters with combining marks, that [`in_known_characters`] replaces wherever they are, and their
/// replacements.
pub fn replacements(weight: impl Fn(char) -> f64) -> BTreeMap<String, String> {
    // Mathematical letters are the last that have a plain form.
    let all = ('\u{1}'..='\u{ffff}').chain('\u{1d400}'..='\u{1d7ff}');
    let texts = all.flat_map(|c| {
        let one = c.to_string();
        // Only a letter and its marks become that character again.
        let apart = normalize(&one, Form::Nfkd);
        let apart = Some(apart).filter(|apart| *apart != one && normalize(apart, Form::Nfc) == one);
        apart.into_iter().chain([one])
    });
    let replaced = texts.filter_map(|text| {
        let plain = in_known_characters(&text, &weight).text;
        (plain != text).then_some((text, plain))
    });
    replaced.collect()
}

/// Replacement for `c`; `None` if it stays.
fn replacement(c: char, weight: impl Fn(char) -> f64) -> Option<String> {
    let least = |text: &str| {
        let weights = text.chars().filter(|c| !c.is_whitespace()).map(&weight);
        weights.fold(f64::INFINITY, f64::min)
    };
    let own = weight(c);
    let plain = PLAIN.iter().find(|(_, signs)| signs.contains(&c));
    if let Some((plain, _)) = plain.filter(|(plain, _)| least(plain) > own) {
        return Some((*plain).to_owned());
    }
    if own > 0.0 {
        return None;
    }
    let one = c.to_string();
    // Only U+1E9E has no compatibility form that a German keyboard can type.
    let capital = (c == 'ẞ').then(|| "SS".to_owned());
    let choices = [normalize(&one, Form::Nfkc), unaccented(&one)];
    let mut choices = capital.into_iter().chain(choices);
    choices.find(|text| *text != one && least(text) > 0.0)
}

/// Removes accents: `é` becomes `e`.
fn unaccented(text: &str) -> String {
    let parts = normalize(text, Form::Nfkd);
    let letters = parts
        .chars()
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c));
    letters.collect()
}

/// Replaces `>>so<<` and `<<so>>`, which are quotes typed on a plain keyboard, by `»so«` and `«so»`. The marks must
/// touch the quoted text, so `1 << 3` stays.
fn angle_quotes(line: &str) -> String {
    let touches = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && !"<>".contains(c));
    let mut out = String::with_capacity(line.len());
    let (mut copied, mut open) = (0, None);
    for at in angle_marks(line) {
        let (mark, end) = (&line[at..at + 2], at + 2);
        let closes = touches(line[..at].chars().next_back());
        match open {
            Some(start) if closes && line[start..start + 2] != *mark => {
                let (left, right) = if mark == "<<" {
                    ("»", "«")
                } else {
                    ("«", "»")
                };
                let parts = [&line[copied..start], left, &line[start + 2..at], right];
                out.extend(parts);
                (copied, open) = (end, None);
            }
            _ => open = touches(line[end..].chars().next()).then_some(at),
        }
    }
    out + &line[copied..]
}

/// Byte indices of `<<` and `>>`.
fn angle_marks(line: &str) -> Vec<usize> {
    let bytes = line.as_bytes();
    let (mut marks, mut at) = (Vec::new(), 0);
    while at + 1 < bytes.len() {
        let is_mark = matches!(&bytes[at..at + 2], b"<<" | b">>");
        if is_mark {
            marks.push(at);
        }
        at += 1 + usize::from(is_mark);
    }
    marks
}

/// Lower-cases a line of several words that is all in capitals, because the capitals then carry no information.
pub fn without_shouting(line: &str) -> Cow<'_, str> {
    let letters = || line.chars().filter(|c| c.is_alphabetic());
    let several = line.split_whitespace().nth(1).is_some();
    let shouted = several && letters().nth(3).is_some() && letters().all(char::is_uppercase);
    if shouted {
        line.to_lowercase().into()
    } else {
        line.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frequencies of a text that quotes with `"` and only rarely with „ and “.
    fn weight(c: char) -> f64 {
        match c {
            '„' | '“' | '\u{ad}' | '\u{200b}' => 0.001,
            c if c.is_ascii() && !"<>".contains(c) || "äöüß".contains(c) => 0.1,
            _ => 0.0,
        }
    }

    #[test]
    fn characters_that_a_model_never_saw_are_written_as_ones_it_knows() {
        for (line, text) in [
            ("„Café“ – 5 °C…", "\"Cafe\" - 5 °C..."),
            ("scho\u{308}n \u{ad}und ﬁt", "schön und fit"),
            ("Ich\u{a0}weiß’s", "Ich weiß's"),
            ("日本 €", "日本 €"),
            ("Ｈａｌｌｏ！", "Hallo!"),
            (
                "Wörter\u{ad}buch, Wör\u{200b}ter\u{2060}buch",
                "Wörterbuch, Wörterbuch",
            ),
            ("\u{feff}Ha\u{200d}us\u{200e} \u{202a}da\u{202c}", "Haus da"),
            (
                ">>Komm her!<<, sagte <<er>>.",
                "\"Komm her!\", sagte \"er\".",
            ),
            (">>a<< und >>b c<<", "\"a\" und \"b c\""),
            ("1 << 3 >> 2 <<", "1 << 3 >> 2 <<"),
            ("GROẞ wie er", "GROSS wie er"),
        ] {
            assert_eq!(in_known_characters(line, weight).text, text);
        }
    }

    #[test]
    fn the_replacements_are_those_of_single_characters() {
        let all = replacements(weight);
        for (from, to) in [
            ("\u{a0}", " "),
            ("\t", " "),
            ("\u{2028}", " "),
            ("\u{ad}", ""),
            ("２", "2"),
            ("„", "\""),
            ("é", "e"),
            ("o\u{308}", "ö"),
            ("…", "..."),
        ] {
            assert_eq!(all.get(from).map(String::as_str), Some(to), "{from:?}");
        }
        for kept in ["a", "ö", "\"", "日", "€", " "] {
            assert_eq!(all.get(kept), None, "{kept}");
        }
    }

    #[test]
    fn a_sign_that_the_training_text_had_more_often_than_the_plain_one_stays() {
        let typographic = |c: char| if c == '"' { 0.01 } else { 0.1 };
        let spelling = in_known_characters("„Komm“", typographic);
        assert_eq!(spelling, Spelling::unchanged("„Komm“"));
        // An alphabet that joins letters keeps the joiner it was trained with.
        let line = "می\u{200c}روم";
        assert_eq!(in_known_characters(line, typographic).text, line);
    }

    #[test]
    fn changes_are_said_and_each_once() {
        let spelling = in_known_characters("„Ja“, „Wör\u{ad}ter“", weight);
        assert_eq!(
            spelling.remark().unwrap(),
            "The model reads U+00AD as nothing, „ as \" and “ as \"."
        );
        let shouted = in_known_characters("WO IST ER?", weight);
        assert_eq!(
            shouted.remark().unwrap(),
            "The model reads capitals as small letters."
        );
        assert_eq!(in_known_characters("Wo ist er?", weight).remark(), None);
    }

    #[test]
    fn capitals_everywhere_say_nothing_and_one_word_of_them_may_be_a_name() {
        assert_eq!(
            without_shouting("WO IST MÜLLERS HUND?"),
            "wo ist müllers hund?"
        );
        for line in ["USA", "Die USA", "I C", "NEIN, danke"] {
            assert_eq!(without_shouting(line), line);
        }
    }
}
