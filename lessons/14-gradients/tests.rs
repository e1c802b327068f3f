//! Tests of the numbers in the lesson's text.

use super::*;
use crate::nn::attention::attention;
use crate::params::Params;
use crate::tensor::Tensor;

#[test]
fn a_tensor_used_twice_gathers_both_gradients() {
    let tiny = Tiny::new(0.02);
    let run = tiny.run(&Tape::eval(&tiny.params));
    let grads = run.loss.backward();
    let (error, d) = (run.error.value(), grads.get(&run.error).unwrap());
    assert_eq!(d.at(&[0, 0]), 2.0 * error.at(&[0, 0]));
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
