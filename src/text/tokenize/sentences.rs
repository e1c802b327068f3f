//! Where one sentence ends and the next begins.

use super::{Language, abbreviations};

/// The sentences of a text. One ends with `.`, `!`, `?` or `…` and what closes behind them, where a blank follows, but
/// not with the point of an abbreviation or of an ordinal number; and with every line.
pub fn sentences(text: &str, language: Language) -> Vec<&str> {
    text.lines()
        .flat_map(|line| of_line(line, language))
        .collect()
}

fn of_line(line: &str, language: Language) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, blank) in line.char_indices().filter(|(_, c)| c.is_whitespace()) {
        if ends(&line[start..at], language) {
            found.push(&line[start..at]);
            start = at + blank.len_utf8();
        }
    }
    found.push(&line[start..]);
    found
        .into_iter()
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
        .collect()
}

/// Whether a sentence can end like this.
fn ends(text: &str, language: Language) -> bool {
    let closing = |c: char| matches!(c, '"' | '\'' | ')' | ']' | '“' | '”' | '’' | '«' | '»');
    let bare = text.trim_end_matches(closing);
    let Some(before) = bare.strip_suffix('.') else {
        return bare.ends_with(['!', '?', '…']);
    };
    if before.ends_with(['.', '!', '?']) {
        return true;
    }
    let word = before.rsplit(char::is_whitespace).next().unwrap_or(before);
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    // Of z.B. and U.S.A. the last point is as little an end as the first.
    let dotted = word.contains('.') && word.chars().any(char::is_alphabetic);
    !(dotted || word.is_empty() || abbreviations::is_abbreviation(word, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_people_end_them() {
        for (text, parts) in [
            (
                "Ich habe Hunger. Wo ist die Küche?",
                vec!["Ich habe Hunger.", "Wo ist die Küche?"],
            ),
            (
                "hallo! wie geht's? gut...",
                vec!["hallo!", "wie geht's?", "gut..."],
            ),
            (
                "Am 3. Mai kommt Dr. Weiß, z.B. mit dem Zug.",
                vec!["Am 3. Mai kommt Dr. Weiß, z.B. mit dem Zug."],
            ),
            (
                "Er sagte: „Komm!“ Dann ging er.",
                vec!["Er sagte: „Komm!“", "Dann ging er."],
            ),
            ("Eins.\nZwei.", vec!["Eins.", "Zwei."]),
            ("ohne Punkt", vec!["ohne Punkt"]),
            ("Na so was … Gut.", vec!["Na so was …", "Gut."]),
            ("  ", vec![]),
        ] {
            assert_eq!(sentences(text, Language::German), parts, "{text}");
        }
    }
}
