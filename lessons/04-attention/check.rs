//! The check of the attention exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::{attempt, compare, diagnose};
use transformer_tutor::lesson::{Failure, Outcome};
use transformer_tutor::nn::attention::{self as reference, Attention};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::MISTAKES;
use super::mistakes::{
    mask_after, no_mask, no_scale, not_transposed, reversed_mask, scale_by_model, wrong_axis,
};

type Attend<'a> = &'a dyn Fn(&Var, &Var, &Var, Option<&Var>, f32) -> Attention;

/// One input: sizes, how large the queries are, and whether there is a mask.
struct Case {
    says: &'static str,
    target: usize,
    source: usize,
    d_k: usize,
    d_v: usize,
    spread: f32,
    masked: bool,
}

const CASES: [Case; 4] = [
    // As many keys as channels, so that even a key that is not transposed gives a result.
    Case {
        says: "4 queries, 5 keys, d_k 5, padded",
        target: 4,
        source: 5,
        d_k: 5,
        d_v: 5,
        spread: 2.0,
        masked: true,
    },
    Case {
        says: "no mask, values wider than keys",
        target: 3,
        source: 7,
        d_k: 4,
        d_v: 6,
        spread: 1.0,
        masked: false,
    },
    Case {
        says: "very large scores, padded",
        target: 5,
        source: 4,
        d_k: 16,
        d_v: 2,
        spread: 3000.0,
        masked: true,
    },
    Case {
        says: "one query, one key",
        target: 1,
        source: 1,
        d_k: 3,
        d_v: 3,
        spread: 1.0,
        masked: false,
    },
];

/// Whether `attention` does what the reference does.
pub fn check(attention: impl Fn(&Var, &Var, &Var, Option<&Var>, f32) -> Attention) -> Outcome {
    let known: [(&str, Attend); 7] = [
        ("no-scale", &no_scale),
        ("scale-by-model", &scale_by_model),
        ("wrong-axis", &wrong_axis),
        ("mask-after", &mask_after),
        ("not-transposed", &not_transposed),
        ("reversed-mask", &reversed_mask),
        ("no-mask", &no_mask),
    ];
    for case in &CASES {
        let (weights, context) = run(case, &reference::attention);
        let (w, c) = attempt(case.says, || run(case, &attention))?;
        compare(&format!("{}: the weights", case.says), &weights, &w, 1e-5).map_err(|failure| {
            let results = known.iter().filter_map(|(name, mistake)| {
                let hint = MISTAKES.iter().find(|m| m.name == *name)?.hint;
                Some((hint, attempt("", || run(case, mistake)).ok()?.0))
            });
            diagnose(failure, &w, results)
        })?;
        compare(&format!("{}: the context", case.says), &context, &c, 1e-5)?;
    }
    drops(&attention)
}

/// Whether `attention` drops weights in training: each either to 0 or grown by 1 / (1 − p), and only where they mix the
/// values. The values are a unit matrix, so that the context shows the weights that mixed them.
fn drops(attention: Attend) -> Outcome {
    const P: f32 = 0.25;
    let unit = |i: &[usize]| f32::from(i[2] == i[3]);
    let run = |attend: Attend| {
        let tape = Tape::train(&Params::default(), 3);
        let draw = |name, rows| random::normal(&[2, 3, rows, 8], 1.0, 3, name);
        let query = tape.input("query", draw("query", 4), &["b", "h", "t", "k"]);
        let key = tape.input("key", draw("key", 6), &["b", "h", "s", "k"]);
        let value = Tensor::from_fn(&[2, 3, 6, 6], unit);
        let value = tape.input("value", value, &["b", "h", "s", "k"]);
        let found = attend(&query, &key, &value, None, P);
        (found.weights.value(), found.context.value())
    };
    let (weights, _) = run(&reference::attention);
    let case = "in training, a quarter dropped";
    let (w, c) = attempt(case, || run(attention))?;
    let returned = format!("{case}: the weights that you return, which are those before dropout");
    compare(&returned, &weights, &w, 1e-5)?;
    let mixed = if c.shape() == weights.shape() {
        weights.zip(&c, |w, c| if c == 0.0 { 0.0 } else { w / (1.0 - P) })
    } else {
        weights
    };
    compare(&format!("{case}: the weights that mix"), &mixed, &c, 1e-5)?;
    if c.data().contains(&0.0) {
        return Ok(());
    }
    Err(Failure::new(format!("{case}: no weight was dropped")))
}

fn run(case: &Case, attend: Attend) -> (Tensor, Tensor) {
    let tape = Tape::eval(&Params::default());
    let draw =
        |name: &str, rows, width, spread| random::normal(&[2, 3, rows, width], spread, 3, name);
    let query = draw("query", case.target, case.d_k, case.spread);
    let query = tape.input("query", query, &["b", "h", "t", "k"]);
    let key = tape.input(
        "key",
        draw("key", case.source, case.d_k, 1.0),
        &["b", "h", "s", "k"],
    );
    let value = tape.input(
        "value",
        draw("value", case.source, case.d_v, 1.0),
        &["b", "h", "s", "k"],
    );
    let mask = case.masked.then(|| {
        let seen = |i: &[usize]| {
            if i[3] + 1 + i[0] < case.source {
                1.0
            } else {
                0.0
            }
        };
        tape.mask(
            "mask",
            Tensor::from_fn(&[2, 1, 1, case.source], seen),
            &["b", "", "", "s"],
        )
    });
    let found = attend(&query, &key, &value, mask.as_ref(), 0.0);
    (found.weights.value(), found.context.value())
}
