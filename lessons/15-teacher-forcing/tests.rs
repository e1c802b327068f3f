//! Tests of the numbers in the lesson's text.

use super::*;

#[test]
fn without_the_shift_the_loss_vanishes_and_what_is_written_is_nonsense() {
    let without = race::finish(1, 50, 7);
    let loss = without.losses.last().unwrap();
    assert!(*loss < 0.1, "{loss}");
    assert!(without.right < 0.3, "{}", without.right);
}

#[test]
fn with_the_shift_the_model_learns_to_copy() {
    let with = race::finish(0, 400, 7);
    assert!(with.right > 0.9, "{} {:?}", with.right, with.losses.last());
}

#[test]
fn a_shift_of_embeddings_leaves_row_0_with_its_position_alone() {
    let settings = LESSON.settings(&[("form", "embeddings")]).unwrap();
    let trace = ForcingStage.run(&settings).unwrap().trace;
    let placed = trace.tensor("tgt_embed.with_position").unwrap();
    let pe = trace.tensor("tgt_embed.pe").unwrap();
    let width = pe.last();
    for sentence in 0..3 {
        let at = placed.offset(&[sentence, 0, 0]);
        assert_eq!(placed.data()[at..at + width], pe.data()[..width]);
    }
}
