//! The built-in German–English corpus: sentence pairs with true word alignments.
//!
//! A grammar wrote them. It drew each sentence as a tree of its meaning, and each language put the tree into words.
//! Words that come from the same part of the tree are translations of each other, which gives the alignment. The
//! program carries only the result, in `assets/phrasebook`; the grammar is in the repository's history, as
//! `src/engine/text/phrasebook` at commit 9064fb59.
//!
//! `words.txt` has a German word on each line and, after it, the English words with which it is aligned. Each other
//! file is one [`Part`]: its German lines, then its English lines in the same order, compressed with gzip.
//!
//! - In a German line, every character is a word: `!` is the first line of `words.txt`, `"` the second, and so on by
//!   code point.
//! - In an English line, every word is three characters, counted from those in brackets: how far the German word that
//!   it translates is from the one before (`P`), how far a second one is from the first, if there is one (`0`), and
//!   which of the English words of the first it is (`!`).

use std::io::Read;
use std::sync::{LazyLock, OnceLock};

use flate2::read::GzDecoder;

/// A sentence in both languages, tokenised (punctuation marks are separate tokens; German nouns and the first word are
/// capitalised), with the pairs of token indices that translate each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// German tokens.
    pub german: Vec<String>,
    /// English tokens.
    pub english: Vec<String>,
    /// (German token, English token), in order.
    pub alignment: Vec<(usize, usize)>,
}

/// Parts of the corpus. No German sentence is twice in a part, and none of `Train` is in another part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Sentences to train on.
    Train,
    /// Sentences with the words and rules of `Train`, to measure a run on.
    Valid,
    /// More such sentences, to evaluate the result on. Some are also in `Valid`, because short ones are few.
    HeldOut,
    /// Sentences longer than any of `Train`: 15 to 25 German tokens, mostly of several clauses.
    Hard,
    /// Held-out sentences on which the tour compares broken models.
    Tour,
}

impl Part {
    /// Number of its pairs.
    pub const fn size(self) -> usize {
        match self {
            Self::Train => 100_000,
            Self::Valid => 2000,
            Self::HeldOut | Self::Hard => 5000,
            Self::Tour => 200,
        }
    }

    /// Its lines, unpacked once.
    fn text(self) -> &'static str {
        static TEXTS: [OnceLock<String>; 5] = [const { OnceLock::new() }; 5];
        TEXTS[self as usize].get_or_init(|| {
            let (name, packed) = tutor_models::PAIRS[self as usize];
            let mut text = String::new();
            GzDecoder::new(packed)
                .read_to_string(&mut text)
                .unwrap_or_else(|e| panic!("{name} cannot be unpacked: {e}"));
            text
        })
    }
}

/// Lines of `words.txt`: a German word, then its English words.
static WORDS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let lines = tutor_models::WORDS.lines();
    lines.map(|line| line.split(' ').collect()).collect()
});

/// The first `n` pairs of a part, or all if it has fewer.
pub fn pairs(part: Part, n: usize) -> Vec<Pair> {
    let german = part.text().lines().take(part.size().min(n));
    let english = part.text().lines().skip(part.size());
    german.zip(english).map(|(g, e)| pair(g, e)).collect()
}

/// The pair of two lines of a part.
fn pair(german: &str, english: &str) -> Pair {
    let german: Vec<&Vec<&str>> = german
        .chars()
        .map(|c| &WORDS[c as usize - usize::from(b'!')])
        .collect();
    let (words, _) = english.as_bytes().as_chunks::<3>();
    let mut pair = Pair {
        german: german.iter().map(|word| word[0].to_owned()).collect(),
        english: Vec::with_capacity(words.len()),
        alignment: Vec::with_capacity(words.len()),
    };
    let mut at = 0;
    for (e, &[step, second, choice]) in words.iter().enumerate() {
        at = at + usize::from(step) - usize::from(b'P');
        pair.alignment.push((at, e));
        if second > b'0' {
            pair.alignment.push((at + usize::from(second - b'0'), e));
        }
        let english = german[at][1 + usize::from(choice - b'!')];
        pair.english.push(english.to_owned());
    }
    pair.alignment.sort_unstable();
    pair
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const ALL: [Part; 5] = [
        Part::Train,
        Part::Valid,
        Part::HeldOut,
        Part::Hard,
        Part::Tour,
    ];

    #[test]
    fn every_part_has_its_number_of_pairs_and_fewer_are_its_first() {
        for part in ALL {
            let all = pairs(part, usize::MAX);
            assert_eq!(all.len(), part.size(), "{part:?}");
            assert_eq!(part.text().lines().count(), 2 * part.size(), "{part:?}");
            assert_eq!(pairs(part, 7), all[..7], "{part:?}");
        }
    }

    #[test]
    fn parts_share_words_but_no_sentence_with_train() {
        let train = pairs(Part::Train, usize::MAX);
        let known: HashSet<_> = train
            .iter()
            .flat_map(|pair| pair.german.iter().chain(&pair.english))
            .collect();
        let sentences: HashSet<_> = train.iter().map(|pair| &pair.german).collect();
        assert_eq!(sentences.len(), train.len(), "a sentence is repeated");
        for part in &ALL[1..] {
            let pairs = pairs(*part, usize::MAX);
            let own: HashSet<_> = pairs.iter().map(|pair| &pair.german).collect();
            assert_eq!(own.len(), pairs.len(), "{part:?} repeats a sentence");
            assert_eq!(own.intersection(&sentences).next(), None, "{part:?}");
            for word in pairs
                .iter()
                .flat_map(|pair| pair.german.iter().chain(&pair.english))
            {
                assert!(
                    known.contains(word),
                    "{part:?} has {word}, which Train hasn't"
                );
            }
        }
    }

    #[test]
    fn lengths_are_as_promised() {
        for part in ALL {
            let lengths = if part == Part::Hard { 15..=25 } else { 1..=14 };
            let all = pairs(part, usize::MAX);
            assert!(
                all.iter().all(|pair| lengths.contains(&pair.german.len())),
                "{part:?}"
            );
        }
    }

    #[test]
    fn every_word_but_a_comma_is_aligned() {
        for pair in ALL.iter().flat_map(|part| pairs(*part, 5000)) {
            let inside = |link: &(usize, usize)| link.0 < pair.german.len();
            assert!(pair.alignment.iter().all(inside), "{pair:?}");
            assert!(pair.alignment.is_sorted(), "{pair:?}");
            for (g, word) in pair.german.iter().enumerate() {
                assert!(
                    word == "," || pair.alignment.iter().any(|link| link.0 == g),
                    "{word} in {pair:?}"
                );
            }
        }
    }

    #[test]
    fn a_pair_is_read_with_both_links_of_a_word() {
        let first = &pairs(Part::Hard, 1)[0];
        assert_eq!(
            first.german.join(" "),
            "Jeder Ingenieur , der keinen Hut weggeworfen hat , hat eingekauft , aber ich habe meinen süßen Tee \
             getrunken ."
        );
        assert_eq!(
            first.english.join(" "),
            "Every engineer who did not throw away a hat went shopping , but I drank my sweet tea ."
        );
        assert_eq!(first.alignment[3..7], [(4, 4), (4, 7), (5, 8), (6, 5)]);
        let both: Vec<_> = first.alignment.iter().filter(|link| link.1 == 9).collect();
        assert_eq!(both, [&(9, 9), &(10, 9)]);
    }
}
