//! A single alternative of a dictionary entry: its text and its remarks.

/// A word, phrase or sentence of one language.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Alternative {
    /// Text without remarks.
    pub text: String,
    /// Grammar, in braces: `m`, `pl`, `vt`.
    pub tags: Vec<String>,
    /// Field or register, in square brackets, without the full stop: `cook`, `ugs`.
    pub fields: Vec<String>,
}

/// Placeholders for what the entry leaves open.
const PLACEHOLDERS: [&str; 10] = [
    "etw", "jd", "jdm", "jdn", "jds", "sb", "sth", "oneself", "sb's", "your",
];

/// Parts of one side of an entry, each with its alternatives.
pub(super) fn parts(side: &str) -> Vec<Vec<Alternative>> {
    let part = |text: &str| outside_brackets(text, ';').map(Alternative::read).collect();
    outside_brackets(side, '|').map(part).collect()
}

/// Splits a text at `sign`, except inside brackets.
fn outside_brackets(text: &str, sign: char) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == sign && depth == 0
    })
}

impl Alternative {
    fn read(text: &str) -> Self {
        let mut alternative = Self::default();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (close, kept) = match c {
                '{' => ("}", Some(&mut alternative.tags)),
                '[' => ("]", Some(&mut alternative.fields)),
                '(' => (")", None),
                '<' => (">", None),
                // An abbreviation between slashes, unlike the slash of "and/or".
                '/' if !alternative.text.ends_with(char::is_alphanumeric) => ("/", None),
                _ => ("", None),
            };
            let inside = rest[c.len_utf8()..]
                .split_once(close)
                .filter(|_| !close.is_empty());
            if let Some((remark, after)) = inside {
                if let Some(kept) = kept {
                    kept.push(remark.trim_end_matches('.').to_owned());
                }
                rest = after;
            } else {
                alternative.text.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        let words: Vec<&str> = alternative.text.split_whitespace().collect();
        alternative.text = words
            .join(" ")
            .replace(" ,", ",")
            .trim_matches([',', ' '])
            .to_owned();
        alternative
    }

    /// True if the text is complete: no placeholder, no bracket left, no choice between words.
    pub fn is_usable(&self) -> bool {
        let open = ["...", "…", "/", "+", "(", ")", "[", "]", "{", "}", "<", ">"];
        let mut words = self.text.split(|c: char| !c.is_alphanumeric() && c != '\'');
        !self.text.is_empty()
            && !open.iter().any(|sign| self.text.contains(sign))
            && !words.any(|word| PLACEHOLDERS.contains(&word))
    }

    /// True if the text begins and ends like a sentence.
    pub fn is_sentence(&self) -> bool {
        let begins = self.text.chars().next().is_some_and(|c| !c.is_lowercase());
        begins && self.text.ends_with(['.', '!', '?'])
    }

    /// True if the remarks name one of the fields in this list.
    pub fn has(&self, list: &str) -> bool {
        self.fields.iter().any(|field| listed(field, list))
    }
}

/// True if a list, whose entries are separated by commas, has this field.
pub(super) fn listed(field: &str, list: &str) -> bool {
    list.split(", ").any(|one| one == field)
}
