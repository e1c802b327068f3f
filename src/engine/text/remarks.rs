//! What a reader should know about a translation: what the model could not read, how sure it is, and what the
//! translation lost.
//!
//! All front ends get their remarks from [`Pipeline::remarks`].

mod language;

use std::fmt;

use super::differences::{self, Difference, Kind, Text};
use super::pipeline::Pipeline;
use super::sentence::Sentence;
use super::sentencepiece::BLANK;
use super::tokenize::Language;
pub use language::{Seems, frequent};

/// Mean log-probability per token below which a translation is reported as doubtful. This affects about one in ten
/// sentences that the everyday model was not trained on, and three quarters of those are mostly wrong (chrF below 50).
const UNSURE: f64 = -0.7;

/// Number of pieces from which a word is reported: the model has hardly seen it.
const DOZEN: usize = 12;

/// A translation to remark on.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The translation as people read it.
    pub text: &'a str,
    /// Mean log-probability of its tokens; `None` if they were drawn at random.
    pub mean_log_prob: Option<f64>,
    /// False if the length limit ended it.
    pub finished: bool,
}

/// A remark. Its text is a clause; [`sentences`] makes whole sentences.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// The end of the sentence was left out; the model reads so many tokens.
    Cut(usize),
    /// The sentence is not in the language that the model reads.
    Language(Language, Seems),
    /// Words or characters that the model does not know.
    Unknown(Vec<String>),
    /// A word and the number of its pieces.
    Pieces(String, usize),
    /// Mean probability of the translation's tokens.
    Unsure(f64),
    /// The length limit ended the translation.
    Unfinished,
    /// Something that the translation lost, changed or made up.
    Differs(Difference),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut(most) => write!(
                f,
                "the sentence is longer than {most} tokens; its end is left out"
            ),
            Self::Language(reads, Seems::The(other)) => {
                write!(
                    f,
                    "this seems to be {}, and the model reads {}",
                    other.name(),
                    reads.name()
                )
            }
            Self::Language(reads, Seems::Foreign) => {
                write!(
                    f,
                    "this does not seem to be {}, the language that the model reads",
                    reads.name()
                )
            }
            Self::Unknown(words) => write!(f, "the model does not know {}", listed(words)),
            Self::Pieces(word, count) => {
                write!(
                    f,
                    "the model reads '{word}' in {count} pieces, so it hardly knows the word"
                )
            }
            Self::Unsure(mean) => {
                write!(
                    f,
                    "the model is not sure of this: it gives its words {:.0} % on average",
                    100.0 * mean
                )
            }
            Self::Unfinished => write!(f, "the length limit cut the translation off"),
            Self::Differs(Difference {
                kind,
                missing,
                added,
            }) => {
                let what = match kind {
                    Kind::Numbers => "numbers",
                    Kind::Addresses => "addresses",
                    Kind::Placeholders => "placeholders",
                    Kind::Tags => "tags",
                };
                let only = |all: &[String], whose| {
                    (!all.is_empty()).then(|| format!("only the {whose} has {}", listed(all)))
                };
                let both = [only(missing, "source"), only(added, "translation")];
                let both: Vec<String> = both.into_iter().flatten().collect();
                write!(f, "{what} differ: {}", both.join(", and "))
            }
        }
    }
}

/// Words in quotation marks, separated by commas.
fn listed(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    quoted.join(", ")
}

/// The remarks as sentences; `None` if there are none.
pub fn sentences(remarks: &[Remark]) -> Option<String> {
    let sentence = |remark: &Remark| {
        let text = remark.to_string();
        let mut letters = text.chars();
        let first = letters.next().map(char::to_uppercase);
        format!(
            "{}{}.",
            first.into_iter().flatten().collect::<String>(),
            letters.as_str()
        )
    };
    let all: Vec<String> = remarks.iter().map(sentence).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

impl Pipeline {
    /// Everything to remark on a sentence of which the model reads at most `most` ids and, if there is one, on its
    /// translation.
    pub fn remarks(
        &self,
        sentence: &Sentence,
        most: usize,
        answer: Option<Answer<'_>>,
    ) -> Vec<Remark> {
        if sentence.is_marks || sentence.is_empty() {
            return Vec::new();
        }
        let language = |code: &Option<String>| code.as_deref().and_then(Language::of_code);
        let source = language(&self.source.language);
        let cut = sentence.within(most).1.then_some(Remark::Cut(most));
        let other = language::other_language(&self.source, sentence);
        let other = source
            .zip(other)
            .map(|(reads, seems)| Remark::Language(reads, seems));
        let mut unknown = Vec::new();
        for word in sentence.unknown() {
            if !unknown.contains(&word) {
                unknown.push(word);
            }
        }
        let unknown = Some(unknown).filter(|words| !words.is_empty());
        let reading = cut
            .into_iter()
            .chain(other)
            .chain(unknown.map(Remark::Unknown));
        let reading = reading.chain(in_pieces(&sentence.tokens));
        let Some(answer) = answer else {
            return reading.collect();
        };
        let unsure = answer.mean_log_prob.filter(|mean| *mean < UNSURE);
        let unfinished = (!answer.finished).then_some(Remark::Unfinished);
        let differ = differences::differences(
            Text {
                text: &sentence.written,
                language: source,
            },
            Text {
                text: answer.text,
                language: language(&self.target.language),
            },
        );
        let writing = unsure
            .map(|mean| Remark::Unsure(mean.exp()))
            .into_iter()
            .chain(unfinished);
        reading
            .chain(writing)
            .chain(differ.into_iter().map(Remark::Differs))
            .collect()
    }
}

/// Words of at least a [`DOZEN`] pieces.
fn in_pieces(tokens: &[String]) -> Vec<Remark> {
    let mut words: Vec<(String, usize)> = Vec::new();
    for token in tokens {
        // A hyphen or digit ends a word.
        let letters = token.strip_prefix(BLANK);
        let text = letters.unwrap_or(token);
        match words.last_mut() {
            Some((word, count)) if letters.is_none() && is_letters(text) && is_letters(word) => {
                word.push_str(text);
                *count += 1;
            }
            _ => words.push((text.to_owned(), 1)),
        }
    }
    let long = words.into_iter().filter(|(_, count)| *count >= DOZEN);
    long.map(|(word, count)| Remark::Pieces(word, count))
        .collect()
}

fn is_letters(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests;
