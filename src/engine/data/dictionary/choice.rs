//! Choice of a word's translation: the one that occurs beside it in sentence pairs.

use std::collections::{BTreeSet, HashMap};

use super::super::pairs::Pair;
use super::{Class, Word};

/// A translation that the dictionary offers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub english: String,
    /// Index among the English alternatives.
    pub rank: usize,
    /// Index of the German word among its alternatives.
    pub place: usize,
    pub technical: bool,
    pub unusual: bool,
}

/// Number of occurrences of each word, and the pairs in which it occurs.
pub(super) struct Counts {
    numbers: HashMap<String, u32>,
    /// Words of each English side, by number.
    english: Vec<BTreeSet<u32>>,
    /// Number of pairs in which an English word occurs.
    in_english: HashMap<u32, usize>,
    /// Pairs in which a German word occurs.
    german: HashMap<String, Vec<usize>>,
}

/// Number of pairs examined for a frequent word, spread over all of its pairs.
const LOOKED_AT: usize = 400;

impl Counts {
    pub fn of<'a>(pairs: impl Iterator<Item = &'a Pair>) -> Self {
        let mut counts = Self {
            numbers: HashMap::new(),
            english: Vec::new(),
            in_english: HashMap::new(),
            german: HashMap::new(),
        };
        for (at, (german, english)) in pairs.enumerate() {
            let mut side = BTreeSet::new();
            for word in words(english) {
                let new = counts.numbers.len() as u32;
                side.insert(*counts.numbers.entry(word).or_insert(new));
            }
            for number in &side {
                *counts.in_english.entry(*number).or_default() += 1;
            }
            counts.english.push(side);
            for word in words(german).collect::<BTreeSet<_>>() {
                counts.german.entry(word).or_default().push(at);
            }
        }
        counts
    }

    /// Number of pairs in which the rarest word of this pair occurs.
    pub fn rarest(&self, (german, english): &Pair) -> usize {
        let german = words(german).map(|word| self.german.get(&word).map_or(0, Vec::len));
        let english = words(english).map(|word| self.english_count(&word));
        german.chain(english).min().unwrap_or(0)
    }

    fn english_count(&self, word: &str) -> usize {
        let number = self.numbers.get(word);
        number
            .and_then(|number| self.in_english.get(number))
            .copied()
            .unwrap_or(0)
    }

    /// The word with its best translation; `None` if it has none, or is hardly ever typed.
    pub fn word(&self, german: &str, class: Class, candidates: &[Candidate]) -> Option<Word> {
        // Present participles, such as "tanzend", are hardly ever typed.
        if class == Class::Other && german.ends_with("end") {
            return None;
        }
        let none = Vec::new();
        let key = german.trim_end_matches(['.', '!', '?']).to_lowercase();
        let pairs = self.german.get(&key).unwrap_or(&none);
        let step = pairs.len().div_ceil(LOOKED_AT).max(1);
        let looked_at: Vec<usize> = pairs.iter().step_by(step).copied().collect();
        let scored = candidates.iter().filter_map(|one| {
            let core = core(&one.english)?;
            let rarest = core.iter().map(|word| self.english_count(word)).min()?;
            let score = self.score(one, &core, rarest, &looked_at);
            Some((score, rarest, one))
        });
        // The first one wins a tie.
        let best = scored.reduce(|best, one| if one.0 > best.0 { one } else { best });
        let (_, rarest, chosen) = best?;
        let mut count = rarest.min(pairs.len()) as f64 + 0.02 * pairs.len() as f64;
        count *= if chosen.technical { 0.4 } else { 1.0 };
        count *= if chosen.unusual { 0.3 } else { 1.0 };
        Some(Word {
            german: german.to_owned(),
            english: chosen.english.clone(),
            class,
            count,
        })
    }

    /// Score of a translation. The share of the word's pairs that contain it counts most; where there are few pairs,
    /// its place in the dictionary decides. Common, short translations are preferred.
    fn score(&self, one: &Candidate, core: &[String], rarest: usize, pairs: &[usize]) -> f64 {
        let numbers: Option<Vec<u32>> = core
            .iter()
            .map(|word| self.numbers.get(word).copied())
            .collect();
        let both = numbers.map_or(0, |numbers| {
            let has = |at: &&usize| {
                numbers
                    .iter()
                    .all(|number| self.english[**at].contains(number))
            };
            pairs.iter().filter(has).count()
        });
        let share = both as f64 / (pairs.len() as f64 + 2.0);
        let mut place = 0.5 / (one.rank as f64 + 1.0) / (1.0 + one.place as f64 * 0.5);
        place *= if one.technical { 0.3 } else { 1.0 };
        place *= if one.unusual { 0.3 } else { 1.0 };
        4.0 * share + place + 0.08 * (1.0 + rarest as f64).ln() - 0.15 * (core.len() as f64 - 1.0)
    }
}

/// Content words of a translation, or all words if none has content; `None` unless it has one to three words.
fn core(english: &str) -> Option<Vec<String>> {
    let all: Vec<String> = words(english).collect();
    if all.is_empty() || all.len() > 3 {
        return None;
    }
    let small = ["to", "the", "a", "an", "of", "be"];
    let core: Vec<String> = all
        .iter()
        .filter(|word| !small.contains(&&***word))
        .cloned()
        .collect();
    Some(if core.is_empty() { all } else { core })
}

/// Words of a text in lower case; an apostrophe or hyphen between letters belongs to its word.
fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '-');
    let words = parts.map(|word| word.trim_matches(['\'', '-']));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}
