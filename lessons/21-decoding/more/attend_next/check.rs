//! The challenge: attention with a cache, and sentences that distinguish it from its mistakes.

use transformer_tutor::tensor::{Tensor, random};

mod given;
mod reference;
#[path = "exercise.rs"]
mod starter;

pub use given::Cache;

/// The signature of the function to write.
pub type NextFn = fn(&mut Cache, &[f32], &[f32], &[f32]) -> Vec<f32>;

transformer_tutor::task! { attend_next: NextFn = reference::attend_next;
    |next| TASK.compared_in_parts(next, &CASES, 1e-5, run)
}

/// Tokens, d_k, d_v, and the size of queries and keys. If the size is negative, each key is the negative of its query.
type Case = (usize, usize, usize, f32);

/// The cases to try.
const CASES: [(&str, Case); 7] = [
    ("one token", (1, 4, 3, 1.0)),
    ("five tokens", (5, 4, 3, 1.0)),
    ("as many channels in keys as in values", (4, 6, 6, 1.0)),
    ("channels of one number", (3, 1, 1, 1.5)),
    ("200 tokens", (200, 4, 2, 1.0)),
    ("scores of several hundreds", (4, 16, 2, 12.0)),
    // The first token has a single score whose exponential is 0. Sums of two products do not depend on their order.
    ("a score far below 0", (8, 2, 2, -500.0)),
];

/// Queries, keys and values of a sentence, one row per token.
fn rows(tokens: usize, d_k: usize, d_v: usize, size: f32) -> [Tensor; 3] {
    let drawn = |d: usize, size: f32, name: &str| random::normal(&[tokens, d], size, 31, name);
    let query = drawn(d_k, size.abs(), "query");
    let key = if size < 0.0 {
        query.map(|x| -x)
    } else {
        drawn(d_k, size, "key")
    };
    [query, key, drawn(d_v, 1.0, "value")]
}

/// Contexts of all tokens, one after the other, and the final contents of the cache.
fn run(&(tokens, d_k, d_v, size): &Case, next: NextFn) -> [(&'static str, Tensor); 3] {
    let [query, key, value] = rows(tokens, d_k, d_v, size);
    let mut cache = Cache::default();
    let steps = query
        .data()
        .chunks(d_k)
        .zip(key.data().chunks(d_k))
        .zip(value.data().chunks(d_v));
    let contexts: Vec<f32> = steps
        .flat_map(|((query, key), value)| next(&mut cache, query, key, value))
        .collect();
    let row = |cells: Vec<f32>| Tensor::new(&[cells.len()], cells);
    [
        (", the contexts of all tokens in turn", row(contexts)),
        (", the keys in the cache", row(cache.keys.concat())),
        (", the values in the cache", row(cache.values.concat())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::autograd::Tape;
    use transformer_tutor::nn::attention::attention;
    use transformer_tutor::nn::masks::subsequent_mask;

    #[test]
    fn the_reference_is_attention_over_the_whole_sentence_with_a_causal_mask() {
        for (says, case) in &CASES[..4] {
            let (tokens, d_k, d_v, size) = *case;
            let tape = Tape::eval(&Default::default());
            let [query, key, value] = rows(tokens, d_k, d_v, size).map(|t| {
                let shape = [1, 1, tokens, t.last()];
                tape.input("rows", t.reshape(&shape), &["b", "h", "t", "k"])
            });
            let mask = subsequent_mask(tokens).reshape(&[1, 1, tokens, tokens]);
            let mask = tape.mask("mask", mask, &["b", "h", "t", "s"]);
            let whole = attention(&query, &key, &value, Some(&mask), 0.0)
                .context
                .value();
            let [(_, own), ..] = run(case, reference::attend_next);
            for (a, b) in whole.data().iter().zip(own.data()) {
                assert!((a - b).abs() < 1e-5, "{says}");
            }
        }
    }

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("the result is `value` itself"));
        let mut cache = Cache::default();
        let context = reference::attend_next(&mut cache, &[1.0], &[2.0], &[3.0, 4.0]);
        assert_eq!(context, [3.0, 4.0]);
    }
}
