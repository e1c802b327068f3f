//! Tests of the numbers in the lesson's text.

use super::*;

#[test]
fn four_numbers_in_both_forms() {
    for (deviation, expected) in [
        (Deviation::Unbiased, [1.5, -0.5, -0.5, -0.5]),
        (Deviation::Population, [1.732, -0.577, -0.577, -0.577]),
    ] {
        let normal = four(deviation);
        for (x, e) in normal.data().iter().zip(expected) {
            assert!((x - e).abs() < 1e-3, "{normal:?}");
        }
    }
}

#[test]
fn the_forms_differ_by_the_root_of_n_over_n_minus_one() {
    for d in [8, 64, 512] {
        let expected = (d as f64 / (d as f64 - 1.0)).sqrt();
        assert!((ratio(d) - expected).abs() < 1e-5, "{d}");
    }
}

#[test]
fn only_batch_normalisation_lets_one_sentence_move_another() {
    let [layer, batch] = experiments::edited(5.0, 7);
    // Layer normalisation removes the scaling, so that even the edited sentence stays the same except for ε.
    assert!(layer.iter().all(|m| *m < 1e-4), "{layer:?}");
    assert!(batch.iter().all(|m| *m > 0.05), "{batch:?}");
    assert_eq!(experiments::padded(7)[0], 0.0);
    assert!(experiments::padded(7)[1] > 0.01);
    assert_eq!(experiments::alone(7)[0], 0.0);
    assert!(experiments::alone(7)[1] > 0.01);
}

#[test]
fn a_shift_and_a_positive_factor_of_all_channels_are_erased_and_other_changes_are_not() {
    for seed in 0..10 {
        let [shift, factor, others @ ..] = experiments::CHANGES
            .each_ref()
            .map(|c| experiments::moved_by(c, seed));
        assert!(shift < 1e-5 && factor < 1e-5, "{shift} {factor}");
        assert!(others.iter().all(|by| *by > 0.01), "{others:?}");
    }
}
