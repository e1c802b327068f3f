//! Tests of the numbers in the lesson's text.

use super::experiments::{HARDNESS, saturated};
use super::*;
use crate::lesson::claim::RunEnv;

fn live(turned: &[(&str, &str)], check: impl Fn(&RunEnv<'_>)) {
    let settings = LESSON.settings(turned).unwrap();
    check(&RunEnv {
        stage: &AttentionStage,
        run: &AttentionStage.run(&settings).unwrap(),
        settings: &settings,
    });
}

#[track_caller]
fn close(live: &RunEnv<'_>, expression: &str, expected: &[f64], tolerance: f64) {
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
fn every_fact_with_a_name_of_its_own_is_a_number_where_it_is_shown() {
    let of_the_form = |name: &str| name.starts_with("form_");
    let finite = |live: &RunEnv<'_>, facts: &[&(&str, Fact)]| {
        for (name, fact) in facts {
            assert!(fact(live.run).is_some_and(f64::is_finite), "{name}");
        }
    };
    let (form, others): (Vec<_>, Vec<_>) = FACTS.iter().partition(|(name, _)| of_the_form(name));
    live(&[], |live| finite(live, &others));
    live(&[("example", "projected")], |live| finite(live, &form));
}

#[test]
fn rows_sum_to_one_and_what_is_blocked_gets_exactly_nothing() {
    for example in ["standard", "self", "projected"] {
        live(&[("example", example)], |live| {
            let tensor = |name| live.run.trace.tensor(name).unwrap();
            let (weights, mask) = (tensor("weights"), tensor("mask"));
            for row in weights.data().chunks(weights.last()) {
                assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            }
            let mut blocked = 0;
            for index in weights.indices() {
                let row = index[2] % mask.shape()[2];
                if mask.at(&[index[0], 0, row, index[3]]) == 0.0 {
                    assert_eq!(weights.at(&index).to_bits(), 0.0_f32.to_bits());
                    blocked += 1;
                }
            }
            assert!(blocked > 10, "{example}: {blocked}");
        });
    }
}

#[test]
fn d_k_and_d_v_are_free() {
    live(&[("d_k", "3"), ("d_v", "5")], |live| {
        close(live, "shape(query)", &[30.0, 8.0, 10.0, 3.0], 0.0);
        close(live, "shape(scores)", &[30.0, 8.0, 10.0, 11.0], 0.0);
        close(live, "shape(context)", &[30.0, 8.0, 10.0, 5.0], 0.0);
        // Tokens that share positions, and projections with few columns, give a value near 1, but less close than
        // independent draws would.
        close(live, "std(scaled)", &[1.0], 0.2);
    });
}

#[test]
fn the_division_keeps_the_softmax_soft() {
    // A published small sample gave .37, 1.93, .020 and .081; these come from 65,536 rows.
    let [plain, divided, by_model] = *HARDNESS;
    let near = |x: f64, expected: f64, tolerance: f64| {
        assert!((x - expected).abs() < tolerance, "{x} is not {expected}");
    };
    near(plain.entropy, 0.35, 0.02);
    near(divided.entropy, 1.93, 0.02);
    near(plain.slope, 0.020, 0.002);
    near(divided.slope, 0.081, 0.001);
    assert!(by_model.entropy > 2.2 && by_model.entropy < 10_f64.ln());
}

#[test]
fn the_softmax_saturates_as_published() {
    for (factor, expected, slope) in [
        (1.0, [0.21384, 0.23633, 0.26118, 0.28865], 0.2053),
        (8.0, [0.05208, 0.1159, 0.25795, 0.57407], 0.2445),
        (22.6, [0.00102, 0.00975, 0.09347, 0.89576], 0.0934),
        (64.0, [0.0, 0.0, 0.00166, 0.99834], 0.00166),
    ] {
        let (y, largest) = saturated(factor);
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
    for d_k in ["0", "3"] {
        live(&[("example", "projected"), ("d_k", d_k)], |live| {
            for same in [
                "form_difference < 0.00001 * form_largest",
                "max(abs(scores - scores_by_form)) < 0.001",
            ] {
                close(live, same, &[1.0], 0.0);
            }
        });
    }
}

#[test]
fn the_meter_is_tight_in_every_sound_run_that_blocks_anything() {
    for words in [
        &[][..],
        &[("example", "self")],
        &[("query_std", "100")],
        &[("dropout", "0.5")],
    ] {
        live(words, |live| assert_eq!(live.run.leak, Some(0.0)));
    }
    live(&[("example", "self"), ("break", "no-mask")], |live| {
        assert!(live.run.leak.unwrap() > 0.01);
    });
}

#[test]
fn half_of_the_weights_are_dropped_and_the_rest_doubled() {
    live(&[("dropout", "0.5")], |live| {
        close(live, "dropped_share", &[0.5], 0.02);
        let tensor = |name| live.run.trace.tensor(name).unwrap().clone();
        let (weights, mixed) = (tensor("weights"), tensor("dropout"));
        for (w, m) in weights.data().iter().zip(mixed.data()) {
            assert!(*m == 0.0 || (m - 2.0 * w).abs() < 1e-6, "{w} {m}");
        }
    });
}

#[test]
fn keys_that_are_not_transposed_run_where_the_sizes_happen_to_fit() {
    let words = [("break", "not-transposed"), ("d_k", "11"), ("d_v", "64")];
    live(&words, |live| {
        close(live, "shape(scores)", &[30.0, 8.0, 10.0, 11.0], 0.0);
        assert_eq!(live.run.leak, None);
    });
}

#[test]
fn seven_heads_are_refused_with_the_reason() {
    let settings = LESSON.settings(&[("heads", "7")]).unwrap();
    let sentence = AttentionStage.run(&settings).err().unwrap();
    assert!(
        sentence.starts_with("d_model (512) must be divisible by the number of heads (7)"),
        "{sentence}"
    );
}

#[test]
fn half_rounds_as_f16_does() {
    let f16 = |bits: u16| match (bits >> 10, bits & 0x3FF) {
        (0, fraction) => f32::from(fraction) * 2.0_f32.powi(-24),
        (exponent, fraction) => f32::from(1024 + fraction) * 2.0_f32.powi(i32::from(exponent) - 25),
    };
    // A number of f16 stays; half-way to the next one, the one with an even last bit is taken.
    for bits in 0..0x7BFF {
        let [x, next] = [bits, bits + 1].map(f16);
        assert_eq!(half::half(x), x);
        let even = if bits.is_multiple_of(2) { x } else { next };
        assert_eq!(half::half((x + next) / 2.0), even, "{x} {next}");
        assert_eq!(half::half(-x), -x);
    }
    assert_eq!(half::half(65_519.0), 65_504.0);
    assert_eq!(half::half(65_520.0), f32::INFINITY);
}

#[test]
fn in_f16_a_score_overflows_unless_the_query_is_divided_first_and_a_softmax_overflows_too() {
    assert_eq!(half::divided_after(half::full), 12_800.0);
    assert_eq!(half::divided_before(half::full), 12_800.0);
    assert_eq!(half::divided_after(half::half), f32::INFINITY);
    assert_eq!(half::divided_before(half::half), 12_800.0);
    let exponential = half::exponential(half::half);
    assert!((exponential / exponential).is_nan());
    assert_eq!(half::sum(half::full), 4096.0);
    assert_eq!(half::sum(half::half), 2048.0);
}
