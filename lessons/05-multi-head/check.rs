//! The exercise: multi-head attention, and the cases that tell it from its mistakes.

use transformer_tutor::lesson::exercise::{Task, attempt, compare};
use transformer_tutor::lesson::{Outcome, batch, measure};
use transformer_tutor::nn::linear::Bias;
use transformer_tutor::nn::multi_head_attention::{MultiHeadAttention, multi_head_attention};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::{mistakes, starter};

/// One input of 3 sentences and 12 channels.
struct Case {
    heads: usize,
    target: usize,
    source: usize,
    masked: Masked,
    /// More than 0 trains.
    dropout: f32,
}

#[derive(PartialEq)]
enum Masked {
    No,
    /// `[batch, 1, source]`.
    Padding,
    /// `[batch, target, source]`, another row for every query.
    Rows,
}

const fn case([heads, target, source]: [usize; 3], masked: Masked, dropout: f32) -> Case {
    Case {
        heads,
        target,
        source,
        masked,
        dropout,
    }
}

const CASES: [(&str, Case); 4] = [
    (
        "3 heads, 4 queries, 5 keys, padded",
        case([3, 4, 5], Masked::Padding, 0.0),
    ),
    (
        "2 heads, a mask with a row for each query",
        case([2, 5, 3], Masked::Rows, 0.0),
    ),
    ("4 heads, no mask", case([4, 2, 6], Masked::No, 0.0)),
    (
        "in training, where weights are dropped",
        case([3, 4, 4], Masked::Padding, 0.3),
    ),
];

/// What there is to write.
pub static TASK: Task<mistakes::MultiHeadFn> = Task {
    reference: multi_head_attention,
    starter: starter::multi_head_attention,
    mistakes: &mistakes::ALL,
    check,
};

/// Whether `f` does what the reference does.
fn check(f: mistakes::MultiHeadFn) -> Outcome {
    for (says, case) in &CASES {
        let [output, weights, dropped] = run(case, TASK.reference);
        let [o, w, d] = attempt(says, || run(case, f))?;
        if case.dropout == 0.0 {
            compare(&format!("{says}: the output"), &output, &o, 1e-5).map_err(|failure| {
                TASK.recognised(failure, &o, |f| {
                    let [output, ..] = run(case, f);
                    output
                })
            })?;
        } else {
            // Which weights fall out is chance, how many tensors are dropped from is not.
            compare("in training: cells that were dropped", &dropped, &d, 0.0)?;
        }
        compare(&format!("{says}: the weights"), &weights, &w, 1e-5)?;
    }
    Ok(())
}

/// The output, the weights, and the sizes of all tensors that something was dropped from.
fn run(case: &Case, f: mistakes::MultiHeadFn) -> [Tensor; 3] {
    const BATCH: usize = 3;
    const D_MODEL: usize = 12;
    let mut params = Params::new(5);
    let (heads, dropout) = (case.heads, case.dropout);
    let maps = MultiHeadAttention::new(&mut params, heads, D_MODEL, Bias::Uniform, dropout);
    let tape = batch::tape(&params, dropout, 4);
    let draw = |name, length, axis| {
        let x = random::normal(&[BATCH, length, D_MODEL], 1.5, 3, name);
        tape.input(name, x, &["b", axis, "d"])
    };
    let query = draw("x", case.target, "t");
    let (key, value) = (draw("k", case.source, "s"), draw("v", case.source, "s"));
    let (shape, axes) = match case.masked {
        Masked::Rows => ([BATCH, case.target, case.source], ["b", "t", "s"]),
        _ => ([BATCH, 1, case.source], ["b", "", "s"]),
    };
    let seen = |i: &[usize]| f32::from(u8::from((i[0] + 2 * i[1] + i[2]) % case.source != 1));
    let mask = tape.mask("mask", Tensor::from_fn(&shape, seen), &axes);
    let mask = (case.masked != Masked::No).then_some(&mask);
    let found = f(&maps, &query, &key, &value, mask);
    let dropped = measure::dropped(&tape.trace());
    [found.output.value(), found.weights.value(), dropped]
}
