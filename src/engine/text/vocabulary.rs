//! The vocabulary: words and their ids.

use std::collections::HashMap;

use crate::tensor::Tensor;

/// Id of padding, which fills sentences up to the length of the batch.
pub const PAD: usize = 0;
/// Id of the token that begins a sentence.
pub const BOS: usize = 1;
/// Id of the token that ends a sentence.
pub const EOS: usize = 2;
/// Id of every word that is not in the vocabulary.
pub const UNK: usize = 3;

const SPECIALS: [&str; 4] = ["<pad>", "<s>", "</s>", "<unk>"];

/// Words by id and ids by word; the four special tokens come first.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    words: Vec<String>,
    ids: HashMap<String, usize>,
}

impl Vocabulary {
    /// Collects the words of `sentences` in the order of their first appearance.
    pub fn new<'a>(sentences: impl IntoIterator<Item = &'a str>) -> Self {
        let mut vocabulary = Self {
            words: Vec::new(),
            ids: HashMap::new(),
        };
        for special in SPECIALS {
            vocabulary.insert(special);
        }
        for sentence in sentences {
            for word in tokenize(sentence) {
                vocabulary.insert(&word);
            }
        }
        vocabulary
    }

    /// Collects the words, separated by blanks, that occur at least `min_count` times in `sentences`. The most frequent
    /// come first, equally frequent ones in code point order, and at most `limit` are kept.
    pub fn counted<'a>(
        sentences: impl IntoIterator<Item = &'a str>,
        min_count: usize,
        limit: Option<usize>,
    ) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for word in sentences.into_iter().flat_map(str::split_whitespace) {
            *counts.entry(word).or_default() += 1;
        }
        let mut words: Vec<(&str, usize)> =
            counts.into_iter().filter(|w| w.1 >= min_count).collect();
        words.sort_by_key(|&(word, count)| (std::cmp::Reverse(count), word));
        words.truncate(limit.unwrap_or(usize::MAX));
        Self::from_words(words.into_iter().map(|(word, _)| word))
    }

    /// The special tokens, then `words` in their order, without duplicates.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut vocabulary = Self::new([]);
        words.into_iter().for_each(|word| vocabulary.insert(word));
        vocabulary
    }

    /// The special tokens, then all of `words`, even duplicates; the id of a duplicate is that of its first occurrence.
    pub fn listed(words: impl IntoIterator<Item = String>) -> Self {
        let mut vocabulary = Self::new([]);
        for word in words {
            let id = vocabulary.words.len();
            vocabulary.ids.entry(word.clone()).or_insert(id);
            vocabulary.words.push(word);
        }
        vocabulary
    }

    /// Words by id, without the special tokens.
    pub fn words(&self) -> &[String] {
        &self.words[SPECIALS.len()..]
    }

    fn insert(&mut self, word: &str) {
        if !self.ids.contains_key(word) {
            self.ids.insert(word.to_owned(), self.words.len());
            self.words.push(word.to_owned());
        }
    }

    /// Number of words, including the special tokens.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True if there are no words, which never happens, because there are always special tokens.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Id of a word, or [`UNK`] if it is not in the vocabulary.
    pub fn id(&self, word: &str) -> usize {
        self.ids.get(word).copied().unwrap_or(UNK)
    }

    /// Word with an id. Panics if there is none.
    #[track_caller]
    pub fn word(&self, id: usize) -> &str {
        self.words
            .get(id)
            .unwrap_or_else(|| panic!("vocabulary: id {id} has no word among {}", self.len()))
    }

    /// Sentences as ids `[batch, length]`, truncated to `length` or padded with [`PAD`].
    pub fn batch<'a>(&self, sentences: impl IntoIterator<Item = &'a str>, length: usize) -> Tensor {
        let mut ids = Vec::new();
        let mut batch = 0;
        for sentence in sentences {
            let words = tokenize(sentence).into_iter().map(|w| self.id(&w));
            ids.extend(
                words
                    .chain(std::iter::repeat(PAD))
                    .take(length)
                    .map(|id| id as f32),
            );
            batch += 1;
        }
        Tensor::new(&[batch, length], ids)
    }
}

/// Splits a sentence at blanks and around punctuation, in lower case.
pub fn tokenize(sentence: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in sentence.to_lowercase().split_whitespace() {
        let mut word = String::new();
        for c in part.chars() {
            if c.is_alphanumeric() || c == '\'' || c == '-' {
                word.push(c);
            } else {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                words.push(c.to_string());
            }
        }
        words.extend((!word.is_empty()).then_some(word));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_is_a_word_of_its_own() {
        assert_eq!(
            tokenize("The dog runs, fast."),
            ["the", "dog", "runs", ",", "fast", "."]
        );
    }

    #[test]
    fn ids_follow_the_specials_in_order_of_appearance() {
        let vocabulary = Vocabulary::new(["the dog runs", "the cat"]);
        assert_eq!(
            (
                vocabulary.id("the"),
                vocabulary.id("cat"),
                vocabulary.id("cow")
            ),
            (4, 7, UNK)
        );
        assert_eq!(vocabulary.word(5), "dog");
        assert_eq!(vocabulary.word(PAD), "<pad>");
    }

    #[test]
    fn counted_words_are_sorted_by_frequency_and_cut() {
        let all = Vocabulary::counted(["b a b", "c a d"], 1, None);
        assert_eq!(all.words(), ["a", "b", "c", "d"]);
        assert_eq!(
            Vocabulary::counted(["b a b", "c a d"], 2, None).words(),
            ["a", "b"]
        );
        assert_eq!(
            Vocabulary::counted(["b a b", "c a d"], 1, Some(3)).words(),
            ["a", "b", "c"]
        );
    }

    #[test]
    fn a_batch_is_padded_and_cut() {
        let vocabulary = Vocabulary::new(["a b c"]);
        let batch = vocabulary.batch(["a b c", "b"], 2);
        assert_eq!(
            (batch.shape(), batch.data()),
            (&[2, 2][..], &[4.0, 5.0, 5.0, 0.0][..])
        );
    }
}
