//! Normalisation of characters and punctuation marks that can be written in several ways.

use unicode_normalization::UnicodeNormalization;

use super::Language;

/// Unicode normalisation forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A letter and its accent become one character; nothing is lost.
    Nfc,
    /// Also replaces variants: `ﬁ` becomes `fi`, `²` becomes `2`, a no-break space a blank.
    Nfkc,
    /// Also separates letters from their accents.
    Nfkd,
}

/// `text` in a Unicode normalization form (Unicode Standard Annex 15).
pub fn normalize(text: &str, form: Form) -> String {
    match form {
        Form::Nfc => text.nfc().collect(),
        Form::Nfkc => text.nfkc().collect(),
        Form::Nfkd => text.nfkd().collect(),
    }
}

/// Replacements that do not depend on neighbouring characters, in order.
const PLAIN: [(&str, &str); 33] = [
    ("`", "'"),
    ("''", " \" "),
    ("„", "\""),
    ("“", "\""),
    ("”", "\""),
    ("–", "-"),
    ("—", " - "),
    ("´", "'"),
    ("‘", "'"),
    ("‚", "'"),
    ("’", "'"),
    ("''", "\""),
    ("…", "..."),
    ("\u{a0}«\u{a0}", "\""),
    ("«\u{a0}", "\""),
    ("«", "\""),
    ("\u{a0}»\u{a0}", "\""),
    ("\u{a0}»", "\""),
    ("»", "\""),
    ("\u{a0}%", "%"),
    ("nº\u{a0}", "nº "),
    ("\u{a0}:", ":"),
    ("\u{a0}ºC", " ºC"),
    ("\u{a0}cm", " cm"),
    ("\u{a0}?", "?"),
    ("\u{a0}!", "!"),
    ("\u{a0};", ";"),
    (",\u{a0}", ", "),
    // Not in Moses: a soft hyphen or zero-width space would split a word in two.
    ("\u{ad}", ""),
    ("\u{200b}", ""),
    ("\u{feff}", ""),
    ("\u{2011}", "-"),
    ("\u{202f}", "\u{a0}"),
];

/// Replaces typographic quotes, dashes and spaces by plain ones, like Moses' `normalize-punctuation.perl`.
///
/// As there, a no-break space between digits becomes a comma in German and a point in English.
pub fn normalize_punctuation(text: &str, language: Language) -> String {
    let mut text = text.replace('\r', "");
    for (from, to) in [("(", " ("), (")", ") ")] {
        text = text.replace(from, to);
    }
    text = one_blank(&text);
    text = rewrite(&text, |before, after| {
        let closed = before == Some(')') && matches!(after, [' ', c, ..] if ".!:?;,".contains(*c));
        closed.then(|| (1, String::new()))
    });
    for (from, to) in [("( ", "("), (" )", ")")] {
        text = text.replace(from, to);
    }
    text = rewrite(&text, |before, after| {
        let percent = is_digit(before) && after.starts_with(&[' ', '%']);
        percent.then(|| (1, String::new()))
    });
    for (from, to) in [(" :", ":"), (" ;", ";")] {
        text = text.replace(from, to);
    }
    for (from, to) in PLAIN {
        text = text.replace(from, to);
    }
    text = one_blank(&text);
    text = match language {
        Language::English => rewrite(&text, quote_then_comma),
        Language::German => rewrite(&text.replace(",\"", "\","), points_then_quote),
    };
    let between_digits = match language {
        Language::English => ".",
        Language::German => ",",
    };
    text = rewrite(&text, |before, after| {
        let grouped = is_digit(before) && after[0] == '\u{a0}' && is_digit(after.get(1).copied());
        grouped.then(|| (1, between_digits.to_owned()))
    });
    text.trim().to_owned()
}

/// English: `"so",` becomes `"so,"`.
fn quote_then_comma(_before: Option<char>, after: &[char]) -> Option<(usize, String)> {
    let marks = after.strip_prefix(&['"'])?;
    let marks: String = marks.iter().take_while(|c| ",.".contains(**c)).collect();
    (!marks.is_empty()).then(|| (1 + marks.len(), marks + "\""))
}

/// German: `"so." Er` becomes `"so". Er`, unless the text ends there.
fn points_then_quote(before: Option<char>, after: &[char]) -> Option<(usize, String)> {
    let points = after.iter().take_while(|&&c| c == '.').count();
    let quoted = points > 0 && before != Some('.') && after.get(points) == Some(&'"');
    let goes_on = after.get(points + 1).is_some_and(|&c| c != '<');
    (quoted && goes_on).then(|| (points + 1, format!("\"{}", ".".repeat(points))))
}

/// Applies `rule` at each position: it returns the number of characters to replace, and their replacement.
///
/// `rule` gets the character before the position, and all characters from the position on (never none).
fn rewrite(text: &str, rule: impl Fn(Option<char>, &[char]) -> Option<(usize, String)>) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut rewritten = String::with_capacity(text.len());
    let mut i = 0;
    while i < chars.len() {
        let before = i.checked_sub(1).map(|i| chars[i]);
        if let Some((length, replacement)) = rule(before, &chars[i..]) {
            rewritten += &replacement;
            i += length;
        } else {
            rewritten.push(chars[i]);
            i += 1;
        }
    }
    rewritten
}

fn one_blank(text: &str) -> String {
    rewrite(text, |before, after| {
        let repeated = before == Some(' ') && after[0] == ' ';
        repeated.then(|| (1, String::new()))
    })
}

fn is_digit(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_digit())
}
