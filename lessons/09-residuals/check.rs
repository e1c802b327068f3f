//! The check of the residual exercise: takes any implementation.

use std::cell::Cell;

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Failure, Task, attempt, compare, diagnose};
use transformer_tutor::nn::activation::Activation;
use transformer_tutor::nn::feed_forward::FeedForward;
use transformer_tutor::nn::layer_norm::LayerNorm;
use transformer_tutor::nn::linear::Bias;
use transformer_tutor::nn::multi_head_attention::MultiHeadAttention;
use transformer_tutor::nn::residual::residual;
use transformer_tutor::ops::Deviation;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::mistakes::{self, Sublayer};
use super::starter;

/// The share that the training run drops.
const DROPOUT: f32 = 0.4;

/// What is tried: a name, whether the sublayer attends (or feeds forward), whether it is training.
const CASES: [(&str, bool, bool); 3] = [
    ("around a feed-forward layer", false, false),
    ("around self-attention", true, false),
    ("in training, with dropout", false, true),
];

/// The mistakes that evaluation cannot see.
const DROPPING: [&str; 3] = ["drop-the-sum", "drop-before", "no-dropout"];

/// What there is to write.
pub static TASK: Task<mistakes::ResidualFn> = Task {
    reference: |x, norm, dropout, f| residual(x, norm, dropout, f),
    starter: |x, norm, dropout, f| starter::residual(x, norm, dropout, f),
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Var, &LayerNorm, f32, Sublayer) -> Var) -> Outcome {
    for (says, attends, training) in CASES {
        let got = attempt(says, || run(attends, training, &implementation))?;
        let result = if training {
            in_training(says, attends, &got)
        } else {
            let expected = run(attends, false, |x, n, d, f| residual(x, n, d, f));
            compare(says, &expected.output, &got.output, 1e-5)
        };
        result.map_err(|failure| {
            // In training only the place of the dropout is compared: the others failed before.
            let fitting = |name: &str| !training || DROPPING.contains(&name);
            let known = mistakes::ALL.iter().filter(|(name, _)| fitting(name));
            let known = known.filter_map(|(name, mistake)| {
                let result = attempt("", || run(attends, training, mistake)).ok()?;
                Some((*name, result.tells(training)))
            });
            diagnose(failure, &got.tells(training), known)
        })?;
    }
    Ok(())
}

/// Which cells fall is chance; but every cell must be x, or x with the sublayer's cell grown by what
/// dropout makes up for, and the right share must have fallen.
fn in_training(says: &str, attends: bool, got: &Ran) -> Outcome {
    if got.drops != [0.0, 1.0, 0.0] {
        let [before, after, last] = got.drops;
        let sum = if last == 1.0 {
            ", the result itself"
        } else {
            ""
        };
        return Err(Failure::new(format!(
            "{says}: you drop from {before} tensors before the sublayer and from {after} after it{sum}; it should be one, what the sublayer returned"
        )));
    }
    let sure = run(attends, false, |x, n, d, f| residual(x, n, d, f));
    let whole = sure
        .output
        .zip(&sure.x, |sum, x| x + (sum - x) / (1.0 - DROPOUT));
    let mut fallen = 0;
    let cells = sure.x.data().iter().zip(whole.data());
    let cells = cells.zip(pad(&got.output, whole.len()));
    let expected: Vec<f32> = cells
        .map(|((&x, &whole), got)| {
            let fell = (got - x).abs() < (got - whole).abs();
            fallen += usize::from(fell);
            if fell { x } else { whole }
        })
        .collect();
    let expected = Tensor::new(whole.shape(), expected);
    compare(says, &expected, &got.output, 1e-4)?;
    let share = fallen as f32 / whole.len() as f32;
    compare(
        &format!("{says}: the share that fell out"),
        &Tensor::scalar(DROPOUT),
        &Tensor::scalar(share),
        0.06,
    )
}

/// The cells of `t`, and zeros where it has too few: its shape is compared afterwards.
fn pad(t: &Tensor, len: usize) -> impl Iterator<Item = f32> {
    let cells = t.data().iter().copied();
    cells.chain(std::iter::repeat(0.0)).take(len)
}

struct Ran {
    x: Tensor,
    output: Tensor,
    /// How many tensors were dropped from before the sublayer ran, how many after, and whether the
    /// last of all steps was one of them.
    drops: [f32; 3],
}

impl Ran {
    /// What a mistake is known by: in training the output is chance.
    fn tells(&self, training: bool) -> Tensor {
        if training {
            Tensor::new(&[3], self.drops.to_vec())
        } else {
            self.output.clone()
        }
    }
}

fn run(
    attends: bool,
    training: bool,
    implementation: impl Fn(&Var, &LayerNorm, f32, Sublayer) -> Var,
) -> Ran {
    const WIDTH: usize = 6;
    let mut params = Params::new(12);
    let ffn = FeedForward::new(&mut params, WIDTH, 10, Bias::Uniform, Activation::Relu, 0.0);
    let attention = MultiHeadAttention::new(&mut params, 2, WIDTH, Bias::Uniform, 0.0);
    let norm = LayerNorm::new(&mut params, WIDTH, Deviation::Unbiased, 1e-6);
    // A norm that does something of its own.
    params.set(norm.scale, random::normal(&[WIDTH], 1.0, 5, "scale"));
    params.set(norm.bias, random::normal(&[WIDTH], 1.0, 5, "bias"));
    let tape = if training {
        Tape::train(&params, 9)
    } else {
        Tape::eval(&params)
    };
    let x = random::normal(&[9, 30, WIDTH], 1.5, 3, "x").map(|x| x - 0.7);
    let var = tape.input("x", x.clone(), &["b", "t", "d"]);
    let called = Cell::new(usize::MAX);
    let sublayer = |y: &Var| {
        called.set(called.get().min(y.id()));
        if attends {
            attention.forward(y, y, y, None).output
        } else {
            ffn.forward(y)
        }
    };
    let output = implementation(&var, &norm, DROPOUT, &sublayer).value();
    let trace = tape.trace();
    let steps = trace.steps();
    let drops = || {
        steps
            .iter()
            .enumerate()
            .filter(|(_, s)| s.op() == "dropout")
    };
    let before = drops().filter(|(id, _)| *id <= called.get()).count();
    let last = steps.last().is_some_and(|s| s.op() == "dropout");
    Ran {
        x,
        output,
        drops: [
            before as f32,
            (drops().count() - before) as f32,
            f32::from(u8::from(last)),
        ],
    }
}
