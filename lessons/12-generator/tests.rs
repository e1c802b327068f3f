//! Tests of the numbers in the lesson's text.

use super::*;

#[test]
fn a_tied_gradient_is_the_sum_of_three() {
    let p = &*experiments::PLACES;
    assert!(p.difference < 1e-6, "{}", p.difference);
    assert!(p.parts.iter().all(|norm| *norm > 1e-3), "{:?}", p.parts);
    assert_eq!(p.unread.0, p.unread.1);
}

#[test]
fn one_row_moves_one_word() {
    let settings = LESSON.settings(&[("row", "4"), ("vocab", "300")]);
    assert_eq!(columns_moved(&settings.unwrap()), Some(1.0));
}

#[test]
fn different_vocabularies_cannot_be_tied() {
    let settings = LESSON.settings(&[("tied", "yes"), ("src_vocab", "300")]);
    let sentence = GeneratorStage.run(&settings.unwrap()).err().unwrap();
    assert!(
        sentence.contains("one table cannot serve 300"),
        "{sentence}"
    );
}
