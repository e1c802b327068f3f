//! The terms of the course, from `lessons/glossary.toml`: what each means, where it is taught, what others call it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::knob::did_you_mean;
use super::mark::number_of;

/// One term.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Name used in this course.
    pub name: String,
    /// Names used elsewhere.
    #[serde(default)]
    pub also: Vec<String>,
    /// Number of the lesson that teaches it; the file names the lesson.
    #[serde(deserialize_with = "numbered")]
    pub lesson: usize,
    /// Definition, in a sentence or two.
    pub means: String,
    /// Formula in TeX, if it has one.
    pub formula: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Glossary {
    term: Vec<Term>,
}

/// Reads a lesson's name as its number.
fn numbered<'de, D: Deserializer<'de>>(name: D) -> Result<usize, D::Error> {
    let name = String::deserialize(name)?;
    number_of(&name).ok_or_else(|| D::Error::custom(format!("there is no lesson '{name}'")))
}

/// All terms in alphabetical order.
pub fn terms() -> &'static [Term] {
    static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
        let text = include_str!("../../glossary.toml");
        let glossary: Glossary =
            toml::from_str(text).unwrap_or_else(|e| panic!("lessons/glossary.toml: {e}"));
        let mut terms = glossary.term;
        terms.sort_by_key(|term| term.name.to_lowercase());
        terms
    });
    &TERMS
}

/// A name as it is looked up: capitals, spaces, hyphens and underscores do not matter.
fn folded(name: &str) -> String {
    let letters = name.chars().filter(|c| !" -_".contains(*c));
    letters.flat_map(char::to_lowercase).collect()
}

impl Term {
    /// All names, the course's own first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name)
            .chain(&self.also)
            .map(String::as_str)
    }

    /// Text of the term's card: definition, other names and lesson, one paragraph each.
    pub fn card(&self) -> String {
        let mut card = self.means.clone();
        if !self.also.is_empty() {
            card += &format!("\n\nAlso called: {}.", self.also.join(", "));
        }
        card + &format!("\n\nLesson {:02} teaches it.", self.lesson)
    }
}

/// Index in [`terms`] of the term with the name or synonym `word`, or of which that is the plural.
pub fn place(word: &str) -> Option<usize> {
    static PLACES: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
        let of =
            |(n, term): (usize, &'static Term)| term.names().map(move |name| (folded(name), n));
        terms().iter().enumerate().flat_map(of).collect()
    });
    let word = folded(word);
    let singular = word.strip_suffix('s').unwrap_or_default();
    PLACES.get(&word).or_else(|| PLACES.get(singular)).copied()
}

/// Names that usually mean something else in a sentence: the key on a keyboard, the value of a number.
pub const AMBIGUOUS: [&str; 12] = [
    "activation",
    "bp",
    "key",
    "moment",
    "objective",
    "piece",
    "projection",
    "score",
    "shift",
    "tape",
    "update",
    "value",
];

