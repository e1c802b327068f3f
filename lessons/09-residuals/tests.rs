//! Tests of the numbers in the lesson's text over several seeds, so that what it says of one is no accident.

use super::*;
use crate::autograd::Tape;
use crate::lesson::race::lane::{assert_curves, write_curves};
use crate::tensor::random;

const SEEDS: std::ops::Range<u64> = 0..10;

#[test]
fn pre_norm_grows_slowly() {
    for seed in SEEDS {
        let [six, all] = [6, 24].map(|n| measured(Wiring::Pre, n, seed).stream[n]);
        assert!(six > 1.5 && all > six && all < 3.0 * six, "{six} {all}");
    }
}

/// Mean over `draws` of the largest probability among `vocabulary` normally distributed logits of this RMS.
fn largest_probability(rms: f64, vocabulary: usize, draws: usize) -> f64 {
    let logits = random::normal(&[draws, vocabulary], rms as f32, 7, "logits");
    let tape = Tape::eval(&Params::default());
    let probabilities = tape.input("logits", logits, &["t", "v"]).softmax().value();
    let rows = probabilities.data().chunks(vocabulary);
    let largest = rows.map(|row| row.iter().copied().fold(0.0, f32::max));
    f64::from(largest.sum::<f32>()) / draws as f64
}

#[test]
fn without_the_last_layer_norm_an_untrained_model_is_sure_and_with_it_it_is_not() {
    let deep = measured(Wiring::Pre, 24, 7);
    let [small, large] = [(12, 4000), (30_000, 300)]
        .map(|(vocabulary, draws)| largest_probability(deep.bare_logits, vocabulary, draws));
    assert!((small - 0.80).abs() < 0.02, "{small}");
    assert!((large - 0.46).abs() < 0.04, "{large}");
    assert!(largest_probability(deep.logits, 12, 4000) < 0.35);
}

/// Depths of the races quoted in the text.
const DEPTHS: [usize; 2] = [6, 12];

fn lanes() -> Vec<race::Lane> {
    let lanes = DEPTHS.into_iter().flat_map(|depth| {
        race::lanes(race::Rules {
            depth,
            rate: 1e-3,
            seed: 7,
        })
    });
    lanes.collect()
}

#[test]
fn the_curves_that_come_with_the_program_are_of_these_stacks() {
    assert_curves(&lanes());
}

#[test]
fn the_losses_that_the_exercise_shows_are_the_means_of_these_curves() {
    for (stack, wiring) in [("A", Wiring::Post), ("B", Wiring::Pre)] {
        let is = |lane: &race::Lane| lane.rules.depth == 12 && lane.wiring == wiring;
        let lane = lanes().into_iter().find(is).expect("it is raced");
        let seeds = (lane.seed()..).take(5);
        let seeds = seeds.map(|seed| race::Lane::curves().losses(&lane.words(), seed));
        let seeds: Vec<_> = seeds.map(|losses| losses.expect("it is kept")).collect();
        let mean = |step: usize| seeds.iter().map(|losses| losses[step - 1]).sum::<f64>() / 5.0;
        let row = [10, 50, 100, 150, 200].map(|step| format!("{:.2}", mean(step)));
        let row = format!("/// stack {stack}    {}\n", row.join("   "));
        assert!(include_str!("exercise.rs").contains(&row), "{row}");
    }
}

#[test]
#[ignore = "makes lessons/09-residuals/curves.toml anew"]
fn the_curves_are_made() {
    write_curves("lessons/09-residuals/curves.toml", &lanes());
}
