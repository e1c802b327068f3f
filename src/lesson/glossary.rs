//! The terms of the course, from `lessons/glossary.toml`: what each means, where it is taught, what it is called elsewhere.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::knob::did_you_mean;

/// One term.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// What this course calls it.
    pub name: String,
    /// What others call it.
    #[serde(default)]
    pub also: Vec<String>,
    /// The number of the lesson that teaches it.
    pub lesson: usize,
    /// What it is, in a sentence or two.
    pub means: String,
    /// Its formula in TeX, where it has one.
    pub formula: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Glossary {
    term: Vec<Term>,
}

/// Every term, by the alphabet.
pub fn terms() -> &'static [Term] {
    static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
        let text = include_str!("../../lessons/glossary.toml");
        let read: Glossary =
            toml::from_str(text).unwrap_or_else(|e| panic!("lessons/glossary.toml: {e}"));
        let mut terms = read.term;
        terms.sort_by_key(|term| term.name.to_lowercase());
        terms
    });
    &TERMS
}

impl Term {
    /// Whether it is called so, here or elsewhere; case does not matter.
    pub fn is_called(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        let mut names = std::iter::once(&self.name).chain(&self.also);
        names.any(|name| name.to_lowercase() == word)
    }

    /// The term on a card: the definition, its other names, and its lesson, a paragraph each.
    pub fn card(&self) -> String {
        let mut card = self.means.clone();
        if !self.also.is_empty() {
            card += &format!("\n\nAlso called: {}.", self.also.join(", "));
        }
        card + &format!("\n\nLesson {:02} teaches it.", self.lesson)
    }
}

/// The term that is called `word`, or the only one whose name begins so. `Err` names the nearest.
pub fn find(word: &str) -> Result<&'static Term, String> {
    let word = word.trim();
    if let Some(term) = terms().iter().find(|term| term.is_called(word)) {
        return Ok(term);
    }
    let begins = |term: &&Term| term.name.to_lowercase().starts_with(&word.to_lowercase());
    let mut fitting = terms().iter().filter(begins);
    match (fitting.next(), fitting.next()) {
        (Some(term), None) if !word.is_empty() => Ok(term),
        _ => {
            let names = terms().iter().map(|term| term.name.as_str());
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
    fn a_term_is_found_by_any_of_its_names_and_by_how_it_begins() {
        assert_eq!(find("Softmax").unwrap().name, "softmax");
        assert_eq!(find("skip connection").unwrap().name, "residual connection");
        assert_eq!(find("perpl").unwrap().name, "perplexity");
        let wrong = find("sofmax").unwrap_err();
        assert!(wrong.contains("did you mean 'softmax'"), "{wrong}");
        assert!(find("pre").is_ok() && find("p").is_err() && find("").is_err());
    }

    #[test]
    fn no_name_stands_twice_and_every_formula_can_be_set() {
        let names = || terms().iter().flat_map(|t| t.also.iter().chain([&t.name]));
        for term in terms() {
            for name in term.also.iter().chain([&term.name]) {
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
