//! The check of the attention exercise, for any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::{Recorded, attempt, compare};
use transformer_tutor::lesson::{Failure, Outcome};
use transformer_tutor::nn::attention::{self as reference, Attention, AttentionFn, BLOCKED};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

type Attend<'a> = &'a dyn Fn(&Var, &Var, &Var, Option<&Var>, f32) -> Attention;

/// Which keys are blocked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mask {
    None,
    /// `[batch, 1, 1, source]`: the last key of sentence 0, the last two of sentence 1.
    Padding,
    /// `[1, 1, target, source]`: every key after the query.
    Future,
    /// `[batch, 1, 1, source]`: every key of sentence 1.
    Everything,
}

/// One input with 2 sentences and 3 heads: `[target, source, d_k, d_v]`, the size of the queries, the mask.
type Case = ([usize; 4], f32, Mask);

const CASES: [(&str, Case); 6] = [
    // As many keys as channels, so that even an untransposed key gives a result.
    (
        "4 queries, 5 keys, d_k 5, padded",
        ([4, 5, 5, 5], 2.0, Mask::Padding),
    ),
    (
        "no mask, values wider than keys",
        ([3, 7, 4, 6], 1.0, Mask::None),
    ),
    (
        "a mask that differs from query to query",
        ([6, 6, 7, 2], 1.0, Mask::Future),
    ),
    // Exponentials of these scores overflow f32 unless the softmax subtracts the maximum.
    (
        "very large scores, padded",
        ([5, 4, 16, 2], 300.0, Mask::Padding),
    ),
    (
        "a sentence that is all padding",
        ([2, 3, 4, 4], 1.0, Mask::Everything),
    ),
    ("one query, one key", ([1, 1, 3, 3], 1.0, Mask::None)),
];

transformer_tutor::task! { attention: AttentionFn = reference::attention; check }

/// Checks that `attention` computes what the reference does.
pub fn check(attention: AttentionFn) -> Outcome {
    evaluated(attention)?;
    fills(&attention)?;
    trained(&attention)?;
    differentiated(&attention)
}

/// Checks the gradients, and in training the result with the same weights dropped.
fn differentiated(attention: Attend) -> Outcome {
    let training = ([4, 5, 4, 6], 0.5, Mask::Padding);
    let training = [("training, where the same weights fall out", training, true)];
    let evaluated = CASES.map(|(says, case)| (says, case, false));
    // A completely padded sentence is left out: its gradient may be zero or not, because an additive mask lets one
    // through.
    let evaluated = evaluated
        .into_iter()
        .filter(|(_, (.., mask), _)| *mask != Mask::Everything);
    for (says, case, trains) in evaluated.chain(training) {
        let recorded = |attend: Attend| {
            let params = Params::default();
            let tape = if trains {
                Tape::train(&params, 5).dropping_by_turn()
            } else {
                Tape::eval(&params)
            };
            let pass = attended(case, &tape, DROPPED, attend);
            let results = [
                (", the weights", &pass.weights),
                (", the context", &pass.context),
            ];
            Recorded::new(&tape, &results)
        };
        let expected = recorded(&reference::attention);
        let got = attempt(says, || recorded(attention))?;
        expected.results_are(says, &got, 1e-5)?;
        expected.gradients_are(says, &got)?;
    }
    Ok(())
}

/// The cause of wrong weights, if it is the number that fills blocked scores. A blocked key is beside a visible one with a
/// score of 0, and then beside one with a score of about −10⁴.
fn fill(attention: Attend) -> Option<String> {
    let blocked_weight = |channel: f32| {
        let tape = Tape::eval(&Params::default());
        let rows = |cells: [f32; 2]| Tensor::from_fn(&[1, 1, 2, 4], |i| cells[i[2]]);
        let input = |name, cells, length| tape.input(name, rows(cells), &["b", "h", length, "k"]);
        let (query, key) = (
            input("query", [1.0; 2], "t"),
            input("key", [channel, 0.0], "s"),
        );
        let mask = Tensor::new(&[1, 1, 1, 2], vec![1.0, 0.0]);
        let mask = tape.mask("mask", mask, &["b", "", "", "s"]);
        let value = input("value", [1.0, 2.0], "s");
        let attended = attention(&query, &key, &value, Some(&mask), 0.0);
        attended.weights.value().at(&[0, 0, 0, 1])
    };
    let weights = attempt("", || [0.0, -5e3].map(blocked_weight)).ok()?;
    let is = match weights {
        [equal, low] if low <= 0.99 || !equal.is_finite() => return None,
        [equal, _] if equal < 1e-6 => "a number that is low, but not low enough".to_owned(),
        [equal, _] if equal > 0.999_999 => "a number above all scores".to_owned(),
        [equal, _] => {
            let fill = (equal / (1.0 - equal)).ln();
            format!("about {fill:.2}").replace('-', "−")
        }
    };
    Some(format!(
        "You fill blocked scores with {is}. Fill them with BLOCKED, which is −1e9."
    ))
}

