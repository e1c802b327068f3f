//! Tests of the numbers in the lesson's text over several seeds, so that what it says of one is no accident.

use super::*;
use crate::autograd::Tape;
use crate::lesson::race::lane::{assert_curves, write_curves};
use crate::tensor::random;

const SEEDS: std::ops::Range<u64> = 0..10;

#[test]
fn without_residuals_and_norms_the_gradient_vanishes_and_with_them_it_does_not() {
    for seed in SEEDS {
        let share = |wiring| {
            let gradient = &measured(wiring, 24, seed).gradient;
            gradient[0] / gradient[24]
        };
        assert!(share(Wiring::Plain) < 1e-6, "{}", share(Wiring::Plain));
        assert!(share(Wiring::Pre) > 1.0, "{}", share(Wiring::Pre));
        // This depends on the seed, but nothing vanishes and nothing explodes.
        let post = share(Wiring::Post);
        assert!((0.05..5.0).contains(&post), "{post}");
    }
}

#[test]
fn a_residual_without_a_norm_explodes_and_pre_norm_grows_slowly() {
    for seed in SEEDS {
        let top = |wiring, depth| measured(wiring, depth, seed).stream[depth];
        assert!(top(Wiring::Sum, 24) > 1e3);
        let [six, all] = [6, 24].map(|depth| top(Wiring::Pre, depth));
        assert!(six > 1.5 && all > six && all < 3.0 * six, "{six} {all}");
        for depth in pictures::DEPTHS {
            assert!((top(Wiring::Post, depth) - 1.0).abs() < 0.05);
        }
    }
}

#[test]
fn the_norm_on_top_keeps_the_logits_at_size_one() {
    for seed in SEEDS {
        let of = |depth| measured(Wiring::Pre, depth, seed);
        for depth in pictures::DEPTHS {
            assert!((of(depth).logits - 1.0).abs() < 0.3);
        }
        assert!(of(24).bare_logits > 2.0 * of(2).bare_logits);
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

#[test]
fn the_last_layer_of_a_deep_stack_is_asked_for_less_in_pre_norm_alone() {
    for seed in SEEDS {
        let last = |wiring, depth: usize| measured(wiring, depth, seed).weight_gradient[depth - 1];
        assert!(last(Wiring::Pre, 24) < 0.5 * last(Wiring::Pre, 2));
        assert!(last(Wiring::Post, 24) > 0.7 * last(Wiring::Post, 2));
    }
}

#[test]
fn the_rank_holds_with_pre_norm_and_falls_without_residuals() {
    for seed in SEEDS.take(4) {
        let after = |wiring, n: usize| rank::ranks(wiring, seed)[n - 1];
        assert!(after(Wiring::Pre, 24) > 50);
        assert!(after(Wiring::Norm, 6) < 10 && after(Wiring::Plain, 6) < 12);
        assert!(after(Wiring::Post, 6) > 40 && after(Wiring::Post, 24) < 16);
    }
}

#[test]
fn the_position_is_gone_after_two_layers_without_residuals() {
    for seed in SEEDS.take(4) {
        let chance = 1.0 / probe::LENGTH as f64;
        let read = |wiring| probe::read(wiring, seed);
        assert!(read(Wiring::Plain)[2] < 1.3 * chance);
        assert!(read(Wiring::Pre)[6] > 3.0 * chance);
        assert!(read(Wiring::Pre)[6] > read(Wiring::Post)[6]);
    }
}

#[test]
fn six_layers_learn_with_residuals_and_not_without() {
    let rules = race::Rules {
        depth: 6,
        rate: 1e-3,
        seed: 3,
    };
    let finish = |wiring| race::Lane { rules, wiring }.finish();
    assert!(finish(Wiring::Pre).most < 0.05 && finish(Wiring::Post).most < 0.05);
    assert!(finish(Wiring::Plain).least > 2.0 && finish(Wiring::Norm).least > 2.0);
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

#[test]
fn every_mask_of_a_training_run_drops_its_share() {
    let places = drops::places(0.3, 2);
    assert_eq!(places.len(), 5);
    for (name, _, share) in places {
        assert!((share - 0.3).abs() < 0.06, "{name} {share}");
    }
}

#[test]
fn the_mean_of_a_thousand_runs_of_one_sublayer_is_the_evaluation() {
    let off = |n| drops::distance(drops::What::Sublayer, 0.1, 7, n).unwrap();
    // A hundred times as many runs bring the mean about ten times closer.
    let ratio = off(10) / off(1000);
    assert!((6.0..16.0).contains(&ratio), "{ratio}");
    assert!(off(1000) < 0.01);
}

#[test]
fn the_mean_of_a_stack_stays_off_because_norms_are_not_straight() {
    let off = |n| drops::distance(drops::What::Stack, 0.1, 7, n).unwrap();
    assert!(off(1000) > 0.05, "{}", off(1000));
    assert!(off(1000) < off(1) / 2.0);
}
