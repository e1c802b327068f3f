//! Sentence patterns with slots for names, numbers and dictionary words, from which a small model learns to carry over
//! what it cannot know. They are in `assets/everyday/patterns.txt`, with the names of `names.toml` beside it.

mod numbers;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use ndarray_rand::rand::Rng;
use ndarray_rand::rand::distr::Distribution;
use ndarray_rand::rand::distr::weighted::WeightedIndex;
use ndarray_rand::rand::seq::IndexedRandom;

use super::dictionary::{Class, Dictionary};
use super::pairs::Pair;
use crate::text::writing::capitalised;

/// The patterns, and the names that they draw from.
#[derive(Clone, Debug)]
pub struct Patterns {
    all: Vec<Pattern>,
    weights: WeightedIndex<f64>,
    names: Names,
}

/// Names by kind, in German and English.
type Names = BTreeMap<String, Vec<Pair>>;

/// A pattern: German and English text with slots.
#[derive(Clone, Debug)]
struct Pattern {
    german: Vec<Piece>,
    english: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    /// What fills the slot, such as `town` or `town2`, and the article before it, if any.
    Slot {
        name: String,
        article: Option<String>,
    },
}

/// German and English text that fills a slot.
#[derive(Clone, Debug)]
struct Value {
    german: String,
    english: String,
    class: Class,
}

/// Dictionary words, grouped by the slot that they can fill.
#[derive(Clone, Debug, Default)]
pub struct Fillers(BTreeMap<&'static str, Filler>);

#[derive(Clone, Debug)]
struct Filler {
    words: Vec<Value>,
    weights: WeightedIndex<f64>,
}

/// Slots that are filled with dictionary words.
const WORDS: [&str; 4] = ["noun", "plural", "adjective", "verb"];

/// How often a pattern without slots is drawn, compared with others: it is always the same sentence.
const FIXED: f64 = 0.2;

/// Exponent of a word's count: common words are drawn more often than rare ones, but less so than they occur.
const EVENNESS: f64 = 0.5;

impl Fillers {
    /// Collects the words of a dictionary that can fill a slot.
    pub fn of(dictionary: &Dictionary) -> Self {
        let mut words: BTreeMap<&'static str, Vec<(Value, f64)>> = BTreeMap::new();
        for word in &dictionary.words {
            let slot = match word.class {
                Class::Masculine | Class::Feminine | Class::Neuter => "noun",
                Class::Plural => "plural",
                Class::Adjective => "adjective",
                Class::Intransitive => "verb",
                Class::Other => continue,
            };
            let infinitive = word.english.strip_prefix("to ");
            if (slot == "verb") != infinitive.is_some() {
                continue;
            }
            let value = Value {
                german: word.german.clone(),
                english: infinitive.unwrap_or(&word.english).to_owned(),
                class: word.class,
            };
            words
                .entry(slot)
                .or_default()
                .push((value, word.count.powf(EVENNESS)));
        }
        let filler = |words: Vec<(Value, f64)>| {
            let weights = WeightedIndex::new(words.iter().map(|(_, weight)| *weight)).ok()?;
            let words = words.into_iter().map(|(word, _)| word).collect();
            Some(Filler { words, weights })
        };
        Self(
            words
                .into_iter()
                .filter_map(|(slot, words)| Some((slot, filler(words)?)))
                .collect(),
        )
    }

    fn draw(&self, slot: &str, rng: &mut impl Rng) -> Option<Value> {
        let filler = self.0.get(slot)?;
        Some(filler.words[filler.weights.sample(rng)].clone())
    }
}

impl Patterns {
    /// The built-in patterns.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: OnceLock<Patterns> = OnceLock::new();
        BUILT_IN.get_or_init(|| {
            Self::parse(tutor_models::PATTERNS, tutor_models::NAMES)
                .unwrap_or_else(|why| panic!("assets/everyday: {why}"))
        })
    }

    fn parse(patterns: &str, names: &str) -> Result<Self, String> {
        let table: BTreeMap<String, Vec<String>> =
            toml::from_str(names).map_err(|e| e.to_string())?;
        let both = |name: &String| match name.split_once(" = ") {
            Some((german, english)) => (german.to_owned(), english.to_owned()),
            None => (name.clone(), name.clone()),
        };
        let names: Names = table
            .iter()
            .map(|(kind, names)| (kind.clone(), names.iter().map(both).collect()))
            .collect();
        let lines = patterns
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let all = lines
            .map(|line| Pattern::parse(line).ok_or_else(|| format!("{line}: German = English")));
        let all: Vec<Pattern> = all.collect::<Result<_, _>>()?;
        let weight = |one: &Pattern| {
            if one.slots().next().is_some() {
                1.0
            } else {
                FIXED
            }
        };
        let weights = WeightedIndex::new(all.iter().map(weight)).map_err(|e| e.to_string())?;
        let patterns = Self {
            all,
            weights,
            names,
        };
        for pattern in &patterns.all {
            patterns.check(pattern)?;
        }
        Ok(patterns)
    }

    /// Returns an error if nothing fills a slot, or if only the English side has it.
    fn check(&self, pattern: &Pattern) -> Result<(), String> {
        for name in pattern.slots() {
            let kind = kind(name);
            let known = WORDS.contains(&kind)
                || numbers::KINDS.split(' ').any(|known| known == kind)
                || self.names.contains_key(kind);
            if !known || !pattern.is_bound(name) {
                return Err(format!("nothing fills {{{name}}}"));
            }
        }
        Ok(())
    }

    /// Draws a random sentence. A pattern with a slot for a word is drawn only if there are such words.
    pub fn draw(&self, words: &Fillers, rng: &mut impl Rng) -> Pair {
        loop {
            let pattern = &self.all[self.weights.sample(rng)];
            if let Some(values) = self.values(pattern, words, rng) {
                return (
                    written(&pattern.german, &values, Language::German),
                    written(&pattern.english, &values, Language::English),
                );
            }
        }
    }

    fn values<'a>(
        &self,
        pattern: &'a Pattern,
        words: &Fillers,
        rng: &mut impl Rng,
    ) -> Option<BTreeMap<&'a str, Value>> {
        let mut values: BTreeMap<&str, Value> = BTreeMap::new();
        for name in pattern.slots() {
            if values.contains_key(name) {
                continue;
            }
            let kind = kind(name);
            let value = if WORDS.contains(&kind) {
                words.draw(kind, rng)?
            } else {
                let (german, english) = match self.names.get(kind) {
                    Some(names) => names.choose(rng)?.clone(),
                    None => numbers::draw(kind, self, rng),
                };
                Value {
                    german,
                    english,
                    class: Class::Other,
                }
            };
            values.insert(name, value);
        }
        Some(values)
    }

    /// Random name of this kind. Panics if there are none.
    fn name(&self, kind: &str, rng: &mut impl Rng) -> Pair {
        let names = self.names.get(kind).and_then(|names| names.choose(rng));
        names.cloned().expect("the names have every kind")
    }
}

