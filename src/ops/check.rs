//! What every operation is tested for: its gradient is the slope of its forward half, and its
//! explanations recompute its cells.

use crate::autograd::{Edit, Nature, Tape, Trace, Var, recompute};
use crate::params::Params;
use crate::tensor::{Tensor, random};

/// Checks gradients and explanations of `build` over differentiable `inputs`.
#[track_caller]
pub fn op(inputs: &[Tensor], build: impl Fn(&Tape, &[Var]) -> Var) {
    gradient(inputs, &build);
    let (tape, _, _) = run(inputs, &build);
    explanations(&tape.trace());
    again(&tape.trace());
}

/// Run once more over a changed input, the recorded operations give what a fresh run gives.
#[track_caller]
fn again(trace: &Trace) {
    for (number, step) in trace.steps().iter().enumerate() {
        let signed = step.nature == Nature::Signed && step.value.rank() > 0;
        if step.computed().is_some() || !signed {
            continue;
        }
        let index = vec![0; step.value.rank()];
        let edit = |value| Edit {
            step: number,
            index: index.clone(),
            value,
        };
        let there_and_back = [edit(0.25), edit(step.value.at(&index))];
        let back = trace.replay(&there_and_back);
        for (a, b) in trace.steps().iter().zip(back.steps()) {
            assert_eq!(
                a.value, b.value,
                "{}: run again, it gives other numbers",
                a.name
            );
        }
    }
}

fn run(inputs: &[Tensor], build: &impl Fn(&Tape, &[Var]) -> Var) -> (Tape, Vec<Var>, Var) {
    let tape = Tape::train(&Params::new(0), 1);
    let unnamed = |x: &Tensor| vec![""; x.rank()];
    let vars: Vec<Var> = inputs
        .iter()
        .enumerate()
        .map(|(i, x)| tape.input(&format!("input{i}"), x.clone(), &unnamed(x)))
        .collect();
    let output = build(&tape, &vars);
    (tape, vars, output)
}

/// The slope along one random direction, by central differences and by the backward half.
#[track_caller]
fn gradient(inputs: &[Tensor], build: &impl Fn(&Tape, &[Var]) -> Var) {
    let (_, vars, output) = run(inputs, build);
    let upstream = random::normal(&output.shape(), 1.0, 11, "upstream");
    let grads = output.backward_from(&upstream);
    for (number, input) in inputs.iter().enumerate() {
        let direction = random::normal(input.shape(), 1.0, 12, "direction");
        let loss = |step: f32| {
            let mut moved = inputs.to_vec();
            moved[number] = input.zip(&direction, |x, d| x + step * d);
            run(&moved, build)
                .2
                .value()
                .zip(&upstream, |y, u| y * u)
                .sum()
        };
        let step = 1e-2;
        let numeric = (loss(step) - loss(-step)) / (2.0 * f64::from(step));
        let analytic = grads
            .get(&vars[number])
            .map_or(0.0, |g| g.zip(&direction, |g, d| g * d).sum());
        assert!(
            (numeric - analytic).abs() <= 5e-3 * (1.0 + numeric.abs().max(analytic.abs())),
            "input {number}: slope {numeric} by differences, {analytic} by the backward half"
        );
    }
}

/// Every cell of every computed step equals what its explanation says.
#[track_caller]
pub fn explanations(trace: &Trace) {
    for (number, step) in trace.steps().iter().enumerate() {
        if step.computed().is_none() {
            continue;
        }
        for index in step.value.indices() {
            let cell = trace.explain(number, &index);
            let terms: Vec<_> = cell.terms.iter().map(|t| (t.role, t.value)).collect();
            let value = recompute(&cell.formula, &terms)
                .unwrap_or_else(|e| panic!("{} {index:?}: {}: {e}", step.name, cell.formula));
            let tolerance = 1e-5 * f64::from(cell.value.abs()).max(1.0);
            assert!(
                (value - f64::from(cell.value)).abs() <= tolerance,
                "{} {index:?}: {} gives {value}, the cell holds {}",
                step.name,
                cell.formula,
                cell.value
            );
        }
    }
}

/// Normal numbers for a test.
pub fn normal(shape: &[usize]) -> Tensor {
    random::normal(shape, 1.0, 5, &format!("{shape:?}"))
}
