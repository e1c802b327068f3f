//! The figures of this lesson.

use super::*;

#[test]
fn products_depend_on_the_distance_alone() {
    let table = positional_encoding(50, 512);
    for (a, b, expected) in [
        (0, 1, 249.10),
        (20, 21, 249.10),
        (0, 10, 173.79),
        (30, 40, 173.79),
        (7, 7, 256.0),
    ] {
        let product = experiments::dot(&table, a, b);
        assert!((product - expected).abs() < 0.006, "{a} {b}: {product}");
    }
}

#[test]
fn one_rotation_serves_every_position() {
    assert!(experiments::rotation_error(&positional_encoding(300, 512), 7) < 1e-6);
    // A table whose columns do not turn in pairs has no such rotation.
    assert!(experiments::rotation_error(&mistakes::own_frequency(300, 512), 7) > 0.1);
}

#[test]
fn attention_without_positions_is_blind_to_order() {
    let (without, with) = *experiments::BLINDNESS;
    assert!(without < 1e-5 && with > 0.1, "{without} {with}");
}

#[test]
fn a_sum_can_be_taken_apart_again() {
    let (word, position) = *experiments::PROBES;
    assert!(word > 0.99 && position > 0.99, "{word} {position}");
}

#[test]
fn waves_go_from_two_pi_to_sixty_thousand() {
    assert!((experiments::wavelength(255, 256.0) - 60_611.0).abs() < 1.0);
    assert!((experiments::wavelength(255, 255.0) - 62_832.0).abs() < 1.0);
}

#[test]
fn an_odd_width_is_refused_with_the_reason() {
    let mut settings = Settings::defaults(&KNOBS);
    settings.set(&KNOBS, "d_model", "127").unwrap();
    let sentence = crate::lesson::session::attempt(&PositionStage, &settings)
        .err()
        .unwrap();
    assert!(
        sentence.contains("64 cosines do not fit into 63 columns"),
        "{sentence}"
    );
}
