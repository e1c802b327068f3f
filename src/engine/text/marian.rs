//! The vocabulary of a Marian model: SentencePiece's pieces, with the ids that `vocab.json` gives them.
//!
//! This program's special tokens have the first four ids: `<pad>`, `<s>`, `</s>` and `<unk>`. Marian's are where its
//! files put them, and there is no `<s>`, because its decoder begins with `<pad>`. The tokens are therefore reordered,
//! and an `<s>` is added that represents that beginning.

use std::collections::BTreeMap;

use super::sentencepiece::SentencePiece;
use super::vocabulary::BOS;

/// Minimum share of SentencePiece's pieces that the model's vocabulary must have.
const KNOWN: f64 = 0.9;

/// Mapping between the ids of a Marian model and the ids here.
#[derive(Clone, Debug, PartialEq)]
pub struct Ids {
    pub(super) theirs: Vec<u32>,
    pub(super) ours: Vec<u32>,
}

impl Ids {
    /// Creates the mapping for `words` tokens, given the ids of three special ones. Returns `None` if two of these ids
    /// are equal or one is out of range.
    pub fn new(words: usize, pad: usize, end: usize, unknown: usize) -> Option<Self> {
        let specials = [pad, end, unknown];
        let apart = pad != end && end != unknown && unknown != pad;
        if !apart || specials.iter().any(|id| *id >= words) {
            return None;
        }
        // The start token is read as padding.
        let first = [pad, pad, end, unknown];
        let rest = (0..words).filter(|id| !specials.contains(id));
        let theirs: Vec<u32> = first.into_iter().chain(rest).map(|id| id as u32).collect();
        let mut ours = vec![0; words];
        for (id, &their) in theirs.iter().enumerate().filter(|(id, _)| *id != BOS) {
            ours[their as usize] = id as u32;
        }
        Some(Self { theirs, ours })
    }

    /// Number of tokens here, including `<s>`: one more than in Marian.
    pub fn len(&self) -> usize {
        self.theirs.len()
    }

    /// True if there are no tokens, which never happens, because there are always special tokens.
    pub fn is_empty(&self) -> bool {
        self.theirs.is_empty()
    }

    /// Marian's id of the token with the id `ours` here. Panics if there is none.
    pub fn theirs(&self, ours: u32) -> u32 {
        self.theirs[ours as usize]
    }

    /// Id here of the token with the id `theirs` in Marian; `None` if there is none.
    pub fn ours(&self, theirs: u32) -> Option<u32> {
        self.ours.get(theirs as usize).copied()
    }
}

/// Splits a line into its leading language code, used by models with several targets, and the rest: `>>por<<` in
/// `>>por<< Good morning.` Anywhere else in the line such a code is text, as in `transformers`.
pub fn language_code(line: &str) -> Option<(&str, &str)> {
    let end = line.strip_prefix(">>")?.find("<<")?;
    let (code, rest) = line.split_at(2 + end + 2);
    is_language_code(code).then_some((code, rest))
}

/// True if a word has the form of a language code, such as `>>cmn_Hans<<`.
pub fn is_language_code(word: &str) -> bool {
    let name = word
        .strip_prefix(">>")
        .and_then(|rest| rest.strip_suffix("<<"));
    let fits = |c: char| !c.is_whitespace() && !"<>".contains(c);
    name.is_some_and(|name| !name.is_empty() && name.chars().all(fits))
}

/// Words of `vocab.json` in the order of their ids. The error explains what is wrong with the file.
pub fn words(json: &str) -> Result<Vec<String>, String> {
    let ids: BTreeMap<String, usize> = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let mut words: Vec<Option<String>> = vec![None; ids.len()];
    let last = ids.len().saturating_sub(1);
    for (word, id) in ids {
        match words.get_mut(id) {
            None => {
                return Err(format!(
                    "it gives {word:?} the id {id}, and its {} words need 0 to {last}",
                    last + 1
                ));
            }
            Some(Some(other)) => {
                return Err(format!("it gives {other:?} and {word:?} the same id {id}"));
            }
            Some(slot) => *slot = Some(word),
        }
    }
    Ok(words.into_iter().flatten().collect())
}

/// Checks that `words` could have been made from the pieces of a model. The error counts the pieces.
pub fn belongs(pieces: &SentencePiece, words: &[String]) -> Result<(), String> {
    let words: std::collections::HashSet<&str> = words.iter().map(String::as_str).collect();
    let all = pieces.pieces().count();
    let known = pieces
        .pieces()
        .filter(|piece| words.contains(piece))
        .count();
    if known as f64 >= KNOWN * all as f64 {
        return Ok(());
    }
    Err(format!(
        "only {known} of its {all} pieces are among the words of its vocabulary: it belongs to another model"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specials_come_first_and_every_id_finds_back() {
        let ids = Ids::new(6, 5, 0, 1).unwrap();
        let theirs: Vec<u32> = (0..7).map(|id| ids.theirs(id)).collect();
        assert_eq!(theirs, [5, 5, 0, 1, 2, 3, 4]);
        assert_eq!(
            (0..6).map(|id| ids.ours(id)).collect::<Vec<_>>(),
            [2, 3, 4, 5, 6, 0].map(Some)
        );
        assert_eq!(ids.ours(6), None);
        assert_eq!(Ids::new(6, 6, 0, 1), None);
        assert_eq!(Ids::new(6, 1, 0, 1), None);
    }

    #[test]
    fn words_that_miss_an_id_are_refused() {
        assert_eq!(words(r#"{"b": 1, "a": 0}"#).unwrap(), ["a", "b"]);
        let message = words(r#"{"a": 0, "b": 2}"#).unwrap_err();
        assert_eq!(
            message,
            "it gives \"b\" the id 2, and its 2 words need 0 to 1"
        );
        let message = words(r#"{"a": 0, "b": 0}"#).unwrap_err();
        assert_eq!(message, "it gives \"a\" and \"b\" the same id 0");
        assert!(words("[1]").is_err());
    }

    #[test]
    fn a_language_code_is_found_in_front_only() {
        assert_eq!(language_code(">>fra<< Hello"), Some((">>fra<<", " Hello")));
        for line in [
            "Hello >>fra<<",
            ">><< Hello",
            ">>Come here<<, he said",
            ">>a>><<",
            "a << b >> c",
        ] {
            assert_eq!(language_code(line), None, "{line}");
        }
    }
}
