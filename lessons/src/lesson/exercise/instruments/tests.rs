//! Wrong functions without a known mistake, each with the sentence of the instrument that tells its cause.

use std::cell::Cell;

use crate::autograd::{Tape, Var};
use crate::lesson::exercise::inputs::{Argument, called, entered};
use crate::lesson::exercise::{Mistakes, Outcome, Task};
use crate::params::Params;
use crate::tensor::random;

type Mix = fn(&Var, &Var, f32, usize) -> Var;

/// Weights of keys for queries, `[t, s]`, with a factor and a power.
fn mix(query: &Var, key: &Var, factor: f32, power: usize) -> Var {
    let scores = query.matmul_t(key).scale(factor).named("scores");
    let weights = scores.softmax();
    (1..power).fold(weights.clone(), |product, _| product.mul(&weights))
}

/// What the build script makes of the signature.
fn second(query: &Var, key: &Var, factor: f32, power: usize) -> Var {
    let mut values = Vec::new();
    Argument::values(&query, "query", &mut values);
    Argument::values(&key, "key", &mut values);
    Argument::values(&factor, "factor", &mut values);
    Argument::values(&power, "power", &mut values);
    let (function, mut values) = entered::<Mix>(values);
    called(move || {
        function(
            Argument::changed(query, &mut values, &mut Default::default()),
            Argument::changed(key, &mut values, &mut Default::default()),
            Argument::changed(factor, &mut values, &mut ()),
            Argument::changed(power, &mut values, &mut ()),
        )
    })
}

static TASK: Task<Mix> = Task {
    reference: mix,
    starter: |_, _, _, _| todo!("write it"),
    mistakes: Mistakes::new(&[], Some(second)),
    check,
};

fn check(function: Mix) -> Outcome {
    let cases = [
        ("four", ([4, 4, 3], 0.7, 2)),
        ("three and five", ([3, 5, 2], 1.4, 1)),
        ("two and five", ([2, 5, 6], 0.3, 3)),
    ];
    TASK.compared(function, &cases, 1e-5, |&([t, s, d], factor, power), f| {
        let tape = Tape::eval(&Params::default());
        let drawn = |name: &str, rows| {
            let rows = random::normal(&[rows, d], 1.0, 3, name);
            tape.input(name, rows, &["t", "d"])
        };
        f(&drawn("query", t), &drawn("key", s), factor, power).value()
    })
}

fn told(function: Mix) -> String {
    let failure = check(function).expect_err("it is wrong");
    failure.likely.unwrap_or_default()
}

#[test]
fn inputs_that_are_exchanged_left_out_or_written_as_a_literal_are_named() {
    assert!(told(|q, k, _, p| mix(q, k, 1.0, p)).contains("`factor` = 1"));
    assert!(told(|q, k, f, _| mix(q, k, f, 2)).contains("`power` = 2"));
    assert!(told(|q, k, f, p| mix(q, k, f, p + 1)).contains("`power` + 1"));
    assert!(told(|q, k, f, p| mix(q, k, 1.0 / f, p)).contains("1 / `factor`"));
    let same = told(|q, _, f, p| mix(q, q, f, p));
    assert_eq!(same, "You use `query` where `key` belongs.");
}

#[test]
fn a_step_that_is_left_out_taken_twice_or_turned_round_is_named() {
    let twice: Mix = |q, k, f, p| {
        let weights = q.matmul_t(k).scale(f).softmax().softmax();
        (1..p).fold(weights.clone(), |product, _| product.mul(&weights))
    };
    assert!(
        told(twice).contains("twice: `softmax` of `scores`"),
        "{}",
        told(twice)
    );
}

#[test]
fn what_a_result_depends_on_and_should_not_is_named() {
    let ignores: Mix = |q, k, f, _| mix(q, k, f * f, 1).scale(0.5);
    assert_eq!(
        told(ignores),
        "Your result does not change when `power` does."
    );
    let later: Mix = |q, k, f, p| {
        let right = mix(q, k, f, p).value();
        let sum: f32 = q.value().data().iter().sum();
        q.tape()
            .constant("mixed", right.map(|x| x + sum), &["t", "s"])
    };
    let told = told(later);
    assert!(told.contains("at other positions"), "{told}");
}

#[test]
fn a_function_that_keeps_something_is_found_out() {
    thread_local!(static CALLS: Cell<f32> = const { Cell::new(0.0) });
    let keeps: Mix = |q, k, f, p| {
        CALLS.set(CALLS.get() + 1.0);
        mix(q, k, f * CALLS.get(), p)
    };
    assert!(told(keeps).contains("the second time"));
}

#[test]
fn a_factor_that_follows_a_size_is_named_with_it() {
    let summed: Mix = |q, k, f, p| mix(q, k, f, p).scale(k.shape()[0] as f32);
    let told = told(summed);
    assert!(told.contains("times the size of axis 0 of `key`"), "{told}");
}

#[test]
fn an_input_that_is_added_or_multiplied_in_once_too_often_is_named() {
    type Square = fn(&Var) -> Var;
    fn second(x: &Var) -> Var {
        let mut values = Vec::new();
        Argument::values(&x, "x", &mut values);
        let (function, mut values) = entered::<Square>(values);
        called(move || function(Argument::changed(x, &mut values, &mut Default::default())))
    }
    static TASK: Task<Square> = Task {
        reference: |x| x.mul(x),
        starter: |_| todo!("write it"),
        mistakes: Mistakes::new(&[], Some(second)),
        check,
    };
    fn check(function: Square) -> Outcome {
        let cases = [("two rows", 2), ("five rows", 5)];
        TASK.compared(function, &cases, 1e-5, |&rows, f| {
            let tape = Tape::eval(&Params::default());
            let x = random::normal(&[rows, 3], 1.0, 3, "x");
            f(&tape.input("x", x, &["t", "d"])).value()
        })
    }
    let told = |function| check(function).expect_err("it is wrong").likely;
    let sentence = |says: &str| {
        Some(format!(
            "Where your numbers are wrong, they are the right ones {says} `x`."
        ))
    };
    assert_eq!(told(|x| x.mul(x).add(x)), sentence("plus"));
    assert_eq!(told(|x| x.mul(x).mul(x)), sentence("times"));
    assert_eq!(told(|x| x.mul(x).add(x).add(x)), None);
}

#[test]
fn a_right_function_stays_right() {
    assert_eq!(check(mix), Ok(()));
}
