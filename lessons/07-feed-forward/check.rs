//! The check of the feed-forward exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::activation::Activation;
use transformer_tutor::nn::feed_forward::{FeedForward, feed_forward};
use transformer_tutor::nn::linear::Bias;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::{mistakes, starter};

/// What is tried: a name, the activation, and the dropout of a training run (0 evaluates).
const CASES: [(&str, Activation, f32); 3] = [
    ("with ReLU", Activation::Relu, 0.0),
    ("with GELU", Activation::Gelu, 0.0),
    (
        "in training, where inner cells are dropped",
        Activation::Relu,
        0.4,
    ),
];

/// What there is to write.
pub static TASK: Task<mistakes::FeedForwardFn> = Task {
    reference: feed_forward,
    starter: starter::feed_forward,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&FeedForward, &Var) -> Var) -> Outcome {
    for (says, activation, dropout) in CASES {
        let expected = run(activation, dropout, feed_forward);
        let got = attempt(says, || run(activation, dropout, &implementation))?;
        let compared = if dropout == 0.0 {
            compare(says, &expected.output, &got.output, 1e-5)
        } else {
            // Which cells fall out is chance; of which tensor they fall out, and how many, is not.
            compare(
                &format!("{says}: the shapes that were dropped from"),
                &expected.dropped,
                &got.dropped,
                0.0,
            )
            .and_then(|()| {
                let case = format!("{says}: the share that fell out");
                compare(&case, &expected.share, &got.share, 0.1)
            })
        };
        compared.map_err(|failure| {
            let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                let result = attempt("", || run(activation, dropout, mistake)).ok()?;
                Some((*name, result.tells(dropout)))
            });
            diagnose(failure, &got.tells(dropout), known)
        })?;
    }
    Ok(())
}

struct Ran {
    output: Tensor,
    /// The sizes of all tensors that something was dropped from, one after the other.
    dropped: Tensor,
    /// Of the last of them, the share of cells that are 0, beyond those that were 0 before.
    share: Tensor,
}

impl Ran {
    /// What a mistake is known by: in training the output is chance.
    fn tells(&self, dropout: f32) -> Tensor {
        if dropout == 0.0 {
            self.output.clone()
        } else {
            self.dropped.clone()
        }
    }
}

fn run(
    activation: Activation,
    dropout: f32,
    implementation: impl Fn(&FeedForward, &Var) -> Var,
) -> Ran {
    let mut params = Params::new(8);
    let maps = FeedForward::new(&mut params, 6, 40, Bias::Uniform, activation, dropout);
    let tape = if dropout > 0.0 {
        Tape::train(&params, 4)
    } else {
        Tape::eval(&params)
    };
    let x = random::normal(&[5, 7, 6], 2.0, 3, "x");
    let output = implementation(&maps, &tape.input("x", x, &["b", "t", "d"])).value();
    let trace = tape.trace();
    let dropouts: Vec<_> = trace
        .steps()
        .iter()
        .filter(|s| s.op() == "dropout")
        .collect();
    let sizes = dropouts
        .iter()
        .flat_map(|s| s.value.shape().to_vec())
        .map(|n| n as f32);
    let sizes: Vec<f32> = sizes.collect();
    let share = dropouts.last().map_or(0.0, |step| {
        let before = &trace.steps()[step.inputs()[0]].value;
        let pairs = || {
            before
                .data()
                .iter()
                .zip(step.value.data())
                .filter(|(b, _)| **b != 0.0)
        };
        pairs().filter(|(_, a)| **a == 0.0).count() as f32 / pairs().count().max(1) as f32
    });
    Ran {
        output,
        dropped: Tensor::new(&[sizes.len()], sizes),
        share: Tensor::scalar(share),
    }
}