/// Name of a slot without the digit that tells apart two slots of one kind.
fn kind(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

impl Pattern {
    fn parse(line: &str) -> Option<Self> {
        let (german, english) = line.split_once(" = ")?;
        Some(Self {
            german: pieces(german)?,
            english: pieces(english)?,
        })
    }

    /// Names of all slots, the German ones first.
    fn slots(&self) -> impl Iterator<Item = &str> {
        self.german
            .iter()
            .chain(&self.english)
            .filter_map(Piece::slot)
    }

    /// True if the German side has the slot.
    fn is_bound(&self, name: &str) -> bool {
        self.german.iter().any(|piece| piece.slot() == Some(name))
    }
}

impl Piece {
    fn slot(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Slot { name, .. } => Some(name),
        }
    }
}

/// Splits a line into text and slots; `None` if a brace is not closed.
fn pieces(text: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut parts = text.split('{');
    let before = parts.next().filter(|text| !text.is_empty());
    pieces.extend(before.map(|text| Piece::Text(text.to_owned())));
    for part in parts {
        let (slot, after) = part.split_once('}')?;
        let (name, article) = match slot.split_once('.') {
            Some((name, article)) => (name, Some(article.to_owned())),
            None => (slot, None),
        };
        pieces.push(Piece::Slot {
            name: name.to_owned(),
            article,
        });
        pieces.extend((!after.is_empty()).then(|| Piece::Text(after.to_owned())));
    }
    Some(pieces)
}

#[derive(Clone, Copy, PartialEq)]
enum Language {
    German,
    English,
}

fn written(pieces: &[Piece], values: &BTreeMap<&str, Value>, language: Language) -> String {
    let mut text = String::new();
    for piece in pieces {
        let filled = match piece {
            Piece::Text(text) => text.clone(),
            Piece::Slot { name, article } => {
                let value = &values[&**name];
                let word = match language {
                    Language::German => &value.german,
                    Language::English => &value.english,
                };
                match article {
                    Some(article) if language == Language::German => {
                        format!("{} {word}", german_article(article, value.class))
                    }
                    Some(article) => format!("{} {word}", english_article(article, word)),
                    None => word.clone(),
                }
            }
        };
        // An article at the beginning of a sentence is capitalised.
        if text.is_empty()
            && matches!(
                piece,
                Piece::Slot {
                    article: Some(_),
                    ..
                }
            )
        {
            text += &capitalised(&filled)
        } else {
            text += &filled
        }
    }
    text
}

/// Article that agrees with a noun of this class, given its masculine form: `der`, `ein`, or a word inflected like
/// `ein`.
fn german_article(masculine: &str, class: Class) -> String {
    let ein = ["ein", "einen", "einem"].into_iter().find_map(|form| {
        let start = masculine.strip_suffix(form)?;
        Some((start, form))
    });
    let (start, form) = ein.unwrap_or(("", masculine));
    let (feminine, neuter) = match form {
        "der" | "den" => ("die", "das"),
        "dem" => ("der", "dem"),
        "ein" | "einen" => ("eine", "ein"),
        "einem" => ("einer", "einem"),
        other => (other, other),
    };
    let form = match class {
        Class::Feminine => feminine,
        Class::Neuter => neuter,
        _ => form,
    };
    format!("{start}{form}")
}

/// Beginnings of words that sound like a consonant although they are written with a vowel: `unit`, `European`.
const CONSONANTS: [&str; 9] = [
    "eu", "one", "once", "unani", "uni", "unimod", "us", "ut", "uran",
];

/// Beginnings of words that sound like a vowel: the letters, a silent h, and exceptions to [`CONSONANTS`].
const VOWELS: [&str; 19] = [
    "a", "e", "i", "o", "u", "heir", "honest", "hono", "hour", "oner", "unide", "unill", "unim",
    "unin", "unir", "uniss", "ush", "utm", "utt",
];

/// Turns `a` into `an` before a word that begins with a vowel sound.
fn english_article<'a>(article: &'a str, word: &str) -> &'a str {
    let word = word.to_lowercase();
    // The longest beginning decides: `u`, then `uni` as in `unit`, then `unim` as in `unimportant`.
    let length = |all: &[&str]| {
        let begins = all.iter().filter(|start| word.starts_with(**start));
        begins.map(|start| start.len()).max()
    };
    if article == "a" && length(&VOWELS) > length(&CONSONANTS) {
        "an"
    } else {
        article
    }
}
