//! What a translation must keep and did not: numbers, units, addresses, placeholders and tags.
//!
//! The comparison knows nothing of the model. It reads source and translation, and lists what only one of them has.

mod compare;
mod digits;
mod exact;
mod lexemes;
mod number;
mod numerals;
mod times;

use super::tokenize::Language;

/// What a translation must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers, with the symbol of their unit.
    Numbers,
    /// Addresses of mail and web, names of files and accounts.
    Addresses,
    /// `{name}`, `%d`, `${x}`.
    Placeholders,
    /// `<b>`.
    Tags,
}

/// What only one of two texts has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub kind: Kind,
    /// Parts of the source that the translation lacks.
    pub missing: Vec<String>,
    /// Parts of the translation that the source lacks.
    pub added: Vec<String>,
}

/// A text and its language, if its number words are known.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The text.
    pub text: &'a str,
    /// Its language.
    pub language: Option<Language>,
}

/// The text without the addresses, placeholders and tags in it, which are in no language.
pub fn without_copies(text: &str) -> String {
    exact::parts(text).rest
}

/// Differences between a source and its translation, at most one of each kind.
pub fn differences(source: Text<'_>, translation: Text<'_>) -> Vec<Difference> {
    let read = [source, translation].map(|side| (exact::parts(side.text), side.language));
    let [(source, from), (translation, into)] = &read;
    let exact = [Kind::Addresses, Kind::Placeholders, Kind::Tags].map(|kind| {
        let mut added = translation.of(kind);
        let mut missing = source.of(kind);
        missing.retain(|part| match added.iter().position(|other| other == part) {
            Some(at) => {
                added.remove(at);
                false
            }
            None => true,
        });
        (kind, missing, added)
    });
    let (missing, added) = compare::apart((&source.rest, *from), (&translation.rest, *into));
    let all = [(Kind::Numbers, missing, added)].into_iter().chain(exact);
    all.filter(|(_, missing, added)| !missing.is_empty() || !added.is_empty())
        .map(|(kind, missing, added)| Difference {
            kind,
            missing,
            added,
        })
        .collect()
}

#[cfg(test)]
mod tests;