/// Checks that blocked scores become exactly `BLOCKED`: beside a blocked key there is one whose score is just above
/// that for the first query and just below it for the second.
fn fills(attention: Attend) -> Outcome {
    let case = "scores of −0.99e9 and −1.01e9 beside a blocked one";
    let run = |attend: Attend| {
        let tape = Tape::eval(&Params::default());
        let first = |of: [f32; 2]| {
            Tensor::from_fn(&[1, 1, 2, 4], |i| if i[3] == 0 { of[i[2]] } else { 0.0 })
        };
        let query = tape.input("query", first([99.0, 101.0]), &["b", "h", "t", "k"]);
        let key = tape.input("key", first([-2e7, 0.0]), &["b", "h", "s", "k"]);
        let value = tape.input("value", first([1.0, 2.0]), &["b", "h", "s", "k"]);
        let mask = Tensor::new(&[1, 1, 1, 2], vec![1.0, 0.0]);
        let mask = tape.mask("mask", mask, &["b", "", "", "s"]);
        let attended = attend(&query, &key, &value, Some(&mask), 0.0);
        attended.weights.value()
    };
    let expected = run(&reference::attention);
    let weights = attempt(case, || run(attention))?;
    compare(&format!("{case}: the weights"), &expected, &weights, 1e-5).map_err(|failure| {
        match failure.cell.as_ref().map(|cell| cell.index[2]) {
            Some(0) => failure.because("too-high"),
            Some(_) => failure.because("too-low"),
            None => failure,
        }
    })
}

/// Checks weights and context in evaluation, which must drop nothing, whatever the dropout.
fn evaluated(attention: AttentionFn) -> Outcome {
    let results = |case: &Case, attend: AttentionFn| {
        let (weights, context) = run(*case, &Tape::eval(&Params::default()), 0.5, &attend);
        [(": the weights", weights), (": the context", context)]
    };
    TASK.compared_in_parts(attention, &CASES, 1e-5, results)
        .map_err(|failure| {
            if failure.cell.as_ref().is_some_and(|cell| cell.got.is_nan()) {
                return failure.because("minus-infinity");
            }
            // It is more specific than what the instruments say of a mask that lets something through.
            let unknown = failure.mistakes.is_empty();
            match fill(&attention).filter(|_| unknown) {
                Some(likely) => Box::new(Failure {
                    likely: Some(likely),
                    ..*failure
                }),
                None => failure,
            }
        })
}

/// Proportion that the training case drops.
const DROPPED: f32 = 0.3;

