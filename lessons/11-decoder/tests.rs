//! Tests of the numbers in the lesson's text.

use super::*;

fn run(turned: &[(&str, &str)]) -> Run {
    DecoderStage.run(&LESSON.settings(turned).unwrap()).unwrap()
}

#[test]
fn the_recorded_layer_uses_exactly_the_counted_parameters() {
    let settings = LESSON.settings(&[]).unwrap();
    let counted = DecoderStage.fact("parameters", &run(&[]), &settings);
    assert_eq!(counted, Some(4_204_032.0));
}

#[test]
fn a_sound_layer_is_tight_wherever_layer_norm_is_applied() {
    for place in ["pre", "post"] {
        assert_eq!(run(&[("place", place)]).leak, Some(0.0));
    }
}

#[test]
fn exchanged_masks_run_when_both_sentences_have_one_length_and_leak() {
    let leak = run(&[("source", "10"), ("break", "masks-exchanged")]).leak;
    assert!(leak.is_some_and(|leak| leak > 0.01), "{leak:?}");
}
