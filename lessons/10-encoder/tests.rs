//! The figures of the lesson.

use super::*;

fn stage() -> EncoderStage {
    EncoderStage {
        drawn: Mutex::new(None),
    }
}

fn settings(words: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::defaults(LESSON.knobs);
    for (knob, value) in words {
        settings.set(LESSON.knobs, knob, value).unwrap();
    }
    settings
}

#[test]
fn the_recorded_layer_uses_exactly_the_counted_parameters() {
    let stage = stage();
    let settings = settings(&[]);
    let run = stage.run(&settings).unwrap();
    assert_eq!(stage.fact("parameters", &run, &settings), Some(3_152_384.0));
    let stack = self::settings(&[("show", "stack")]);
    let run = stage.run(&stack).unwrap();
    assert_eq!(stage.fact("parameters", &run, &stack), Some(18_915_328.0));
}

#[test]
fn the_last_norm_brings_the_stream_back_to_size_one() {
    let stack = settings(&[("show", "stack")]);
    let all = stream(&stage().run(&stack).unwrap().trace);
    assert_eq!(all.len(), 1 + 2 * LAYERS + 1);
    assert!(all[12].1 > all[0].1 * 1.2, "{all:?}");
    assert!((all[13].1 - 1.0).abs() < 0.01, "{all:?}");
}

#[test]
fn the_same_weights_serve_any_length() {
    let stage = stage();
    for length in ["1", "11", "40"] {
        let settings = settings(&[("source", length)]);
        let run = stage.run(&settings).unwrap();
        assert_eq!(stage.fact("parameters", &run, &settings), Some(3_152_384.0));
    }
}
