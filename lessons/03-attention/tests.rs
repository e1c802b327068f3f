//! Tests of the numbers in the lesson's text.

use super::*;
use crate::lesson::claim::RunEnv;
use crate::testing::assert_starts_with;

fn live(turned: &[(&str, &str)], check: impl Fn(&RunEnv<'_>)) {
    let settings = LESSON.settings(turned).unwrap();
    check(&RunEnv {
        stage: &AttentionStage,
        run: &AttentionStage.run(&settings).unwrap(),
        settings: &settings,
    });
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
fn keys_that_are_not_transposed_have_no_leak_indicator() {
    let words = [("break", "not-transposed"), ("d_k", "11"), ("d_v", "64")];
    live(&words, |live| assert_eq!(live.run.leak, None));
}

#[test]
fn seven_heads_are_refused_with_the_reason() {
    let settings = LESSON.settings(&[("heads", "7")]).unwrap();
    let sentence = AttentionStage.run(&settings).err().unwrap();
    assert_starts_with(
        &sentence,
        "d_model (512) must be divisible by the number of heads (7)",
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
