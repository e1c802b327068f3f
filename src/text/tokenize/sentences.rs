//! Where one sentence ends and the next begins.

use super::{Language, abbreviations};

/// Letters of the shortest word that ends a sentence with its point where no rules are known: shorter ones may be
/// abbreviations.
const SURELY_A_WORD: usize = 5;

/// Characters within which the next sentence begins: opening marks and blanks may come before its first letter.
const AHEAD: usize = 64;

/// The sentences of a text. One ends with `.`, `!`, `?` or `…` and what closes behind them, where a blank follows; and
/// with every line.
///
/// The point of an abbreviation ends none, nor does that of a German ordinal number. Of a language whose rules are not
/// known, a point ends a sentence only between a long word and a capital.
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
    let mut found = Vec::new();
    let mut start = 0;
    // Behind the last character that no closing mark or blank follows.
    let mut bare = 0;
    let mut in_blanks = false;
    for (at, c) in line.char_indices() {
        let end = at + c.len_utf8();
        let is_first_blank = c.is_whitespace() && !in_blanks;
        in_blanks = c.is_whitespace();
        if !in_blanks && !is_closing(c) {
            bare = end;
        }
        // The other blanks of a run would decide as the first.
        if is_first_blank && start < bare && rules.ends(&line[start..bare], bare < at, &line[end..])
        {
            found.push(&line[start..at]);
            start = end;
        }
    }
    found.push(&line[start..]);
    found
        .into_iter()
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
        .collect()
}

/// What decides where the sentences of a line end.
struct Rules {
    language: Option<Language>,
    /// True for a line in small letters, in which a small letter begins a sentence, too.
    small: bool,
}

impl Rules {
    /// Whether a sentence can end with `bare`, behind which closing marks may have been left out, if `after` follows the
    /// blank.
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
        // Of z.B. and U.S.A. the last point is as little an end as the first.
        let dotted = word.contains('.') && word.chars().any(char::is_alphabetic);
        !dotted
            && !word.is_empty()
            && (is_house_number(text) || self.ends_by_point(word, next, small))
    }

    /// Whether the point of `word` can end a sentence before what begins with `next`, a small letter or not.
    fn ends_by_point(&self, word: &str, next: Option<char>, small: bool) -> bool {
        let within = |language| abbreviations::is_within_sentence(word, next, language);
        match self.language {
            // People type German in small letters, also within a line that has capitals.
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

/// Whether the text ends with the number of a house, which is no ordinal: `Hauptstr. 5`.
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

/// Whether the text begins with a mark that belongs to what stands before it: `! » dit-il`.
fn closes(text: &str) -> bool {
    // After a blank « opens: in French it has one on either side, and where it closes it has none.
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
        // A million of them, each looked at from each, would take hours.
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
