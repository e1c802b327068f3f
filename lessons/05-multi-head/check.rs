//! The check of the multi-head exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::linear::Bias;
use transformer_tutor::nn::multi_head_attention::{
    MultiHead, MultiHeadAttention, multi_head_attention,
};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::{mistakes, starter};

/// One input: sizes, the mask, and whether it is a training run.
struct Case {
    says: &'static str,
    heads: usize,
    target: usize,
    source: usize,
    masked: Masked,
    dropout: f32,
}

enum Masked {
    No,
    /// `[batch, 1, source]`.
    Padding,
    /// `[batch, target, source]`, another row for every query.
    Rows,
}

/// 12 channels and 3 sentences in each.
const CASES: [Case; 4] = [
    Case {
        says: "3 heads, 4 queries, 5 keys, padded",
        heads: 3,
        target: 4,
        source: 5,
        masked: Masked::Padding,
        dropout: 0.0,
    },
    Case {
        says: "2 heads, a mask with a row for each query",
        heads: 2,
        target: 5,
        source: 3,
        masked: Masked::Rows,
        dropout: 0.0,
    },
    Case {
        says: "4 heads, no mask",
        heads: 4,
        target: 2,
        source: 6,
        masked: Masked::No,
        dropout: 0.0,
    },
    Case {
        says: "in training, where weights are dropped",
        heads: 3,
        target: 4,
        source: 4,
        masked: Masked::Padding,
        dropout: 0.3,
    },
];

/// What there is to write.
pub static TASK: Task<mistakes::MultiHeadFn> = Task {
    reference: multi_head_attention,
    starter: starter::multi_head_attention,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(
    implementation: impl Fn(&MultiHeadAttention, &Var, &Var, &Var, Option<&Var>) -> MultiHead,
) -> Outcome {
    for case in &CASES {
        let (output, weights, dropped) = run(case, multi_head_attention);
        let (o, w, d) = attempt(case.says, || run(case, &implementation))?;
        let hints = || {
            let of = |(name, mistake): &(&'static str, mistakes::MultiHeadFn)| {
                Some((*name, attempt("", || run(case, mistake)).ok()?.0))
            };
            mistakes::ALL.iter().filter_map(of).collect::<Vec<_>>()
        };
        if case.dropout == 0.0 {
            compare(&format!("{}: the output", case.says), &output, &o, 1e-5)
                .map_err(|failure| diagnose(failure, &o, hints()))?;
        } else {
            // Which weights fall out is chance, how many tensors are dropped from is not.
            compare("in training: cells that were dropped", &dropped, &d, 0.0)?;
        }
        compare(&format!("{}: the weights", case.says), &weights, &w, 1e-5)?;
    }
    Ok(())
}

fn run(
    case: &Case,
    implementation: impl Fn(&MultiHeadAttention, &Var, &Var, &Var, Option<&Var>) -> MultiHead,
) -> (Tensor, Tensor, Tensor) {
    const BATCH: usize = 3;
    const D_MODEL: usize = 12;
    let mut params = Params::new(5);
    let maps = MultiHeadAttention::new(
        &mut params,
        case.heads,
        D_MODEL,
        Bias::Uniform,
        case.dropout,
    );
    let tape = if case.dropout > 0.0 {
        Tape::train(&params, 4)
    } else {
        Tape::eval(&params)
    };
    let draw = |name: &str, length| {
        let x = random::normal(&[BATCH, length, D_MODEL], 1.5, 3, name);
        tape.input(name, x, &["b", if name == "x" { "t" } else { "s" }, "d"])
    };
    let (query, key, value) = (
        draw("x", case.target),
        draw("k", case.source),
        draw("v", case.source),
    );
    let (shape, axes) = match case.masked {
        Masked::Rows => ([BATCH, case.target, case.source], ["b", "t", "s"]),
        _ => ([BATCH, 1, case.source], ["b", "", "s"]),
    };
    let seen = |i: &[usize]| f32::from(u8::from((i[0] + 2 * i[1] + i[2]) % case.source != 1));
    let mask = tape.mask("mask", Tensor::from_fn(&shape, seen), &axes);
    let mask = (!matches!(case.masked, Masked::No)).then_some(&mask);
    let found = implementation(&maps, &query, &key, &value, mask);
    // The sizes of all tensors that something was dropped from.
    let trace = tape.trace();
    let dropouts = trace.steps().iter().filter(|s| s.op() == "dropout");
    let dropped: Vec<f32> = dropouts
        .flat_map(|s| s.value.shape().to_vec())
        .map(|n| n as f32)
        .collect();
    let dropped = Tensor::new(&[dropped.len()], dropped);
    (found.output.value(), found.weights.value(), dropped)
}
