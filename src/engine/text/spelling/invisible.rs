//! Characters that are drawn as nothing: soft hyphens, zero-width spaces and joiners, direction marks.

use super::Spelling;

/// True for characters without a visible form, Unicode's `Default_Ignorable_Code_Point`.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Removes the invisible characters inside words, which would otherwise be read as the ends of pieces or words.
///
/// Only alphabets that give them no meaning are affected: Persian and the scripts of India spell with joiners, and Thai
/// and Khmer separate words with a zero-width space.
pub fn without_invisible(line: &str) -> Spelling {
    let mut spelling = Spelling::default();
    let mut rest = line;
    while let Some(at) = rest.find(is_invisible) {
        let (visible, hidden) = rest.split_at(at);
        let end = hidden.find(|c| !is_invisible(c));
        let (run, after) = hidden.split_at(end.unwrap_or(hidden.len()));
        spelling.text += visible;
        let before = spelling.text.chars().next_back();
        if before.is_some_and(is_plain) && after.chars().next().is_some_and(is_plain) {
            run.chars().for_each(|c| spelling.note(&c.to_string(), ""));
        } else {
            spelling.text += run;
        }
        rest = after;
    }
    spelling.text += rest;
    spelling
}

/// True if `c` belongs to the spelling of a word that ends with `before`: a joiner or zero-width space that the model
/// was trained on, in a script that uses them.
pub(super) fn joins(before: &str, c: char, weight: impl Fn(char) -> f64) -> bool {
    let letter = before.chars().next_back();
    let joined = letter.is_some_and(|c| !is_plain(c) && !c.is_whitespace() && !c.is_ascii());
    joined && matches!(c, '\u{200b}'..='\u{200d}') && weight(c) > 0.0
}

/// True for letters and digits of alphabets whose spelling needs no invisible characters: Latin, Greek, Cyrillic,
/// Armenian, Hebrew and Georgian.
fn is_plain(c: char) -> bool {
    let alphabet =
        matches!(c, '\0'..='\u{5ff}' | '\u{10a0}'..='\u{10ff}' | '\u{1e00}'..='\u{1fff}');
    alphabet && (c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_inside_words_of_plain_alphabets_goes() {
        for (line, text) in [
            ("Wörter\u{ad}buch", "Wörterbuch"),
            ("при\u{200b}\u{2060}вет", "привет"),
            ("ein \u{200e}Wort\u{200f}.", "ein \u{200e}Wort\u{200f}."),
            ("می\u{200c}روم", "می\u{200c}روم"),
            ("ไป\u{200b}บ้าน", "ไป\u{200b}บ้าน"),
            ("👩\u{200d}👧", "👩\u{200d}👧"),
        ] {
            assert_eq!(without_invisible(line).text, text);
        }
    }
}
