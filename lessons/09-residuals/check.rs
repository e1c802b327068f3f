//! The exercise: the residual connection, and cases that distinguish it from its mistakes.

use std::cell::Cell;

use transformer_tutor::autograd::Var;
use transformer_tutor::lesson::exercise::{Failure, Mistakes, Recorded, Task, attempt, compare};
use transformer_tutor::lesson::{Outcome, batch};
use transformer_tutor::nn::activation::Activation;
use transformer_tutor::nn::feed_forward::FeedForward;
use transformer_tutor::nn::layer_norm::LayerNorm;
use transformer_tutor::nn::linear::Bias;
use transformer_tutor::nn::multi_head_attention::MultiHeadAttention;
use transformer_tutor::nn::residual::residual;
use transformer_tutor::ops::Deviation;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

/// Proportion that the training run drops.
const DROPOUT: f32 = 0.4;

/// Cases to try in evaluation, with different sublayers inside the connection.
const CASES: [(&str, Inside); 2] = [
    ("around a feed-forward layer", Inside::FeedForward),
    ("around self-attention", Inside::Attention),
];

#[derive(Clone, Copy)]
enum Inside {
    FeedForward,
    Attention,
}

/// The sublayer inside the connection.
pub type Sublayer<'a> = &'a dyn Fn(&Var) -> Var;

/// The signature of the residual connection.
pub type ResidualFn = fn(&Var, &LayerNorm, f32, Sublayer) -> Var;

/// The exercise, with its reference, its starter and the mistakes that the check recognises.
pub static TASK: Task<ResidualFn> = Task {
    reference: |x, norm, dropout, f| residual(x, norm, dropout, f),
    starter: |x, norm, dropout, f| starter::residual(x, norm, dropout, f),
    mistakes: include!(concat!(env!("OUT_DIR"), "/residual.rs")),
    check,
};

/// Number of mistakes about the place of the dropout. They make no difference in evaluation, and come first.
const DROPPING: usize = 3;

/// Checks that `connect` does what the reference does.
fn check(connect: ResidualFn) -> Outcome {
    TASK.compared_recorded(connect, &CASES, 1e-5, |inside, f| {
        run(*inside, 0.0, f).recorded
    })?;
    let training = |f| run(Inside::FeedForward, DROPOUT, f);
    let says = "in training, with dropout";
    let got = attempt(says, || training(connect))?;
    in_training(says, &got).map_err(|failure| {
        // Those that make a difference in evaluation failed before.
        let dropping = Task {
            mistakes: Mistakes::listed(&TASK.mistakes[..DROPPING]),
            ..TASK
        };
        let failure = dropping.recognised(failure, &got.drops, |f| training(f).drops);
        // A dropout in the right place may still have the wrong proportion.
        if !failure.mistakes.is_empty() {
            return failure;
        }
        TASK.recognised(failure, &got.output, |f| training(f).output)
    })?;
    TASK.compared_recorded(connect, &[(says, ())], 1e-5, |(), f| training(f).recorded)
}

/// Checks a training run. Which cells are dropped is random, but every cell must be x, or x plus the sublayer's cell
/// scaled up by dropout, and the right proportion must have been dropped.
fn in_training(says: &str, got: &Ran) -> Outcome {
    if got.drops.data() != [0.0, 1.0, 0.0] {
        let [before, after, last] = [0, 1, 2].map(|n| got.drops.data()[n]);
        let sum = match last {
            1.0 => ", the result itself",
            _ => "",
        };
        return Err(Failure::new(format!(
            "{says}: dropout is applied to {before} tensors before the sublayer and to {after} after it{sum}; it should be one, what the sublayer returned"
        )));
    }
    let sure = run(Inside::FeedForward, 0.0, TASK.reference);
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
    let (right, share) = (Tensor::scalar(DROPOUT), Tensor::scalar(share));
    compare(
        &format!("{says}: the proportion that was dropped"),
        &right,
        &share,
        0.06,
    )
}

/// The cells of `t`, filled up with zeros to `len`; its shape is compared later.
fn pad(t: &Tensor, len: usize) -> impl Iterator<Item = f32> {
    let cells = t.data().iter().copied();
    cells.chain(std::iter::repeat(0.0)).take(len)
}

struct Ran {
    x: Tensor,
    output: Tensor,
    recorded: Recorded,
    /// Number of dropouts before the sublayer ran, number after, and whether the very last step was one.
    drops: Tensor,
}

/// Runs `connect` with this dropout, in training if it is more than 0.
fn run(inside: Inside, dropout: f32, connect: ResidualFn) -> Ran {
    const WIDTH: usize = 6;
    let mut params = Params::new(12);
    let ffn = FeedForward::new(&mut params, WIDTH, 10, Bias::Uniform, Activation::Relu, 0.0);
    let attention = MultiHeadAttention::new(&mut params, 2, WIDTH, Bias::Uniform, 0.0);
    let norm = LayerNorm::new(&mut params, WIDTH, Deviation::Unbiased, 1e-6);
    // A LayerNorm whose scale and bias are not 1 and 0.
    params.set(norm.scale, random::normal(&[WIDTH], 1.0, 5, "scale"));
    params.set(norm.bias, random::normal(&[WIDTH], 1.0, 5, "bias"));
    let tape = batch::tape(&params, dropout, 9).dropping_by_turn();
    let x = random::normal(&[9, 30, WIDTH], 1.5, 3, "x").map(|x| x - 0.7);
    let var = tape.input("x", x.clone(), &["b", "t", "d"]);
    let called = Cell::new(usize::MAX);
    let sublayer = |y: &Var| {
        called.set(called.get().min(y.id()));
        match inside {
            Inside::FeedForward => ffn.forward(y),
            Inside::Attention => attention.forward(y, y, y, None).output,
        }
    };
    let output = connect(&var, &norm, DROPOUT, &sublayer);
    let trace = tape.trace();
    let steps = trace.steps();
    let dropped = |step: &usize| steps[*step].op() == "dropout";
    let (before, after): (Vec<_>, Vec<_>) = (0..steps.len())
        .filter(dropped)
        .partition(|step| *step <= called.get());
    let last = usize::from(dropped(&(steps.len() - 1)));
    let drops = [before.len(), after.len(), last].map(|n| n as f32);
    Ran {
        x,
        recorded: Recorded::new(&tape, &[("", &output)]),
        output: output.value(),
        drops: Tensor::new(&[3], drops.to_vec()),
    }
}
