//! The German–English dictionary of Ding (<https://dict.tu-chemnitz.de>, Debian's `trans-de-en`) as training data.
//!
//! A line is `German :: English`. Both sides have the same number of parts, separated by `|`; a part has alternatives,
//! separated by `;`, and remarks in brackets. Each part becomes a sentence, a phrase or a word, see [`Dictionary`].

mod alternative;
mod choice;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use alternative::{Alternative, listed, parts};
use choice::{Candidate, Counts};

use super::corpus::{self, CorpusError};
use super::pairs::{Pair, bare};
use crate::text::spelling::with_plain_marks;

/// Training data from a dictionary, German first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dictionary {
    /// Whole sentences, with their final punctuation.
    pub sentences: Vec<Pair>,
    /// Greetings, other exclamations and proverbs among the sentences: short, and worth knowing by heart.
    pub sayings: Vec<Pair>,
    /// Phrases of two to eight words that all occur elsewhere.
    pub phrases: Vec<Pair>,
    /// Single words with their likeliest translation, the most common first.
    pub words: Vec<Word>,
}

/// A German word and its translation.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The German word.
    pub german: String,
    /// Its likeliest English translation.
    pub english: String,
    /// Class of the German word.
    pub class: Class,
    /// Estimate of how often the rarer of the two sides occurs, in the corpus and the dictionary's own sentences and
    /// phrases; lower for technical and unusual words.
    pub count: f64,
}

/// Class of a word, as far as the sentence around it depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A noun with `der`.
    Masculine,
    /// A noun with `die`.
    Feminine,
    /// A noun with `das`.
    Neuter,
    /// A noun in the plural.
    Plural,
    /// An adjective.
    Adjective,
    /// A verb without an object, as an infinitive.
    Intransitive,
    /// Any other word.
    Other,
}

impl Class {
    fn of(tags: &[String]) -> Self {
        let known = tags.iter().rev().find_map(|tag| {
            Some(match tag.as_str() {
                "m" => Self::Masculine,
                "f" => Self::Feminine,
                "n" => Self::Neuter,
                "pl" => Self::Plural,
                "adj" => Self::Adjective,
                "vi" => Self::Intransitive,
                _ => return None,
            })
        });
        known.unwrap_or(Self::Other)
    }
}

/// Fields whose words users rarely type.
const TECHNICAL: &str = "agr, arch, astron, aviat, biochem, biol, chem, constr, electr, entom, envir, geol, hist, \
    ichth, jur, ling, mach, math, mil, min, myc, naut, ornith, phys, print, statist, techn, telco, \
    textil, BW, Jägersprache";

/// Marks of words that are old, rare or crude.
const UNUSUAL: &str = "Bayr, Schw, alt, altertümlich, archaic, dated, formal, former, geh, obs, pej, poet, rare, \
    selten, slang, veraltend, veraltet, vulg, Ös, former name";

/// Those marks that apply to a whole entry.
const CRUDE: &str = "pej, slang, vulg";

/// Maximum length of an exclamation that counts as a saying, in words.
const SHORT: usize = 5;
/// Maximum length of a phrase, in words.
const LONGEST: usize = 8;
/// Minimum number of pairs in which each word of a phrase must occur for the phrase to be kept.
const COMMON: usize = 3;
/// Minimum count of a word that is kept.
const RAREST: f64 = 1.0;

/// Reads a dictionary. Translations are chosen by how often they occur with their word in `corpus` and in the
/// dictionary itself.
pub fn read(path: &Path, corpus: &[Pair]) -> Result<Dictionary, CorpusError> {
    let lines = corpus::lines(path)?;
    let mut entries = Entries::default();
    for part in lines.iter().filter_map(|line| entry(line)).flatten() {
        entries.add(&part);
    }
    if entries.sentences.is_empty() && entries.phrases.is_empty() && entries.candidates.is_empty() {
        return Err(CorpusError::Dictionary { path: path.into() });
    }
    Ok(entries.chosen(corpus))
}

/// A part of an entry: alternatives of both languages, and the fields of the whole entry.
struct Part {
    german: Vec<Alternative>,
    english: Vec<Alternative>,
    fields: HashSet<String>,
}

/// The parts of a line; `None` for comments and for lines whose sides have different numbers of parts.
fn entry(line: &str) -> Option<Vec<Part>> {
    let (german, english) = line.split_once("::").filter(|_| !line.starts_with('#'))?;
    let [german, english] = [german, english].map(|side| parts(&with_plain_marks(side)));
    if german.len() != english.len() {
        return None;
    }
    let head: HashSet<String> = german[0]
        .iter()
        .flat_map(|a| a.fields.iter().cloned())
        .collect();
    let parts = german
        .into_iter()
        .zip(english)
        .map(|(german, english)| Part {
            german,
            english,
            fields: head.clone(),
        });
    Some(parts.collect())
}

/// Entries by kind, before words and translations are chosen.
#[derive(Default)]
struct Entries {
    sentences: Vec<Sentence>,
    phrases: Vec<Pair>,
    candidates: HashMap<(String, Class), Vec<Candidate>>,
}

