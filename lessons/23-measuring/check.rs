//! The exercise: BLEU, and cases that distinguish it from its mistakes.

use std::collections::HashMap;

use transformer_tutor::decode::by_hand::bleu;
use transformer_tutor::tensor::Tensor;

use super::starter;

/// The signature of BLEU by hand.
pub type BleuFn = fn(&[&str], &[&str]) -> f64;

transformer_tutor::task! { bleu: BleuFn = bleu;
    |bleu| {
        let says = |says: &str, _: &Case| says.to_owned();
        TASK.compared_together(bleu, &CASES, 1e-5, says, |(hyps, refs), bleu| {
            Tensor::scalar(bleu(hyps, refs) as f32)
        })
    }
}

/// Cases to try: hypotheses and references.
type Case = (&'static [&'static str], &'static [&'static str]);

const CASES: [(&str, Case); 12] = [
    (
        "one line of the right length",
        (&["a b c d e f"], &["a b c d x f"]),
    ),
    (
        "two lines, one too short",
        (
            &["the dog bit the man .", "a b c d"],
            &["the dog had bit the man .", "a b c d e f g"],
        ),
    ),
    (
        "words that repeat",
        (
            &["the the the cat sat on the mat the mat", "x x x x x"],
            &["the cat sat on the mat", "x x x x y"],
        ),
    ),
    (
        "too long",
        (&["a b c d e f g h a b c d"], &["a b c d e f g h"]),
    ),
    (
        "two equal lines with different references",
        (&["a b c d e", "a b c d e"], &["a b c d f", "x b c d z"]),
    ),
    ("no four words match", (&["a b c x"], &["a b c d"])),
    (
        "a line with nothing",
        (&["a b c d e", ""], &["a b c d f", "g h"]),
    ),
    (
        "a line too long, one too short, a capital",
        (
            &["The a b c d e f a", "x y z w"],
            &["the a b c d", "x y z w x y z v"],
        ),
    ),
    (
        "no line has four words",
        (&["a b c", "d e"], &["a b c", "d e"]),
    ),
    ("no words at all", (&[""], &["a b c d"])),
    ("half as long", (&["a b c d"], &["a b c d e f g h"])),
    (
        "a word that the reference of another line has",
        (&["a b c d e", "x y z w v"], &["a b c d f", "x y z w e"]),
    ),
];
