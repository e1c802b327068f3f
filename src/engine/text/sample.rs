//! Thirty sentence pairs whose words label the axes in the lessons: German source, English target.

use crate::nn::masks::PAD;
use crate::tensor::Tensor;

/// Number of sentences in a batch.
pub const BATCH: usize = 30;

/// Index of a short sentence, padded in both languages, which the leak indicator examines.
pub const SHORT: usize = 1;

/// Sentences of at most 11 German and 10 English tokens, so that the standard batch truncates none.
const PAIRS: &str = include_str!("sample.txt");

/// One side of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// The source.
    German,
    /// The target.
    English,
}

fn text(pair: usize, language: Language) -> &'static str {
    let line = PAIRS.lines().nth(pair).expect("there are BATCH lines");
    let (german, english) = line.split_once(" | ").expect("German | English");
    match language {
        Language::German => german,
        Language::English => english,
    }
}

/// Words of one sentence, truncated or padded to `length`.
pub fn words(pair: usize, length: usize, language: Language) -> Vec<String> {
    let all = text(pair, language).split(' ').map(str::to_owned);
    all.chain(std::iter::repeat_with(|| "<pad>".to_owned()))
        .take(length)
        .collect()
}

/// Words of every sentence, truncated or padded to `length`.
pub fn all_words(length: usize, language: Language) -> Vec<Vec<String>> {
    (0..BATCH).map(|b| words(b, length, language)).collect()
}

/// Ids `[BATCH, length]`, numbered from 4 in the order of first appearance; padding is 0.
pub fn ids(length: usize, language: Language) -> Tensor {
    let mut known: Vec<&str> = Vec::new();
    for word in (0..BATCH).flat_map(|b| text(b, language).split(' ')) {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    let id = |word: &String| {
        let index = known.iter().position(|k| k == word);
        index.map_or(PAD, |i| (i + 4) as f32)
    };
    let rows = all_words(length, language);
    Tensor::new(&[BATCH, length], rows.iter().flatten().map(id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_batch_cuts_no_sentence_and_the_longest_fills_it() {
        let longest = |language| {
            let lengths = (0..BATCH).map(|b| text(b, language).split(' ').count());
            lengths.max()
        };
        assert_eq!(longest(Language::German), Some(11));
        assert_eq!(longest(Language::English), Some(10));
    }

    #[test]
    fn padding_is_id_0_and_words_are_not() {
        let ids = ids(11, Language::German);
        for (b, row) in ids.data().chunks(11).enumerate() {
            for (word, &id) in words(b, 11, Language::German).iter().zip(row) {
                assert_eq!(word == "<pad>", id == PAD, "{word} {id}");
            }
        }
    }
}