/// A sentence with its translations, the likeliest first.
struct Sentence {
    german: String,
    english: Vec<String>,
    /// See [`Dictionary::sayings`].
    saying: bool,
}

impl Sentence {
    fn with(&self, english: &str) -> Pair {
        (self.german.clone(), english.to_owned())
    }
}

impl Entries {
    fn add(&mut self, part: &Part) {
        let usable = |one: &&Alternative| one.is_usable() && !one.has(UNUSUAL);
        let english: Vec<&Alternative> = part.english.iter().filter(usable).collect();
        if english.is_empty() {
            return;
        }
        let of = |list| part.fields.iter().any(|field| listed(field, list));
        for (index, german) in part.german.iter().enumerate() {
            if !german.is_usable() {
                continue;
            }
            let technical = german.has(TECHNICAL) || of(TECHNICAL);
            let unusual = german.has(UNUSUAL) || of(CRUDE);
            let words = german.text.split(' ').count();
            if german.is_sentence() {
                // Alternatives correspond to each other if both sides have equally many.
                let same = part
                    .english
                    .get(index)
                    .filter(|_| part.english.len() == part.german.len());
                let all = same
                    .filter(usable)
                    .into_iter()
                    .chain(english.iter().copied());
                let all: Vec<&Alternative> = all.filter(|one| one.is_sentence()).collect();
                if all.is_empty() || unusual {
                    continue;
                }
                let proverb = german.has("Sprw") || all.iter().any(|one| one.has("prov"));
                self.sentences.push(Sentence {
                    german: german.text.clone(),
                    english: all.iter().map(|one| one.text.clone()).collect(),
                    saying: proverb || (words <= SHORT && german.text.ends_with('!')),
                });
            } else if words == 1 {
                let candidates = english
                    .iter()
                    .take(4)
                    .enumerate()
                    .map(|(rank, one)| Candidate {
                        english: one.text.clone(),
                        rank,
                        place: index,
                        technical,
                        unusual,
                    });
                let key = (german.text.clone(), Class::of(&german.tags));
                self.candidates.entry(key).or_default().extend(candidates);
            } else if words <= LONGEST && index < 2 && !technical && !unusual {
                self.phrases
                    .push((german.text.clone(), english[0].text.clone()));
            }
        }
    }

    fn chosen(self, corpus: &[Pair]) -> Dictionary {
        let sentences: Vec<Pair> = self
            .sentences
            .iter()
            .map(|one| one.with(&one.english[0]))
            .collect();
        let counts = Counts::of(corpus.iter().chain(&sentences).chain(&self.phrases));
        let common = |pair: &Pair| counts.rarest(pair) >= COMMON;
        let mut words: Vec<Word> = self
            .candidates
            .iter()
            .filter_map(|((german, class), candidates)| counts.word(german, *class, candidates))
            .filter(|word| word.count >= RAREST)
            .collect();
        words.sort_by(|a, b| {
            let order = |word: &Word| (word.german.clone(), word.class);
            b.count
                .total_cmp(&a.count)
                .then_with(|| order(a).cmp(&order(b)))
        });
        let mut dictionary = Dictionary {
            phrases: once(self.phrases.into_iter().filter(common)),
            words,
            ..Dictionary::default()
        };
        for sentence in self.sentences {
            let mut all = sentence
                .english
                .iter()
                .map(|english| sentence.with(english));
            let chosen = all.find(common);
            if let (Some(pair), true) = (&chosen, sentence.saying) {
                dictionary.sayings.push(pair.clone());
            }
            // A saying with rare words is left out; other sentences may teach rare words.
            let first = || (!sentence.saying).then(|| sentence.with(&sentence.english[0]));
            dictionary.sentences.extend(chosen.or_else(first));
        }
        dictionary.sentences = once(dictionary.sentences.into_iter());
        dictionary.sayings = once(dictionary.sayings.into_iter());
        dictionary
    }
}

/// Removes duplicate pairs.
fn once(pairs: impl Iterator<Item = Pair>) -> Vec<Pair> {
    let mut seen = HashSet::new();
    pairs.filter(|pair| seen.insert(pair.clone())).collect()
}

impl Dictionary {
    /// All entries, sentences first. Sayings come once, as sentences.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.sentences.iter().chain(&self.phrases);
        let words = self
            .words
            .iter()
            .map(|word| (&*word.german, &*word.english));
        pairs
            .map(|(german, english)| (&**german, &**english))
            .chain(words)
    }

    /// Removes every entry that equals one side of a `held_out` pair, compared without case and punctuation.
    pub fn without(&mut self, held_out: &[Pair]) {
        let [german, english]: [HashSet<String>; 2] = [
            held_out.iter().map(|pair| bare(&pair.0)).collect(),
            held_out.iter().map(|pair| bare(&pair.1)).collect(),
        ];
        let kept = |a: &str, b: &str| !german.contains(&bare(a)) && !english.contains(&bare(b));
        for pairs in [&mut self.sentences, &mut self.sayings, &mut self.phrases] {
            pairs.retain(|pair| kept(&pair.0, &pair.1));
        }
        self.words.retain(|word| kept(&word.german, &word.english));
    }
}
