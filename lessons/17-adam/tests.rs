//! Tests of the numbers in the lesson's text.

use super::*;
use crate::lesson::race::lane::{assert_curves, write_curves};

fn same(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-6
}

#[test]
fn the_lanes_agree_after_the_warm_up_and_differ_before() {
    let at = |lane: Schedule, step| lane.rate(step, 0.01);
    assert!(same(at(Schedule::Noam, race::WARMUP), 0.01));
    assert!(at(Schedule::Noam, 1) < 0.000_2);
    assert!(same(at(Schedule::NoWarmup, 1), 0.01));
    for step in [race::WARMUP, 100, 240] {
        assert!(same(at(Schedule::Noam, step), at(Schedule::NoWarmup, step)));
    }
}

/// The races quoted in the text: place of the LayerNorms, and highest rate.
const RACES: [(NormPlace, f64); 3] = [
    (NormPlace::Pre, 0.01),
    (NormPlace::Pre, 0.003),
    (NormPlace::Post, 0.01),
];

/// The four lanes of one of [`RACES`].
fn race((place, highest): (NormPlace, f64)) -> [race::Lane; 4] {
    let rules = training::Rules {
        layers: 2,
        place,
        beta2: 0.98,
        corrected: true,
        seed: 7,
    };
    race::lanes(rules, highest)
}

fn lanes() -> Vec<race::Lane> {
    RACES.into_iter().flat_map(race).collect()
}

#[test]
fn post_norm_ends_higher_under_every_schedule_and_the_warm_up_helps_in_both_places() {
    let means = |n: usize| race(RACES[n]).map(|lane| lane.finish().mean);
    let (pre, post) = (means(0), means(2));
    assert!(
        pre.iter().zip(&post).all(|(a, b)| a < b),
        "{pre:?} {post:?}"
    );
    for [noam, _, cold, _] in [pre, post] {
        assert!(noam < 0.8 * cold, "{noam} {cold}");
    }
    let [noam, constant, cold, tenth] = means(1);
    assert!(constant < cold && cold < noam && noam < tenth);
}

#[test]
fn the_curves_that_come_with_the_program_are_of_these_models() {
    assert_curves(&lanes());
}

#[test]
#[ignore = "makes lessons/17-adam/curves.toml anew"]
fn the_curves_are_made() {
    write_curves("lessons/17-adam/curves.toml", &lanes());
}
