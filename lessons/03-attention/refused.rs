//! Tests of answers that the check must refuse, each with a helpful message, and of others that it must accept.

use std::cell::Cell;

use super::LESSON;
use super::check::check;
use crate::autograd::Var;
use crate::lesson::Exercise;
use crate::nn::attention::{Attention, AttentionFn, BLOCKED, attention};
use crate::tensor::Tensor;

fn core() -> &'static Exercise {
    LESSON.exercise.as_ref().expect("it has one")
}

fn scores(q: &Var, k: &Var) -> Var {
    q.matmul_t(k).scale(1.0 / (q.value().last() as f32).sqrt())
}

fn blocked(scores: Var, mask: Option<&Var>, fill: f32) -> Var {
    mask.map_or(scores.clone(), |mask| scores.mask_fill(mask, fill))
}

/// The end of attention: weights of `scores`, with dropout `p`, and the values that they mix.
fn mixed(scores: Var, value: &Var, p: f32) -> Attention {
    let weights = scores.softmax();
    let context = weights.dropout(p).matmul(value);
    Attention { context, weights }
}

#[track_caller]
fn refused(attend: AttentionFn, words: &str) {
    let failure = LESSON.explained(core(), check(attend).expect_err("a wrong answer passed"));
    let likely = failure.likely.unwrap_or_default();
    let all = format!("{} {likely}", failure.sentence);
    assert!(all.contains(words), "{all}");
}

#[test]
fn other_ways_to_write_it_pass() {
    // Scale the query before it meets the keys, as TensorFlow does.
    check(|q, k, v, m, p| {
        let q = q.scale(1.0 / (q.value().last() as f32).sqrt());
        mixed(blocked(q.matmul_t(k), m, BLOCKED), v, p)
    })
    .expect("the same function");
    // Transpose the keys by hand, and read the width from them.
    check(|q, k, v, m, p| {
        let root = (k.shape()[3] as f32).sqrt();
        let scores = q.matmul(&k.transpose()).scale(1.0 / root);
        mixed(blocked(scores, m, BLOCKED), v, p)
    })
    .expect("the same function");
    // Add the mask as a bias.
    check(|q, k, v, m, p| {
        let scores = scores(q, k);
        let biased = m.map(|m| scores.add(&m.not_equal(1.0).scale(BLOCKED)));
        mixed(biased.unwrap_or(scores), v, p)
    })
    .expect("the same function");
}

#[test]
fn blocked_scores_at_any_other_number_are_refused() {
    let hint = |name| LESSON.hint(core(), name).unwrap();
    thread_local!(static FILL: Cell<f32> = const { Cell::new(0.0) });
    for (fill, words) in [
        (f32::NEG_INFINITY, hint("minus-infinity")),
        (f32::MIN, hint("too-low")),
        (-1e10, hint("too-low")),
        (-2e9, hint("too-low")),
        (-5e8, hint("too-high")),
        (-1e8, hint("too-high")),
        (-1e4, hint("too-high")),
        (-100.0, "not low enough"),
        (-1.0, "about −1.00"),
        (1e9, "above all scores"),
        (0.0, "the weights"),
    ] {
        FILL.set(fill);
        refused(
            |q, k, v, m, p| mixed(blocked(scores(q, k), m, FILL.get()), v, p),
            words,
        );
    }
}

#[test]
fn a_mask_that_differs_by_query_must_be_used_row_by_row() {
    refused(
        |q, k, v, m, p| {
            let last = m.map(|m| {
                let (mask, shape) = (m.value(), m.shape());
                let row = Tensor::from_fn(&[shape[0], shape[1], 1, shape[3]], |i| {
                    mask.at(&[i[0], i[1], shape[2] - 1, i[3]])
                });
                m.tape().mask("last", row, &["b", "", "", "s"])
            });
            attention(q, k, v, last.as_ref(), p)
        },
        "differs from query to query",
    );
}

#[test]
fn dropout_of_what_goes_in_or_of_more_than_the_weights_is_refused() {
    refused(
        |q, k, v, m, p| attention(&q.dropout(p), k, v, m, 0.0),
        "training",
    );
    refused(
        |q, k, v, m, p| attention(q, &k.dropout(p), v, m, 0.0),
        "training",
    );
    refused(
        |q, k, v, m, p| {
            let result = attention(q, k, v, m, p);
            let context = result.context.dropout(p);
            Attention { context, ..result }
        },
        "training",
    );
}
