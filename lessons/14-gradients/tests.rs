//! Tests of the numbers in the lesson's text.

use super::*;
use crate::nn::attention::attention;
use crate::params::Params;
use crate::tensor::Tensor;

fn probe(cell: Cell) -> Probe {
    Probe {
        cell,
        room: 0.02,
        seed: 7,
    }
}

#[test]
fn a_step_of_a_millionth_has_lost_its_digits() {
    let query = probe(Cell::Query);
    assert!(query.relative(0.01) < 1e-4, "{}", query.relative(0.01));
    assert!(query.relative(1.0) > 10.0 * query.relative(0.01));
    assert!(query.relative(1e-6) > 10.0 * query.relative(0.01));
}

#[test]
fn a_tensor_used_twice_gathers_both_gradients() {
    let tiny = Tiny::new(0.02);
    let run = tiny.run(&Tape::eval(&tiny.params));
    let grads = run.loss.backward();
    let (error, d) = (run.error.value(), grads.get(&run.error).unwrap());
    assert_eq!(d.at(&[0, 0]), 2.0 * error.at(&[0, 0]));
}

#[test]
fn by_hand_and_by_tape_agree_in_both_networks() {
    for network in ["tiny", "attention"] {
        let settings = LESSON.settings(&[("network", network)]).unwrap();
        let (_, apart) = record(&settings.knobs(), &settings);
        assert!(apart < 1e-6, "{network}");
    }
}

#[test]
fn the_gradient_of_the_key_bias_is_zero_but_for_rounding() {
    for seed in 0..5 {
        let (key, query) = (largest(seed, "key.bias"), largest(seed, "query.bias"));
        assert!(key.unwrap() < 1e-6, "{key:?}");
        assert!(query.unwrap() > 1e-3, "{query:?}");
        assert!(weights_moved(seed, 10.0) < 1e-5);
    }
}

#[test]
fn where_no_number_is_rounded_the_gradient_of_the_key_bias_is_exactly_zero() {
    // Four equal keys give weights of ¼, and everything else is a small multiple of a power of two.
    let mut params = Params::new(0);
    let bias = params.insert("bias", Tensor::zeros(&[4]), &["k"]);
    let tape = Tape::eval(&params);
    let eighths = |shape: &[usize], n: usize| {
        let mut at = n;
        Tensor::from_fn(shape, |_| {
            at = (at * 5 + 3) % 16;
            at as f32 / 8.0 - 1.0
        })
    };
    let query = tape.input("query", eighths(&[1, 3, 4], 1), &["b", "t", "k"]);
    let value = tape.input("value", eighths(&[1, 4, 4], 2), &["b", "s", "k"]);
    let key = tape.constant("key", Tensor::zeros(&[1, 4, 4]), &["b", "s", "k"]);
    let key = key.add(&tape.param(bias));
    let context = attention(&query, &key, &value, None, 0.0).context;
    let grads = context.backward_from(&eighths(&[1, 3, 4], 3));
    assert!(grads.get(&key).unwrap().data().iter().any(|d| *d != 0.0));
    assert_eq!(grads.param(bias).unwrap(), &Tensor::zeros(&[4]));
}
