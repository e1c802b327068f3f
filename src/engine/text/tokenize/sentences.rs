//! Splitting of text into sentences.

use super::{Language, abbreviations};

/// Minimum length, in letters, of a word whose full stop ends a sentence in a language without rules; shorter words may
/// be abbreviations.
const SURELY_A_WORD: usize = 5;

/// Number of characters within which the next sentence begins: opening marks and spaces may precede its first letter.
const AHEAD: usize = 64;

/// Sentences of a text. A sentence ends with `.`, `!`, `?` or `…` and any closing marks, if a space follows, and at
/// every line end.
///
/// The full stop of an abbreviation does not end a sentence, nor does that of a German ordinal number or, unless a
/// capital follows, of a German date such as `24.12.` In a language without rules, a full stop ends a sentence only between a long word and a capital.
pub fn sentences(text: &str, language: Option<Language>) -> Vec<&str> {
    text.lines()
        .flat_map(|line| of_line(line, language))
        .collect()
}

fn of_line(line: &str, language: Option<Language>) -> Vec<&str> {
    let rules = Rules {
        language,
        small: !line.chars().any(char::is_uppercase),
    };
    let mut sentences = Vec::new();
    let mut start = 0;
    // End of the last character that is neither a closing mark nor a space.
    let mut bare = 0;
    let mut in_blanks = false;
    for (at, c) in line.char_indices() {
        let end = at + c.len_utf8();
        let is_first_blank = c.is_whitespace() && !in_blanks;
        in_blanks = c.is_whitespace();
        if !in_blanks && !is_closing(c) {
            bare = end;
        }
        // Further spaces in a row would give the same answer as the first.
        if is_first_blank && start < bare && rules.ends(&line[start..bare], bare < at, &line[end..])
        {
            sentences.push(&line[start..at]);
            start = end;
        }
    }
    sentences.push(&line[start..]);
    sentences
        .into_iter()
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
        .collect()
}

/// Rules that decide where the sentences of a line end.
struct Rules {
    language: Option<Language>,
    /// True for a line without capitals, in which a lower-case letter can begin a sentence.
    small: bool,
}

impl Rules {
    /// True if a sentence can end with `bare` when a space and then `after` follow; `is_closed` is true if closing
    /// marks come between `bare` and the space.
    fn ends(&self, bare: &str, is_closed: bool, after: &str) -> bool {
        if !bare.ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '।']) || closes(after)
        {
            return false;
        }
        let next = after
            .chars()
            .take(AHEAD)
            .find(|c| !is_opening(*c) && !c.is_whitespace());
        let small = next.is_some_and(char::is_lowercase) && !self.small;
        // »Darf ich mitspielen?« fragte sie.
        if small && is_closed {
            return false;
        }
        if bare.ends_with("..") || bare.ends_with('…') {
            return !small;
        }
        let Some(text) = bare
            .strip_suffix('.')
            .filter(|text| !text.ends_with(['!', '?']))
        else {
            return true;
        };
        let word = text.rsplit(char::is_whitespace).next().unwrap_or(text);
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        // In z.B. and U.S.A., the last full stop does not end a sentence either.
        let dotted = word.contains('.') && word.chars().any(char::is_alphabetic);
        // vom 1.1. bis zum 31.1., am 3.10. (Samstag)
        let dated = self.language == Some(Language::German) && is_date(word);
        let capital = next.is_some_and(char::is_uppercase) && !after.trim_start().starts_with('(');
        !dotted
            && !word.is_empty()
            && (capital || !dated)
            && (is_house_number(text) || self.ends_by_point(word, next, small))
    }

    /// True if the full stop of `word` can end a sentence before text that begins with `next`; `small` is true if that
    /// is a lower-case letter.
    fn ends_by_point(&self, word: &str, next: Option<char>, small: bool) -> bool {
        let within = |language| abbreviations::is_within_sentence(word, next, language);
        match self.language {
            // People type German in lower case, even in lines that have some capitals.
            Some(Language::German) => !within(Language::German),
            Some(Language::English) => !small && !within(Language::English),
            None => {
                let capital = next.is_none_or(char::is_uppercase);
                let letters = word.chars().filter(|c| c.is_alphabetic()).count();
                let year = letters == 0 && word.len() > 2;
                capital && (letters >= SURELY_A_WORD || year)
            }
        }
    }
}

/// True if the text ends with a house number, which is not an ordinal: `Hauptstr. 5`.
fn is_house_number(text: &str) -> bool {
    let mut words = text.split_whitespace().rev();
    let number = words
        .next()
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let street = words.next().unwrap_or_default().to_lowercase();
    number
        && ["str.", "straße", "strasse"]
            .iter()
            .any(|end| street.ends_with(end))
}

