//! Tests of the numbers in the lesson's text.

use super::*;
use crate::lesson::measure::largest_difference;
use crate::nn::linear::Bias;
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::tensor::matmul::matmul_t;
use crate::tensor::random;

/// Attention weights of the tokens of `x [length, 16]` among themselves, in two heads of 8 channels with these maps.
fn weights(x: &Tensor, query: &Tensor, key: &Tensor) -> Tensor {
    let mut params = Params::new(1);
    let maps = MultiHeadAttention::new(&mut params, 2, 16, Bias::None, 0.0);
    params.set(maps.query.weight, query.clone());
    params.set(maps.key.weight, key.clone());
    let tape = Tape::eval(&params);
    let x = tape.input("x", x.reshape(&[1, 6, 16]), &["b", "s", "d"]);
    maps.forward(&x, &x, &x, None).weights.value()
}

/// `map [out, in]` with every pair of its channels turned by the same angle, which keeps dot products within a head.
fn turned(map: &Tensor) -> Tensor {
    let (sin, cos) = 1.0_f32.sin_cos();
    Tensor::from_fn(map.shape(), |i| {
        let (even, odd) = (i[0] / 2 * 2, i[0] / 2 * 2 + 1);
        let (a, b) = (map.at(&[even, i[1]]), map.at(&[odd, i[1]]));
        if i[0] == even {
            cos * a - sin * b
        } else {
            sin * a + cos * b
        }
    })
}

#[test]
fn turning_queries_and_keys_together_changes_both_maps_and_no_weight() {
    let draw = |name| random::normal(&[16, 16], 0.4, 3, name);
    let (query, key) = (draw("query"), draw("key"));
    let x = random::normal(&[6, 16], 1.0, 3, "x");
    let before = weights(&x, &query, &key);
    let both = weights(&x, &turned(&query), &turned(&key));
    assert!(largest_difference(&before, &both) < 1e-5);
    assert!(largest_difference(&query, &turned(&query)) > 0.3);
    assert!(largest_difference(&key, &turned(&key)) > 0.3);
    let one = weights(&x, &turned(&query), &key);
    assert!(largest_difference(&before, &one) > 0.1);
}

#[test]
fn the_products_of_query_and_key_maps_differ_between_layers_0_and_1_of_the_trained_model() {
    let sentence = LESSON.settings(&[("scene", "sentence")]).unwrap();
    let trained = LESSON.stage().run(&sentence).unwrap().trace;
    // W_Q W_Kᵀ of a head, [256, 256]; the maps are stored as [out, in].
    let product = |layer: usize, head: usize| {
        let [query, key] = ["query", "key"].map(|map| {
            let name = format!("encoder.layers.{layer}.self_attn.{map}.weight");
            let map = trained.tensor(&name).unwrap();
            Tensor::from_fn(&[256, 64], |i| map.at(&[head * 64 + i[1], i[0]]))
        });
        matmul_t(&query, &key)
    };
    let cosine = |a: &Tensor, b: &Tensor| {
        let pairs = a.data().iter().zip(b.data());
        let dot: f64 = pairs.map(|(a, b)| f64::from(a * b)).sum();
        dot / a.len() as f64 / a.rms() / b.rms()
    };
    let [first, second] = [0, 1].map(|layer| [0, 1, 2, 3].map(|head| product(layer, head)));
    let pairs = first
        .iter()
        .flat_map(|a| second.iter().map(|b| cosine(a, b).abs()));
    let most = pairs.fold(0.0, f64::max);
    assert_eq!(format!("{most:.2}"), "0.23", "as the text says");
    for a in &first {
        // Heads of one layer resemble one another more.
        assert!(first.iter().any(|b| (0.2..0.9).contains(&cosine(a, b))));
    }
}
