//! The exercise: the feed-forward layer, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::Var;
use transformer_tutor::lesson::exercise::{Recorded, attempt, compare};
use transformer_tutor::lesson::{Outcome, batch, measure};
use transformer_tutor::nn::activation::Activation;
use transformer_tutor::nn::feed_forward::{FeedForward, feed_forward};
use transformer_tutor::nn::linear::Bias;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

/// Cases to try: activation function, and dropout, which is 0 in evaluation. Training uses GELU because with ReLU it
/// makes no difference whether dropout comes before or after it.
const CASES: [(&str, Case); 3] = [
    ("with ReLU", (Activation::Relu, 0.0)),
    ("with GELU", (Activation::Gelu, 0.0)),
    (
        "in training with GELU, where inner cells are dropped",
        (Activation::Gelu, 0.4),
    ),
];

type Case = (Activation, f32);

/// The signature of the feed-forward layer.
pub type FeedForwardFn = fn(&FeedForward, &Var) -> Var;

transformer_tutor::task! { feed_forward: FeedForwardFn = feed_forward; check }

/// Checks that `f` drops what the reference drops, and computes the same result.
fn check(f: FeedForwardFn) -> Outcome {
    for (says, case) in &CASES {
        let expected = run(case, TASK.reference);
        let got = attempt(says, || run(case, f))?;
        let shapes = format!("{says}: the shapes that were dropped from");
        let share = format!("{says}: the proportion that was dropped");
        compare(&shapes, &expected.dropped, &got.dropped, 0.0)
            .and_then(|()| compare(&share, &expected.share, &got.share, 0.1))
            .map_err(|failure| TASK.recognised(failure, &got.whole(), |f| run(case, f).whole()))?;
        TASK.compared_recorded(f, &[(says, *case)], 1e-5, |case, f| run(case, f).recorded)?;
    }
    Ok(())
}

struct Ran {
    recorded: Recorded,
    /// Sizes of all tensors to which dropout was applied, one after the other.
    dropped: Tensor,
    /// Proportion of cells of the last of them that dropout set to 0.
    share: Tensor,
    output: Tensor,
}

impl Ran {
    /// Sizes and result, by which a known mistake is recognised. Mistakes with the same sizes differ in the result.
    fn whole(&self) -> Tensor {
        let cells = [self.dropped.data(), self.output.data()].concat();
        Tensor::new(&[cells.len()], cells)
    }
}

fn run(&(activation, dropout): &Case, f: FeedForwardFn) -> Ran {
    let mut params = Params::new(8);
    let maps = FeedForward::new(&mut params, 6, 40, Bias::Uniform, activation, dropout);
    let tape = batch::tape(&params, dropout, 4).dropping_by_turn();
    let x = random::normal(&[5, 7, 6], 2.0, 3, "x");
    let output = f(&maps, &tape.input("x", x, &["b", "t", "d"]));
    let trace = tape.trace();
    let last = trace.steps().iter().rfind(|s| s.op() == "dropout");
    let share = last.map_or(0.0, |step| {
        measure::fallen(&trace.steps()[step.inputs()[0]].value, &step.value)
    });
    Ran {
        recorded: Recorded::new(&tape, &[("", &output)]),
        dropped: measure::dropped(&trace),
        share: Tensor::scalar(share as f32),
        output: output.value(),
    }
}
