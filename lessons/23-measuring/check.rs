//! The check of the BLEU exercise: takes any implementation.

use transformer_tutor::decode::by_hand::bleu;
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::tensor::Tensor;

use super::{mistakes, starter};

type Lines = &'static [&'static str];

/// What is tried: a name, hypotheses, references.
const CASES: [(&str, Lines, Lines); 9] = [
    (
        "one line of the right length",
        &["a b c d e f"],
        &["a b c d x f"],
    ),
    (
        "two lines, one too short",
        &["the dog bit the man .", "a b c d"],
        &["the dog had bit the man .", "a b c d e f g"],
    ),
    (
        "words that repeat",
        &["the the the cat sat on the mat the mat", "x x x x x"],
        &["the cat sat on the mat", "x x x x y"],
    ),
    (
        "too long",
        &["a b c d e f g h a b c d"],
        &["a b c d e f g h"],
    ),
    ("no four words match", &["a b c x"], &["a b c d"]),
    (
        "a line with nothing",
        &["a b c d e", ""],
        &["a b c d f", "g h"],
    ),
    (
        "a line too long, one too short, a capital",
        &["The a b c d e f a", "x y z w"],
        &["the a b c d", "x y z w x y z v"],
    ),
    (
        "no line has four words",
        &["a b c", "d e"],
        &["a b c", "d e"],
    ),
    ("no words at all", &[""], &["a b c d"]),
];

/// What there is to write.
pub static TASK: Task<mistakes::BleuFn> = Task {
    reference: bleu,
    starter: starter::bleu,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` scores as the reference does.
pub fn check(implementation: impl Fn(&[&str], &[&str]) -> f64) -> Outcome {
    let mut got = Vec::new();
    for (says, hyps, refs) in CASES {
        got.push(attempt(says, || implementation(hyps, refs))? as f32);
    }
    let tensor = |scores: Vec<f32>| Tensor::new(&[scores.len()], scores);
    let all = |score: mistakes::BleuFn| CASES.map(|(_, h, r)| score(h, r) as f32).to_vec();
    let expected = all(bleu);
    for (n, (says, ..)) in CASES.into_iter().enumerate() {
        let (right, mine) = (tensor(vec![expected[n]]), tensor(vec![got[n]]));
        compare(says, &right, &mine, 1e-5).map_err(|failure| {
            // A mistake is known by what it does to all cases together.
            let known = mistakes::ALL
                .iter()
                .filter_map(|(name, mistake)| Some((*name, tensor(all(*mistake)))));
            diagnose(failure, &tensor(got.clone()), known)
        })?;
    }
    Ok(())
}
