//! Tests of the numbers in the lesson's text.

use std::collections::BTreeSet;

use super::*;
use crate::autograd::Tape;
use crate::lesson::race::lane::{Lane, assert_curves, write_curves};
use crate::lesson::race::seeds::{SEEDS, Spread};
use crate::nn::attention::attention;
use crate::params::Params;
use crate::tensor::Tensor;

fn run(turned: &[(&str, &str)]) -> Run {
    let settings = LESSON.settings(turned).unwrap();
    MultiHeadStage.run(&settings).unwrap()
}

#[track_caller]
fn near(run: &Run, tensor: &str, expected: &[f32]) {
    let actual = run.trace.tensor(tensor).unwrap();
    assert_eq!(actual.len(), expected.len());
    for (x, e) in actual.data().iter().zip(expected) {
        assert!((x - e).abs() < 5e-5, "{tensor}: {x} {e}");
    }
}

#[test]
fn every_cell_tells_where_it_came_from() {
    let right = run(&[("example", "origin")]);
    let heads = [0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11].map(|n| n as f32);
    near(&right, "query_heads", &heads);
    let wrong = run(&[("example", "origin"), ("break", "view-only")]);
    let in_order: [f32; 12] = std::array::from_fn(|n| n as f32);
    near(&wrong, "query_heads", &in_order);
    // Explaining cell [0, 0, 1, 0] must lead to token 1 in the correct run, and to token 0 in the wrong one.
    let origin = |run: &Run| {
        let mut step = run.trace.find("query_heads").unwrap();
        let mut index = vec![0, 0, 1, 0];
        while let Some(term) = run.trace.explain(step, &index).terms.first() {
            (step, index) = (term.step.unwrap(), term.index.clone());
        }
        index
    };
    assert_eq!(origin(&right), [0, 1, 0]);
    assert_eq!(origin(&wrong), [0, 0, 2]);
}

#[test]
fn a_head_that_is_switched_off_moves_everything_only_through_the_output_map() {
    let sound = run(&[]);
    let off = run(&[("off", "2")]);
    let apart = |name: &str, from: usize, to: usize| {
        let [a, b] = [&sound, &off].map(|run| run.trace.tensor(name).unwrap());
        let rows = a.data().chunks(512).zip(b.data().chunks(512));
        rows.flat_map(|(a, b)| (from..to).map(|c| (a[c] - b[c]).abs()).collect::<Vec<_>>())
            .fold(0.0_f32, f32::max)
    };
    assert_eq!(apart("combined", 0, 128), 0.0);
    assert!(apart("combined", 128, 192) > 0.01);
    assert_eq!(apart("combined", 192, 512), 0.0);
    for block in 0..8 {
        let moved = apart("attended", block * 64, block * 64 + 64);
        assert!(moved > 0.01, "{block}");
    }
}

#[test]
fn the_curves_that_come_with_the_program_are_of_these_models() {
    assert_curves(&race::LANES);
}

#[test]
#[ignore = "makes lessons/05-multi-head/curves.toml anew"]
fn the_curves_are_made() {
    write_curves("lessons/05-multi-head/curves.toml", &race::LANES);
}

/// Number of different results of one head over all 16 combinations of four bits, which it weighs like this.
fn results(weights: [f32; 4]) -> usize {
    let tape = Tape::eval(&Params::default());
    let query = Tensor::full(&[16, 1, 1, 1], 1.0);
    let query = tape.input("query", query, &["b", "h", "t", "k"]);
    let scores = Tensor::from_fn(&[16, 1, 4, 1], |i| weights[i[2]].ln());
    let key = tape.input("key", scores, &["b", "h", "s", "k"]);
    let bits = Tensor::from_fn(&[16, 1, 4, 1], |i| ((i[0] >> i[2]) & 1) as f32);
    let value = tape.input("value", bits, &["b", "h", "s", "k"]);
    let context = attention(&query, &key, &value, None, 0.0).context.value();
    let results = context.data().iter().map(|x| (x * 1e4).round() as i32);
    results.collect::<BTreeSet<_>>().len()
}

#[test]
fn equal_weights_tell_five_counts_apart_and_8_4_2_1_all_sixteen_combinations() {
    assert_eq!(results([1.0; 4]), 5);
    assert_eq!(results([8.0, 4.0, 2.0, 1.0]), 16);
    // One guess per count is right for one combination each, which is more than the models with one head reach.
    let [one, eight] = race::LANES.map(Lane::finish);
    assert!(one.most < 5.0 / 16.0 && eight.least > 5.0 / 16.0);
}

#[test]
fn the_curve_of_one_head_is_still_rising_at_the_last_step() {
    let lane = race::LANES[0];
    let seeds = (0..SEEDS as u64).map(|n| lane.seeded(lane.seed() + n).losses());
    let seeds: Vec<Vec<f64>> = seeds.collect();
    let mean = |steps: std::ops::Range<usize>| {
        let right = seeds.iter().flat_map(|right| &right[steps.clone()]);
        Spread::of(&right.copied().collect::<Vec<_>>()).mean
    };
    let [before, end] = [mean(180..240), mean(240..300)];
    // A standard error of these means is below 0.003.
    assert!(end > before + 0.01, "{before} {end}");
}
