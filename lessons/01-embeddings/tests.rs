//! The figures of this lesson.

use super::*;

fn fact(words: &[(&str, &str)], name: &str) -> f64 {
    let stage = EmbeddingStage::default();
    let mut settings = Settings::defaults(&KNOBS);
    for (knob, value) in words {
        settings.set(&KNOBS, knob, value).unwrap();
    }
    let run = stage.run(&settings).unwrap();
    stage.fact(name, &run, &settings).unwrap()
}

#[track_caller]
fn close(words: &[(&str, &str)], name: &str, expected: f64, tolerance: f64) {
    let value = fact(words, name);
    assert!(
        (value - expected).abs() <= tolerance,
        "{name} under {words:?} is {value}, not {expected}"
    );
}

#[test]
fn words_and_positions_are_as_loud_as_published() {
    close(&[], "bound", 0.01402, 6e-6);
    close(&[], "std_table", 0.00810, 6e-6);
    close(&[], "rms_token", 0.1832, 6e-5);
    close(&[], "rms_position", std::f64::consts::FRAC_1_SQRT_2, 1e-6);
    close(&[("scale", "none")], "quieter", 87.3, 0.1);
    close(&[], "quieter", 3.86, 0.01);
    close(&[("init", "normal")], "rms_token", 22.63, 0.02);
    close(&[("init", "tf")], "rms_token", 1.0, 5e-4);
}

#[test]
fn one_hot_rows_times_the_table_are_the_rows_bit_for_bit() {
    assert_eq!(fact(&[], "one_hot_difference"), 0.0);
}

#[test]
fn with_the_tables_of_the_sources_the_factor_wins_the_race_and_with_unit_rows_it_loses() {
    for seed in ["1", "7"] {
        for (init, tied, wins) in [
            ("xavier", "no", true),
            ("xavier", "yes", true),
            ("tf", "yes", true),
            ("normal", "no", false),
        ] {
            let words = [("init", init), ("tied", tied), ("seed", seed)];
            let (none, sqrt) = (fact(&words, "race_none"), fact(&words, "race_sqrt"));
            assert!(
                if wins {
                    none > 2.0 * sqrt
                } else {
                    sqrt > 2.0 * none
                },
                "{words:?}: {none} {sqrt}"
            );
        }
    }
}
