//! The figures of the lesson.

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
    let mut settings = Settings::defaults(LESSON.knobs);
    settings.set(LESSON.knobs, "row", "4").unwrap();
    settings.set(LESSON.knobs, "vocab", "300").unwrap();
    assert_eq!(columns_moved(&settings), Some(1.0));
}

#[test]
fn different_vocabularies_cannot_be_tied() {
    let mut settings = Settings::defaults(LESSON.knobs);
    settings.set(LESSON.knobs, "tied", "yes").unwrap();
    settings.set(LESSON.knobs, "src_vocab", "300").unwrap();
    let sentence = GeneratorStage.run(&settings).err().unwrap();
    assert!(
        sentence.contains("one table cannot serve 300"),
        "{sentence}"
    );
}
