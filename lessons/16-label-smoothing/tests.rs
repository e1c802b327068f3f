//! Tests of the numbers in the lesson's text.

use super::*;
use crate::lesson::measure::largest_difference;
use crate::train::loss::smoothed_targets;

fn run(turned: &[(&str, &str)]) -> Run {
    SmoothingStage
        .run(&LESSON.settings(turned).unwrap())
        .unwrap()
}

#[test]
fn the_loss_is_lowest_at_27_times_as_likely_and_rises_when_surer() {
    for (x, expected) in [
        (1.0, 0.951_350),
        (2.0, 0.550_661),
        (5.0, 0.196_003),
        (10.0, 0.057_679),
        (20.0, 0.004_391),
        (27.0, 0.0),
        (50.0, 0.014_527),
        (98.0, 0.053_706),
        (99.0, 0.054_421),
    ] {
        let loss = experiments::confidence(x, 0.1);
        assert!((loss - expected).abs() < 1e-6, "{x}: {loss}");
    }
    assert_eq!(experiments::lowest(0.1), 27.0);
    // The target ratio is 1 − ε to ε / 3, which x reaches at the minimum.
    assert_eq!(experiments::lowest(0.4), 5.0);
    assert_eq!(experiments::lowest(0.0), 100.0);
}

#[test]
fn the_pull_turns_round_at_the_lowest_point() {
    assert!(experiments::pull(26.0, 0.1) < 0.0 && experiments::pull(28.0, 0.1) > 0.0);
    assert!(experiments::pull(100.0, 0.0) < 0.0);
}

#[test]
fn the_five_words_get_the_published_rows() {
    let ids = Tensor::new(&[5], vec![2.0, 1.0, 0.0, 3.0, 3.0]);
    let other = 0.4 / 3.0;
    let rows = [
        [0.0, other, 0.6, other, other],
        [0.0, 0.6, other, other, other],
        [0.0; 5],
        [0.0, other, other, 0.6, other],
        [0.0, other, other, 0.6, other],
    ];
    let made = smoothed_targets(&ids, 5, 0.4, 0);
    for (got, expected) in made.data().iter().zip(rows.concat()) {
        assert!((got - expected).abs() < 1e-6, "{made:?}");
    }
}

#[test]
fn three_systems_say_three_numbers_and_only_two_floors_are_0() {
    let run = run(&[]);
    let tensor = |name| run.trace.tensor(name).unwrap();
    let costs = FORMS.map(|f| cost(tensor("log_probs"), tensor("tgt_y"), 0.1, f.2));
    let [kl, tensorflow, fairseq] = &costs;
    for (a, b) in [(kl, tensorflow), (kl, fairseq), (tensorflow, fairseq)] {
        assert!((a.loss - b.loss).abs() > 1e-4, "{} {}", a.loss, b.loss);
    }
    assert!(kl.floor.abs() < 1e-5 && tensorflow.floor.abs() < 1e-5);
    assert!(fairseq.floor > 0.5, "{}", fairseq.floor);
}

#[test]
fn other_systems_rows_and_floors_come_out() {
    assert!((experiments::one_row(2.0, Spread::Others) - 0.935_338).abs() < 1e-5);
    assert!((experiments::one_row(4.0, Spread::Others) - 0.672_838).abs() < 1e-5);
    assert_eq!(cost_of_padding(), 0.0);
    assert!((experiments::one_row(2.0, Spread::All) - 1.390_050).abs() < 1e-5);
    assert!((experiments::uniform(33_708) - 9.057_861).abs() < 1e-5);
    assert!((normaliser(10, 0.1) - 0.545).abs() < 5e-4);
}

/// What a padding target adds to the loss: the same row, beside one that counts.
fn cost_of_padding() -> f64 {
    let row = [-2.0, -1.0, -0.5, -3.0, -1.5];
    let of = |ids: Vec<f32>| {
        let log_probs = Tensor::from_fn(&[ids.len(), 5], |i| row[i[1]]);
        let ids = Tensor::new(&[ids.len()], ids);
        cost(&log_probs, &ids, 0.1, Spread::Others).loss
    };
    of(vec![2.0, 0.0]) - of(vec![2.0])
}

#[test]
fn one_impossible_word_makes_the_loss_infinite_and_a_guard_does_not() {
    let loss = |guard| {
        let run = run(&[("example", "five"), ("guard", guard)]);
        run.trace.tensor("loss").unwrap().at(&[])
    };
    assert_eq!(loss("none"), f32::INFINITY);
    assert!(loss("clamp").is_finite());
    assert_eq!(
        pictures::log_softmax_of_far_logits(),
        [f32::NEG_INFINITY, -200.0]
    );
}

#[test]
fn subtracting_the_entropy_changes_the_loss_and_no_gradient() {
    let tape = Tape::eval(&Params::default());
    let logits = Tensor::from_fn(&[3, 5], |i| ((i[0] * 5 + i[1]) as f32).sin());
    let logits = tape.input("logits", logits, &["t", "v"]);
    let ids = Tensor::new(&[3], vec![2.0, 1.0, 3.0]);
    let targets = smoothed_targets(&ids, 5, 0.1, 0);
    let targets = tape.constant("targets", targets, &["t", "v"]);
    let log_probs = logits.log_softmax();
    let divergence = log_probs.kl_divergence(&targets);
    let cross_entropy = log_probs.mul(&targets).sum().scale(-1.0);
    let [a, b] = [&divergence, &cross_entropy].map(|loss| loss.backward());
    let (a, b) = (a.get(&logits).unwrap(), b.get(&logits).unwrap());
    assert!(largest_difference(a, b) < 1e-6);
    let apart = cross_entropy.value().at(&[]) - divergence.value().at(&[]);
    assert!(apart > 0.5, "{apart}");
}