/// Occurrences of terms in a text, in order: the byte range, and the term's index in [`terms`]. Where names overlap,
/// the longest wins; a plural counts as its singular.
pub fn named_in(text: &str) -> Vec<(Range<usize>, usize)> {
    static NAMES: LazyLock<Vec<(String, usize)>> = LazyLock::new(|| {
        let of = |(n, term): (usize, &Term)| {
            let names = term.names().map(str::to_lowercase);
            names.map(|name| (name, n)).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = terms().iter().enumerate().flat_map(of).collect();
        all.retain(|(name, _)| name.len() > 2 && !AMBIGUOUS.contains(&name.as_str()));
        all.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        all
    });
    // Lowercase ASCII only, so that byte positions match those of the original text.
    let lower = text.to_ascii_lowercase();
    let mut ranges: Vec<(Range<usize>, usize)> = Vec::new();
    for (name, term) in NAMES.iter() {
        for (from, _) in lower.match_indices(name.as_str()) {
            let rest = &lower[from + name.len()..];
            let plural = rest.strip_prefix('s').unwrap_or(rest);
            let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let begins = !lower[..from].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let to = match (ends(rest), ends(plural)) {
                (true, _) => from + name.len(),
                (_, true) => from + name.len() + 1,
                _ => continue,
            };
            let free = ranges
                .iter()
                .all(|(other, _)| to <= other.start || other.end <= from);
            if begins && free {
                ranges.push((from..to, *term));
            }
        }
    }
    ranges.sort_by_key(|(range, _)| range.start);
    ranges
}

/// The term called `word`, or the only one whose name starts with it. `Err` suggests the nearest.
pub fn find(word: &str) -> Result<&'static Term, String> {
    let word = word.trim();
    if let Some(place) = place(word) {
        return Ok(&terms()[place]);
    }
    let begins = |term: &&Term| {
        term.names()
            .any(|name| folded(name).starts_with(&folded(word)))
    };
    let mut fitting = terms().iter().filter(begins);
    match (fitting.next(), fitting.next()) {
        (Some(term), None) if !word.is_empty() => Ok(term),
        _ => {
            let names = terms().iter().flat_map(Term::names);
            Err(format!(
                "the glossary has no term '{word}'{}; transformer-tutor glossary lists all",
                did_you_mean(word, names)
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typeset::formula;

    #[test]
    fn a_text_names_its_terms_in_order_whole_and_in_the_plural() {
        let text = "Cross-attention has attention weights; softmaxing is not a term, a Softmax is.";
        let named: Vec<(&str, &str)> = named_in(text)
            .into_iter()
            .map(|(range, term)| (&text[range], terms()[term].name.as_str()))
            .collect();
        let called = |words: &str| find(words).unwrap().name.as_str();
        assert_eq!(
            named,
            [
                ("Cross-attention", called("cross-attention")),
                ("attention weights", called("attention weight")),
                ("Softmax", "softmax"),
            ]
        );
    }

    #[test]
    fn a_term_is_found_by_any_of_its_names_and_by_how_it_begins() {
        assert_eq!(find("Softmax").unwrap().name, "softmax");
        assert_eq!(find("skip connection").unwrap().name, "residual connection");
        assert_eq!(find("perpl").unwrap().name, "perplexity");
        let wrong = find("sofmax").unwrap_err();
        assert!(wrong.contains("did you mean 'softmax'"), "{wrong}");
        assert!(find("pre-n").is_ok() && find("p").is_err() && find("").is_err());
    }

    #[test]
    fn the_words_under_which_people_ask_lead_to_the_terms_of_the_course() {
        for (word, term) in [
            ("inference", "in use"),
            ("padding mask", "padding mask"),
            ("post-LN", "post-norm"),
            ("shifted right", "shift"),
            ("weight sharing", "tying"),
            ("nhead", "head"),
            ("num_heads", "head"),
            ("GPT", "decoder-only model"),
            ("unk", "unknown token"),
            ("attention sink", "attention sink"),
            ("softmax off by one", "attention sink"),
            ("finetuning", "fine-tuning"),
            ("Noam", "warm-up"),
            ("hallucination", "hallucination"),
            ("KV-cache", "key-value cache"),
            ("Logits", "logit"),
        ] {
            assert_eq!(find(word).map(|term| &*term.name), Ok(term), "{word}");
        }
        for other in ["quiz", "elucidation", "weather map", "mosaic"] {
            let wrong = find(other).unwrap_err();
            assert!(!wrong.contains("did you mean"), "{wrong}");
        }
    }

    #[test]
    fn no_name_stands_twice_and_every_formula_can_be_set() {
        let names = || terms().iter().flat_map(Term::names);
        for term in terms() {
            for name in term.names() {
                let lower = name.to_lowercase();
                assert_eq!(
                    names().filter(|n| n.to_lowercase() == lower).count(),
                    1,
                    "{name}"
                );
            }
            assert!(
                term.means.ends_with('.') && (1..=25).contains(&term.lesson),
                "{}",
                term.name
            );
            if let Some(tex) = &term.formula {
                assert!(formula::mathml(tex, false).is_ok(), "{}: {tex}", term.name);
            }
        }
    }
}
