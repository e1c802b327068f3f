//! Tests of the numbers in the lesson's text.

use super::*;
use crate::lesson::measure::largest_difference;
use crate::train::loss::smoothed_targets;

#[test]
fn a_padding_target_adds_nothing_to_the_loss() {
    let row = [-2.0, -1.0, -0.5, -3.0, -1.5];
    let of = |ids: Vec<f32>| {
        let log_probs = Tensor::from_fn(&[ids.len(), 5], |i| row[i[1]]);
        let ids = Tensor::new(&[ids.len()], ids);
        experiments::cost(&log_probs, &ids, 0.1, Spread::Others).loss
    };
    assert_eq!(of(vec![2.0, 0.0]), of(vec![2.0]));
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
