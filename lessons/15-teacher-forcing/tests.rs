//! Tests of the numbers in the lesson's text.

use super::*;

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
