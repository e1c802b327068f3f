//! The tests of README.md. `mine capstone` puts this file back before it runs them.

use std::path::Path;

use my_transformer::{Copying, Translator};

const VOCABULARY: usize = 4028;
const BOS: usize = 1;
const EOS: usize = 2;

/// A source, its translation, and the natural logarithm of its probability with EOS.
struct Expected {
    src: Vec<usize>,
    tgt: Vec<usize>,
    log_prob: f32,
}

fn translator() -> Translator {
    Translator::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("model"))
}

fn expected() -> Vec<Expected> {
    let line = |line: &'static str| {
        let ids = |text: &str| {
            text.split(' ')
                .map(|id| id.parse().expect("an id"))
                .collect()
        };
        let parts: Vec<&str> = line.split(" : ").collect();
        Expected {
            src: ids(parts[0]),
            tgt: ids(parts[1]),
            log_prob: parts[2].parse().expect("a number"),
        }
    };
    include_str!("expected.txt").lines().map(line).collect()
}

#[test]
fn a_translation_has_the_probability_that_the_reference_gives_it() {
    let translator = translator();
    for Expected { src, tgt, log_prob } in expected() {
        let read = [&[BOS], &tgt[..]].concat();
        let log_probs = translator.log_probs(&src, &read);
        assert_eq!(
            log_probs.len(),
            read.len() * VOCABULARY,
            "one row per token"
        );
        let next = tgt.iter().chain([&EOS]);
        let rows = log_probs.chunks(VOCABULARY).zip(next);
        let sum: f32 = rows.map(|(row, &id)| row[id]).sum();
        assert!(
            (sum - log_prob).abs() < 1e-2,
            "{src:?}: {sum}, expected {log_prob}"
        );
    }
}

#[test]
fn the_translations_are_those_of_the_reference() {
    let translator = translator();
    for Expected { src, tgt, .. } in expected() {
        assert_eq!(translator.translate(&src, 40), tgt, "of {src:?}");
    }
}

#[test]
fn no_position_sees_a_later_token() {
    let translator = translator();
    let src = &expected()[0].src;
    let first = |last| translator.log_probs(src, &[BOS, 40, last])[..2 * VOCABULARY].to_vec();
    assert_eq!(first(50), first(60));
}

/// Sentences of ten ids; the first is 1, the others are random.
fn sentences(count: usize, state: &mut u64) -> Vec<Vec<usize>> {
    let mut id = || {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        1 + (*state >> 33) as usize % 10
    };
    let mut sentence = || [1].into_iter().chain((1..10).map(|_| id())).collect();
    (0..count).map(|_| sentence()).collect()
}

#[test]
fn a_model_learns_to_copy_in_240_updates() {
    let (mut model, mut state) = (Copying::new(7), 1);
    let mut losses = Vec::new();
    for _ in 0..240 {
        losses.push(model.step(&sentences(16, &mut state)));
    }
    assert!(losses.iter().all(|loss| loss.is_finite()), "{losses:?}");
    let mean = |losses: &[f32]| losses.iter().sum::<f32>() / losses.len() as f32;
    assert!(
        mean(&losses[220..]) < 0.7 * mean(&losses[..20]),
        "{losses:?}"
    );
    let new = sentences(20, &mut state);
    let right = |sentence: &Vec<usize>| {
        let copy = model.copy(sentence);
        assert_eq!(
            (copy.len(), copy.first()),
            (10, Some(&1)),
            "ten ids, the first is 1"
        );
        copy.iter()
            .zip(sentence)
            .skip(1)
            .filter(|(a, b)| a == b)
            .count()
    };
    let right: usize = new.iter().map(right).sum();
    assert!(right >= 144, "{right} of 180 tokens are right");
}
