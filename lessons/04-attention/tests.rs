//! The figures of this lesson.

use super::*;
use crate::lesson::claim::Live;

fn live(words: &[(&str, &str)], check: impl Fn(&Live<'_>)) {
    let stage = AttentionStage;
    let mut settings = Settings::defaults(&KNOBS);
    for (knob, value) in words {
        settings.set(&KNOBS, knob, value).unwrap();
    }
    let run = stage.run(&settings).unwrap();
    check(&Live {
        stage: &stage,
        run: &run,
        settings: &settings,
    });
}

#[track_caller]
fn close(live: &Live<'_>, expression: &str, expected: &[f64], tolerance: f64) {
    let value = live.evaluate(expression).unwrap();
    assert_eq!(value.len(), expected.len(), "{expression}");
    for (v, e) in value.iter().zip(expected) {
        assert!(
            (v - e).abs() <= tolerance,
            "{expression} is {value:?}, not {expected:?}"
        );
    }
}

#[test]
fn the_worked_example_agrees_to_four_decimals() {
    live(&[("example", "worked")], |live| {
        close(live, "weights", &[0.4092, 0.5908, 0.2228, 0.7772], 5.1e-5);
        let rows = [
            0.3545, 0.4545, 0.5545, 0.6545, 0.7545, 0.8545, 0.4663, 0.5663, 0.6663, 0.7663, 0.8663,
            0.9663,
        ];
        close(live, "context", &rows, 5.1e-5);
    });
}

#[test]
fn rows_sum_to_one_and_padding_gets_exactly_nothing() {
    live(&[], |live| {
        let run = live.run;
        let (weights, mask) = (
            run.trace.tensor("weights").unwrap(),
            run.trace.tensor("mask").unwrap(),
        );
        for row in weights.data().chunks(11) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        }
        let mut blocked = 0;
        for index in weights.indices() {
            if mask.at(&[index[0], 0, 0, index[3]]) == 0.0 {
                assert_eq!(weights.at(&index).to_bits(), 0.0_f32.to_bits());
                blocked += 1;
            }
        }
        assert!(blocked > 1000, "{blocked}");
    });
}

#[test]
fn dot_products_spread_like_the_root_of_their_width() {
    live(&[], |live| {
        for (d_k, expected) in [(4, 2.0), (16, 4.0), (64, 8.0), (512, 22.6)] {
            close(live, &format!("spread_{d_k} / {expected}"), &[1.0], 0.05);
            close(live, &format!("tamed_{d_k}"), &[1.0], 0.05);
        }
        close(live, "entropy_hard", &[0.37], 0.04);
        close(live, "entropy_soft", &[1.93], 0.03);
        close(live, "slope_hard", &[0.020], 0.003);
        close(live, "slope_soft", &[0.081], 0.002);
    });
}

#[test]
fn the_softmax_saturates_as_published() {
    for (factor, expected, slope) in [
        (1.0, [0.21384, 0.23633, 0.26118, 0.28865], 0.2053),
        (8.0, [0.05208, 0.1159, 0.25795, 0.57407], 0.2445),
        (22.6, [0.00102, 0.00975, 0.09347, 0.89576], 0.0934),
        (64.0, [0.0, 0.0, 0.00166, 0.99834], 0.00166),
    ] {
        let (y, largest) = experiments::saturated(factor);
        for (y, e) in y.iter().zip(expected) {
            assert!((f64::from(*y) - e).abs() < 6e-6, "{factor}: {y} {e}");
        }
        assert!(
            (f64::from(largest) - slope).abs() < 6e-5,
            "{factor}: {largest}"
        );
    }
}

#[test]
fn one_bilinear_form_gives_the_scores_of_two_projections() {
    let (difference, largest) = *experiments::BILINEAR;
    assert!(difference < 1e-4 * largest, "{difference} {largest}");
}

#[test]
fn seven_heads_are_refused_with_the_reason() {
    let mut settings = Settings::defaults(&KNOBS);
    settings.set(&KNOBS, "heads", "7").unwrap();
    let sentence = AttentionStage.run(&settings).err().unwrap();
    assert!(
        sentence.starts_with("Hidden size (512) must be divisible by the number of heads (7)"),
        "{sentence}"
    );
}
