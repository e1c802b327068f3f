//! Part two of the check: a megabyte of text, which takes too long if every merge counts all pairs again.

use std::time::Duration;

use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Failure, attempt, learner};
use transformer_tutor::text::bpe::Bpe;

use super::super::check::{LearnFn, difference};

/// Time for all merges. Counts that are kept up to date take a fraction of a second.
pub const LIMIT: Duration = Duration::from_secs(5);

/// Number of different words, and of merges.
const WORDS: usize = 20_000;
const MERGES: usize = 5000;

const SAYS: &str = "Part two, 5,000 merges of a megabyte with 20,000 different words";

/// Checks the merges of the text against the engine's, within `limit`.
pub fn check(learn: LearnFn, limit: Duration) -> Outcome {
    let text = words();
    let own = text.clone();
    let result = learner::within(limit, move || {
        attempt(SAYS, || learn(&borrowed(&own), MERGES))
    });
    let Some(result) = result else {
        let mut failure = Failure::new(format!(
            "{SAYS}: your merges were not there after {} seconds.",
            limit.as_secs_f64()
        ));
        failure.likely = Some(
            "You count all pairs again for each merge. Keep the counts, and change only those of the words that have the \
             merged pair."
                .to_owned(),
        );
        return Err(failure);
    };
    let got = result.map_err(Failure::new)??;
    let expected = expected(&text);
    if got == expected {
        return Ok(());
    }
    Err(Failure::new(difference(SAYS, &expected, &got)))
}

/// Words of two to four syllables with their counts: as in real text, the n-th word is n times as rare as the first.
fn words() -> Vec<(String, usize)> {
    const FIRST: [char; 10] = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 's', 't'];
    const SECOND: [char; 5] = ['a', 'e', 'i', 'o', 'u'];
    let word = |number: usize| {
        let mut rest = number;
        let mut word = String::new();
        while rest > 0 || word.len() < 4 {
            word.push(FIRST[rest % 10]);
            word.push(SECOND[rest / 10 % 5]);
            rest /= 50;
        }
        (word, 1 + WORDS / (number + 1))
    };
    // The factor has no divisor in common with the number of words, so this visits each once, in no simple order.
    (0..WORDS).map(|n| n * 7919 % WORDS).map(word).collect()
}

fn borrowed(words: &[(String, usize)]) -> Vec<(&str, usize)> {
    words.iter().map(|(word, n)| (&word[..], *n)).collect()
}

/// The merges that the engine learns.
fn expected(words: &[(String, usize)]) -> Vec<(String, String)> {
    let lines = words
        .iter()
        .flat_map(|(word, n)| std::iter::repeat_n(&word[..], *n));
    Bpe::learn(lines, MERGES, 2).merges().to_vec()
}

#[cfg(test)]
mod tests {
    use super::super::reference::fast_byte_pairs;
    use super::*;

    #[test]
    fn the_text_has_a_megabyte_and_each_word_once() {
        let words = words();
        let bytes: usize = words.iter().map(|(word, n)| (word.len() + 1) * n).sum();
        assert!((1_000_000..2_000_000).contains(&bytes), "{bytes}");
        let different: std::collections::HashSet<&str> =
            words.iter().map(|(word, _)| &word[..]).collect();
        assert_eq!(different.len(), WORDS);
    }

    #[test]
    fn counts_that_are_kept_up_to_date_pass() {
        assert_eq!(check(fast_byte_pairs, LIMIT), Ok(()));
    }

    #[test]
    fn a_function_that_takes_too_long_is_told_to_keep_its_counts() {
        let stuck: LearnFn = |_, _| loop {
            std::thread::park();
        };
        let failure = check(stuck, Duration::from_millis(20)).expect_err("nothing comes");
        assert!(
            failure
                .likely
                .is_some_and(|likely| likely.starts_with("You count all pairs again"))
        );
    }

    #[test]
    fn wrong_merges_are_named() {
        let failure = check(|_, _| vec![], LIMIT).expect_err("there are none");
        assert!(failure.sentence.ends_with("yours is none"), "{failure:?}");
    }
}