/// True for a day and a month without its full stop: `24.12`, `24.-26.12`, `1.5./2.5`.
fn is_date(word: &str) -> bool {
    let word = word.rsplit(['-', '–', '/']).next().unwrap_or(word);
    let up_to = |text: &str, most| {
        text.len() < 3 && text.parse().is_ok_and(|n: u8| (1..=most).contains(&n))
    };
    let parts = word.split_once('.');
    parts.is_some_and(|(day, month)| up_to(day, 31) && up_to(month, 12))
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | ')' | ']' | '“' | '”' | '’' | '‘' | '«' | '»' | '›' | '‹' | '<' | '>'
    )
}

fn is_opening(c: char) -> bool {
    matches!(c, '(' | '[' | '„' | '‚' | '¿' | '¡' | '-' | '–' | '—')
        || is_closing(c) && c != ')' && c != ']'
}

/// True if the text begins with a mark that closes what came before: `! » dit-il`.
fn closes(text: &str) -> bool {
    // After a space, « opens a quotation: French puts a space on either side, and elsewhere a closing « has none before
    // it.
    let closing = |c: char| is_closing(c) && !matches!(c, '«' | '‹' | '<');
    let text = text.trim_start();
    let rest = text.trim_start_matches(closing);
    rest.len() < text.len() && !rest.starts_with(|c: char| c.is_alphanumeric() || is_opening(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn cut(language: Option<Language>, all: &[&[&str]]) {
        for parts in all {
            let text = parts.join(" ");
            assert_eq!(&sentences(&text, language), parts, "{language:?}");
        }
    }

    #[test]
    fn a_run_of_blanks_or_marks_takes_a_time_of_its_length() {
        // With a million of them, looking from each one at all others would take hours.
        for filling in [" ", "\" ", "» ", "« ", "! ", ". ", "( "] {
            let text = format!("Er kommt.{}du", filling.repeat(1 << 20));
            assert!(!sentences(&text, Some(Language::German)).is_empty());
        }
    }

    #[test]
    fn german_sentences_end_where_people_end_them() {
        cut(
            Some(Language::German),
            &[
                &["Ich habe Hunger.", "Wo ist die Küche?"],
                &["hallo!", "wie geht's?", "gut..."],
                &["Am 3. Mai kommt Dr. Weiß, z.B. mit dem Zug."],
                &["Am 24.12. ist Heiligabend."],
                &["Am 3.10. (Samstag) kommt er."],
                &["Vom 1.1. bis zum 31.1. ist geschlossen."],
                &["Am 24.12. 2026 und am 5.6. 18 Uhr."],
                &["Vom 24.-26.12. und 1.5./2.5. ist zu."],
                &["bis zum 30.6. haben wir zeit"],
                &["Er kam am 24.12.", "Dann ging er."],
                &["Es sind 72.5.", "dann 3.14.", "Gut."],
                &["Er sagte: „Komm!“", "Dann ging er."],
                &["ohne Punkt"],
                &["Na so was …", "Gut."],
                &["Ich … weiß nicht."],
                &["Er wohnt in der Hauptstr. 5."],
                &["Sie wohnt in der Karl-Marx-Str. 7.", "Kennst du sie?"],
                &["»Darf ich mitspielen?« fragte sie."],
                &["„Ich komme.“ sagte er."],
                &[">>Komm her!<< sagte er."],
                &["Ich bin müde.", "wo ist mein Bett?"],
                &["»Ja.«", "»Nein.«"],
            ],
        );
        assert_eq!(
            sentences("Eins.\nZwei.", Some(Language::German)),
            ["Eins.", "Zwei."]
        );
        assert!(sentences("  ", None).is_empty());
    }

    #[test]
    fn english_sentences_end_by_english_rules() {
        cut(
            Some(Language::English),
            &[
                &["See p. 5 and fig. 3, i.e. the end."],
                &["He works at Apple Inc. in New York."],
                &["No. 5 is alive."],
                &["approx. 5 km"],
                &["Visit us.", "Then go."],
                &["I was born in 1990.", "Then I was 5.", "Then 6."],
                &["i am tired.", "where is my bed?"],
                &["\"Come here!\" he said.", "\"No.\"", "\"Why?\""],
            ],
        );
    }

    #[test]
    fn a_language_without_rules_is_cut_only_where_a_sentence_surely_ends() {
        cut(
            None,
            &[
                &["Voir p. ex. la fig. 3."],
                &["« Bonjour ! » dit-il.", "« Ça va ? »"],
                &["Il est né av. J.-C. en 50."],
                &["Il est parti en 1990.", "Personne ne l'a revu."],
                &["¿Cómo estás?", "¡Muy bien!"],
                &["El Sr. López vive en Av. Mayor 3."],
                &["我很好。", "你呢？"],
            ],
        );
    }
}
