//! Answers that the check must refuse, each in words that help, and others that it must let pass.

use super::LESSON;
use super::check::check;
use crate::autograd::Var;
use crate::nn::attention::{Attention, BLOCKED, attention};
use crate::tensor::Tensor;

type Attend<'a> = &'a dyn Fn(&Var, &Var, &Var, Option<&Var>, f32) -> Attention;

fn scores(q: &Var, k: &Var) -> Var {
    q.matmul_t(k).scale(1.0 / (q.value().last() as f32).sqrt())
}

fn blocked(scores: Var, mask: Option<&Var>, fill: f32) -> Var {
    mask.map_or(scores.clone(), |mask| scores.mask_fill(mask, fill))
}

fn result(weights: Var, mixed: &Var, value: &Var) -> Attention {
    let context = mixed.matmul(value);
    Attention { context, weights }
}

#[track_caller]
fn refused(attend: Attend, words: &str) {
    let failure = check(attend).expect_err("a wrong answer passed");
    let failure = LESSON.explained(failure);
    let all = format!(
        "{} {}",
        failure.sentence,
        failure.likely.unwrap_or_default()
    );
    assert!(all.contains(words), "{all}");
}

#[test]
fn other_ways_to_write_it_pass() {
    // The query scaled before it meets the keys, as TensorFlow does it.
    let scaled_first = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let q = q.scale(1.0 / (q.value().last() as f32).sqrt());
        let weights = blocked(q.matmul_t(k), m, BLOCKED).softmax();
        result(weights.clone(), &weights.dropout(p), v)
    };
    check(scaled_first).expect("the same function");
    // The keys transposed by hand, and the width read from them.
    let by_hand = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let scores = q
            .matmul(&k.transpose())
            .scale(1.0 / (k.shape()[3] as f32).sqrt());
        let weights = blocked(scores, m, BLOCKED).softmax();
        result(weights.clone(), &weights.dropout(p), v)
    };
    check(by_hand).expect("the same function");
}

#[test]
fn blocked_scores_at_any_other_number_are_refused() {
    for (fill, hint) in [
        (f32::NEG_INFINITY, "minus-infinity"),
        (f32::MIN, "too-low"),
        (-1e10, "too-low"),
        (-2e9, "too-low"),
        (-5e8, "too-high"),
        (-1e8, "too-high"),
        (-1e4, "too-high"),
    ] {
        let other = move |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
            let weights = blocked(scores(q, k), m, fill).softmax();
            result(weights.clone(), &weights.dropout(p), v)
        };
        refused(&other, LESSON.hint(hint).unwrap());
    }
    for fill in [-100.0, 0.0] {
        let weak = move |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
            let weights = blocked(scores(q, k), m, fill).softmax();
            result(weights.clone(), &weights.dropout(p), v)
        };
        refused(&weak, "the weights");
    }
}

#[test]
fn masking_before_the_division_is_refused() {
    let early = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let d_k = q.value().last() as f32;
        let scores = blocked(q.matmul_t(k), m, BLOCKED).scale(1.0 / d_k.sqrt());
        let weights = scores.softmax();
        result(weights.clone(), &weights.dropout(p), v)
    };
    refused(&early, LESSON.hint("too-high").unwrap());
}

#[test]
fn the_mask_as_a_bias_passes() {
    let biased = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let scores = scores(q, k);
        let scores = m.map_or(scores.clone(), |m| {
            scores.add(&m.not_equal(1.0).scale(BLOCKED))
        });
        let weights = scores.softmax();
        result(weights.clone(), &weights.dropout(p), v)
    };
    check(biased).expect("the same function");
}

#[test]
fn a_mask_that_differs_by_query_must_be_used_row_by_row() {
    let last_row = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let last = m.map(|m| {
            let (mask, shape) = (m.value(), m.shape());
            let row = Tensor::from_fn(&[shape[0], shape[1], 1, shape[3]], |i| {
                mask.at(&[i[0], i[1], shape[2] - 1, i[3]])
            });
            m.tape().mask("last", row, &["b", "", "", "s"])
        });
        attention(q, k, v, last.as_ref(), p)
    };
    refused(&last_row, "differs from query to query");
}

#[test]
fn other_roots_are_refused() {
    let roots: [fn(&Var, &Var, &Var) -> usize; 4] = [
        |_, _, v| v.shape()[3],
        |_, k, _| k.shape()[2],
        |q, _, _| q.shape()[2],
        |q, _, _| q.shape()[3] + 1,
    ];
    for root in roots {
        let wrong = move |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
            let scores = q.matmul_t(k).scale(1.0 / (root(q, k, v) as f32).sqrt());
            let weights = blocked(scores, m, BLOCKED).softmax();
            result(weights.clone(), &weights.dropout(p), v)
        };
        refused(&wrong, "the weights");
    }
    let without_root = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let scores = q.matmul_t(k).scale(1.0 / q.shape()[3] as f32);
        let weights = blocked(scores, m, BLOCKED).softmax();
        result(weights.clone(), &weights.dropout(p), v)
    };
    refused(&without_root, "the weights");
}

#[test]
fn wrong_dropouts_are_refused_each_in_its_words() {
    let returned = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let weights = blocked(scores(q, k), m, BLOCKED).softmax().dropout(p);
        result(weights.clone(), &weights, v)
    };
    refused(&returned, "after dropout");
    let other_share = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, _: f32| {
        let weights = blocked(scores(q, k), m, BLOCKED).softmax();
        result(weights.clone(), &weights.dropout(0.1), v)
    };
    refused(&other_share, "once");
    let twice = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let weights = blocked(scores(q, k), m, BLOCKED).softmax();
        result(weights.clone(), &weights.dropout(p).dropout(p), v)
    };
    refused(&twice, "once");
    let shrunk = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let weights = blocked(scores(q, k), m, BLOCKED).softmax();
        result(weights.clone(), &weights.dropout(p).scale(1.0 - p), v)
    };
    // In evaluation nothing is dropped, so there the factor shows first.
    refused(&shrunk, "the context");
    let of_the_context = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let weights = blocked(scores(q, k), m, BLOCKED).softmax();
        let context = weights.matmul(v).dropout(p);
        Attention { context, weights }
    };
    refused(&of_the_context, "belongs on the weights");
    let of_the_values = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let weights = blocked(scores(q, k), m, BLOCKED).softmax();
        result(weights.clone(), &weights, &v.dropout(p))
    };
    refused(&of_the_values, "belongs on the weights");
}

#[test]
fn dropout_of_what_goes_in_or_of_more_than_the_weights_is_refused() {
    let of_the_queries =
        |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| attention(&q.dropout(p), k, v, m, 0.0);
    refused(&of_the_queries, "training");
    let of_the_keys =
        |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| attention(q, &k.dropout(p), v, m, 0.0);
    refused(&of_the_keys, "training");
    let of_the_weights_and_the_context = |q: &Var, k: &Var, v: &Var, m: Option<&Var>, p: f32| {
        let found = attention(q, k, v, m, p);
        Attention {
            context: found.context.dropout(p),
            ..found
        }
    };
    refused(&of_the_weights_and_the_context, "training");
}
