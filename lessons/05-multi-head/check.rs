//! The exercise: multi-head attention, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::Var;
use transformer_tutor::lesson::exercise::{Recorded, attempt, compare};
use transformer_tutor::lesson::{Outcome, batch, measure};
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::linear::Bias;
use transformer_tutor::nn::multi_head_attention::{
    MultiHead, MultiHeadAttention, multi_head_attention,
};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

/// One input with 3 sentences and 12 channels: `[heads, target, source]`, the mask, and the dropout, which trains if it
/// is more than 0.
type Case = ([usize; 3], Masked, f32);

#[derive(Clone, Copy, PartialEq)]
enum Masked {
    No,
    /// `[batch, 1, source]`.
    Padding,
    /// `[batch, target, source]`, with a different row for every query.
    Rows,
}

const CASES: [(&str, Case); 4] = [
    (
        "3 heads, 4 queries, 5 keys, padded",
        ([3, 4, 5], Masked::Padding, 0.0),
    ),
    (
        "2 heads, a mask with a row for each query",
        ([2, 5, 3], Masked::Rows, 0.0),
    ),
    ("4 heads, no mask", ([4, 2, 6], Masked::No, 0.0)),
    (
        "in training, where weights are dropped",
        ([3, 4, 4], Masked::Padding, 0.3),
    ),
];

/// The signature of multi-head attention.
pub type MultiHeadFn = fn(&MultiHeadAttention, &Var, &Var, &Var, Option<&Var>) -> MultiHead;

transformer_tutor::task! { multi_head_attention: MultiHeadFn = multi_head_attention; check }

/// Checks that `f` drops from the same tensors as the reference, and computes the same result.
fn check(f: MultiHeadFn) -> Outcome {
    for (says, case) in &CASES {
        let expected = run(case, TASK.reference).1;
        // A panic is explained below.
        if let Ok(got) = attempt(says, || run(case, f).1) {
            compare("in training: cells that were dropped", &expected, &got, 0.0)
                .map_err(|failure| TASK.recognised(failure, &got, |f| run(case, f).1))?;
        }
        TASK.compared_recorded(f, &[(says, *case)], 1e-5, |case, f| run(case, f).0)?;
    }
    Ok(())
}

/// The result, and the sizes of all tensors to which dropout was applied.
fn run(&([heads, target, source], masked, dropout): &Case, f: MultiHeadFn) -> (Recorded, Tensor) {
    const BATCH: usize = 3;
    const D_MODEL: usize = 12;
    let mut params = Params::new(5);
    let maps = MultiHeadAttention::new(&mut params, heads, D_MODEL, Bias::Uniform, dropout);
    let tape = batch::tape(&params, dropout, 4).dropping_by_turn();
    let draw = |name, length, axis| {
        let x = random::normal(&[BATCH, length, D_MODEL], 1.5, 3, name);
        tape.input(name, x, &["b", axis, "d"])
    };
    let query = draw("x", target, "t");
    let (key, value) = (draw("k", source, "s"), draw("v", source, "s"));
    let (shape, axes) = match masked {
        Masked::Rows => ([BATCH, target, source], ["b", "t", "s"]),
        _ => ([BATCH, 1, source], ["b", "", "s"]),
    };
    let seen = |i: &[usize]| f32::from(u8::from((i[0] + 2 * i[1] + i[2]) % source != 1));
    let mask = tape.mask("mask", Tensor::from_fn(&shape, seen), &axes);
    let mask = (masked != Masked::No).then_some(&mask);
    let result = f(&maps, &query, &key, &value, mask);
    let dropped = measure::dropped(&tape.trace());
    let results = [
        (": the output", &result.output),
        (": the weights", &result.weights),
    ];
    (Recorded::new(&tape, &results), dropped)
}