/// Different implementations may draw different dropout masks, so the check looks at what was dropped. The values are
/// the identity and a column of ones, which makes the context the weights after dropout and their sum.
fn trained(attention: Attend) -> Outcome {
    let says = "training with dropout 0.3";
    let sizes @ [target, source, _, d_v] = [20, 25, 4, 26];
    let case = (sizes, 0.5, Mask::Padding);
    let sure = Tape::eval(&Params::default());
    let (expected, _) = run(case, &sure, 0.0, &reference::attention);
    let train = || Tape::train(&Params::default(), 5);
    let (weights, context) = attempt(says, || run(case, &train(), DROPPED, attention))?;
    let kept = 1.0 / (1.0 - DROPPED);
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-5;
    let dropped_from = |attention_weights: &Tensor, factor: f32| {
        let mut pairs = attention_weights.data().iter().zip(expected.data());
        pairs.all(|(&x, &w)| near(x, 0.0) || near(x, factor * w))
    };

    compare("training: the weights", &expected, &weights, 1e-5).map_err(|failure| {
        let likely = if dropped_from(&weights, kept) {
            "dropped-returned"
        } else {
            "early-dropout"
        };
        failure.because(likely)
    })?;
    let shape = [2, 3, target, d_v];
    if context.shape() != shape {
        let right = Tensor::zeros(&shape);
        return compare("training: the context", &right, &context, 1e-5);
    }
    let mixed = Tensor::from_fn(expected.shape(), |i| context.at(i));
    if !dropped_from(&mixed, kept) {
        let exact = expected.map(|w| kept * w);
        let sentence = "training: the mixed weights";
        // Dropped cells may be 0, so report the first of the others.
        let exact = exact.zip(&mixed, |e, m| if near(m, 0.0) { m } else { e });
        let failure = compare(sentence, &exact, &mixed, 0.0);
        let failure = failure.err().unwrap_or_else(|| Failure::new(sentence));
        let likely = if compare("", &expected, &mixed, 1e-5).is_ok() {
            "no-dropout"
        } else if dropped_from(&mixed, 1.0) {
            "no-growth"
        } else {
            "each-weight"
        };
        return Err(failure.because(likely));
    }
    let summed = context.data().chunks(d_v).all(|row| {
        let (weights, sum) = row.split_at(source);
        near(weights.iter().sum(), sum[0])
    });
    if !summed {
        let failure = Failure::new("training: the context is not a weighted sum of the values");
        return Err(failure.because("dropped-values"));
    }
    let pairs = || mixed.data().iter().zip(expected.data());
    let open = pairs().filter(|(_, w)| **w > 1e-3).count();
    let dropped = pairs().filter(|(x, w)| **w > 1e-3 && **x == 0.0).count();
    let share = dropped as f32 / open as f32;
    if (share - DROPPED).abs() > 0.06 {
        return Err(Failure::new(format!(
            "training with dropout {DROPPED}: {dropped} of {open} weights were dropped, a proportion of {share:.2}"
        )));
    }
    Ok(())
}

/// Weights and context of one input.
fn run(case: Case, tape: &Tape, dropout: f32, attend: Attend) -> (Tensor, Tensor) {
    let pass = attended(case, tape, dropout, attend);
    (pass.weights.value(), pass.context.value())
}

/// Runs attention over one input on a tape.
fn attended(
    ([target, source, d_k, d_v], spread, mask): Case,
    tape: &Tape,
    dropout: f32,
    attend: Attend,
) -> Attention {
    let draw =
        |name: &str, rows, width, spread| random::normal(&[2, 3, rows, width], spread, 3, name);
    let identity = |i: &[usize]| {
        let one = i[2] == i[3] || i[3] == source;
        f32::from(u8::from(one))
    };
    let value = match tape.dropout_seed() {
        Some(_) => Tensor::from_fn(&[2, 3, source, d_v], identity),
        None => draw("value", source, d_v, 1.0),
    };
    let query = draw("query", target, d_k, spread);
    let query = tape.input("query", query, &["b", "h", "t", "k"]);
    let key = draw("key", source, d_k, 1.0);
    let key = tape.input("key", key, &["b", "h", "s", "k"]);
    let value = tape.input("value", value, &["b", "h", "s", "k"]);
    let mask =
        blocked(mask, target, source).map(|mask| tape.mask("mask", mask, &["b", "", "t", "s"]));
    attend(&query, &key, &value, mask.as_ref(), dropout)
}

fn blocked(mask: Mask, target: usize, source: usize) -> Option<Tensor> {
    type Open<'a> = &'a dyn Fn(&[usize]) -> bool;
    let (shape, open): (_, Open) = match mask {
        Mask::None => return None,
        Mask::Padding => ([2, 1, 1, source], &|i| i[3] + i[0] + 1 < source),
        Mask::Everything => ([2, 1, 1, source], &|i| i[0] == 0),
        Mask::Future => ([1, 1, target, source], &|i| i[3] <= i[2]),
    };
    Some(Tensor::from_fn(&shape, |i| f32::from(u8::from(open(i)))))
}
