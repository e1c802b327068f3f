//! Tests of the numbers in the lesson's text.

use super::*;

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
