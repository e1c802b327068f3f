//! Tests of the numbers in the lesson's text.

use super::*;

fn run(turned: &[(&str, &str)]) -> Run {
    let settings = LESSON.settings(turned).unwrap();
    EncoderStage::default().run(&settings).unwrap()
}

#[test]
fn the_recorded_layers_use_exactly_the_counted_parameters_at_any_length() {
    for (knob, value, counted) in [
        ("show", "layer", 3_152_384.0),
        ("show", "stack", 18_915_328.0),
        ("source", "1", 3_152_384.0),
        ("source", "11", 3_152_384.0),
        ("source", "40", 3_152_384.0),
    ] {
        let settings = LESSON.settings(&[(knob, value)]).unwrap();
        let run = run(&[(knob, value)]);
        let parameters = EncoderStage::default().fact("parameters", &run, &settings);
        assert_eq!(parameters, Some(counted), "{knob} {value}");
    }
}

#[test]
fn the_last_norm_brings_the_stream_back_to_size_one() {
    let all = stream(&run(&[("show", "stack")]).trace);
    assert_eq!(all.len(), 1 + 2 * LAYERS + 1);
    assert!(all[12].1 > all[0].1 * 1.2, "{all:?}");
    assert!((all[13].1 - 1.0).abs() < 0.01, "{all:?}");
}
