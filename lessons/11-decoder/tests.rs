//! The figures of the lesson.

use super::*;

fn settings(words: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::defaults(&switches::KNOBS);
    for (knob, value) in words {
        if *knob == "break" {
            settings.switch(&switches::MISTAKES, value, true).unwrap();
        } else {
            settings.set(&switches::KNOBS, knob, value).unwrap();
        }
    }
    settings
}

#[test]
fn the_recorded_layer_uses_exactly_the_counted_parameters() {
    let settings = settings(&[]);
    let run = DecoderStage.run(&settings).unwrap();
    assert_eq!(
        DecoderStage.fact("parameters", &run, &settings),
        Some(4_204_032.0)
    );
}

#[test]
fn a_sound_layer_is_tight_wherever_its_norms_stand() {
    for place in ["pre", "post"] {
        assert_eq!(
            DecoderStage
                .run(&settings(&[("place", place)]))
                .unwrap()
                .leak,
            Some(0.0)
        );
    }
}

#[test]
fn exchanged_masks_run_when_both_sentences_have_one_length_and_leak() {
    let words = [("source", "10"), ("break", "masks-exchanged")];
    let leak = DecoderStage.run(&settings(&words)).unwrap().leak;
    assert!(leak.is_some_and(|leak| leak > 0.01), "{leak:?}");
}
