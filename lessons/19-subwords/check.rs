//! The exercise: learning merges, and cases that distinguish it from its mistakes.

use std::collections::{BTreeMap, BTreeSet};

use transformer_tutor::lesson::exercise::{Task, attempt};
use transformer_tutor::lesson::{Failure, Outcome};
use transformer_tutor::text::bpe::{END_OF_WORD, byte_pairs};

use super::corpus::Pair;
use super::starter;

type Words = &'static [(&'static str, usize)];

/// Cases to try: name, words with their counts, maximum number of merges.
const CASES: [(&str, Words, usize); 13] = [
    (
        "the paper's words",
        &[("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)],
        10,
    ),
    (
        "three merges of many",
        &[("lower", 3), ("lowest", 2), ("slow", 4)],
        3,
    ),
    (
        "a rare word and a frequent one",
        &[("abab", 1), ("cdx", 2), ("xcd", 5), ("aba", 3)],
        6,
    ),
    (
        "a pair twice in one word",
        &[("banana", 2), ("nanny", 1), ("anan", 3)],
        8,
    ),
    (
        "three of a letter",
        &[("xaaaby", 4), ("aaac", 3), ("baaab", 2)],
        7,
    ),
    (
        "three of a letter against another pair",
        &[("aaaz", 2), ("bcd", 3)],
        5,
    ),
    ("ties", &[("ccbab", 4), ("aacbb", 3)], 6),
    (
        "letters beyond a to z",
        &[("schläft", 2), ("läuft", 3), ("größe", 2)],
        9,
    ),
    (
        "a pair that becomes rarer and is merged later",
        &[("abx", 4), ("abc", 3), ("bc", 2)],
        9,
    ),
    ("no pair is left", &[("low", 2), ("a", 3)], 9),
    ("capitals", &[("The", 3), ("the", 2), ("THE", 2)], 6),
    ("nothing occurs twice", &[("abc", 1), ("xyz", 1)], 5),
    ("no merges asked for", &[("aa", 9)], 0),
];

/// The signature of the learner.
pub type LearnFn = fn(&[(&str, usize)], usize) -> Vec<Pair>;

transformer_tutor::task! { byte_pairs: LearnFn = byte_pairs; |learn| compared(&TASK, learn) }

/// Compares the merges of a few small texts; a mistake of `task` is recognised by its effect on all of them together.
pub fn compared(task: &Task<LearnFn>, learn: LearnFn) -> Outcome {
    let mut all = Vec::new();
    let mut first = None;
    for (says, words, merges) in CASES {
        let got = attempt(says, || learn(words, merges))?;
        let expected = byte_pairs(words, merges);
        if first.is_none() && got != expected {
            first = Some(Failure::new(difference(says, &expected, &got)));
        }
        all.push(got);
    }
    let same = |mistake: &LearnFn| {
        let mut cases = CASES.iter().zip(&all);
        cases.all(|((says, words, merges), got)| {
            attempt(says, || mistake(words, *merges)).is_ok_and(|made| made == *got)
        })
    };
    let Some(failure) = first else {
        return Ok(());
    };
    Err(
        match task.mistakes.iter().find(|(_, mistake)| same(mistake)) {
            Some((name, _)) => failure.because(name),
            None => failure,
        },
    )
}

/// Describes where two lists of merges diverge.
pub fn difference(says: &str, expected: &[Pair], got: &[Pair]) -> String {
    let index = expected.iter().zip(got).position(|(e, g)| e != g);
    let index = index.unwrap_or(expected.len().min(got.len()));
    let name = |pair: Option<&Pair>| match pair {
        Some((first, second)) => format!("{first} + {second}"),
        None => "none".to_owned(),
    };
    format!(
        "{says}: merge {} should be {}, yours is {}",
        index + 1,
        name(expected.get(index)),
        name(got.get(index))
    )
}
