//! Single weights under Adam: two steps by hand, the first updates, and the effect of decay.

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::tensor::vector::{self, AdamStep};
use transformer_tutor::train::adam::{AdamFn, Rules, adam_step};

use super::check::TASK;

/// Gradients and learning rate of the example by hand.
pub const BY_HAND: [f32; 2] = [3.0, 1.0];
pub const RATE: f32 = 0.1;

/// The two steps of the example, for a weight that starts at 1: the tensors of each step.
pub fn by_hand() -> [Trace; 2] {
    let (mut x, mut m, mut v) = (one(1.0), one(0.0), one(0.0));
    [1, 2].map(|step| {
        let gradient = one(BY_HAND[step - 1]);
        let (moved, trace) = taken(
            adam_step,
            [&x, &gradient, &m, &v],
            step as i32,
            &rules(RATE, 0.0),
        );
        [x, m, v] = moved;
        trace
    })
}

/// A number recorded in a step.
pub fn number(trace: &Trace, name: &str) -> f64 {
    trace
        .tensor(name)
        .map_or(f64::NAN, |t| f64::from(t.data()[0]))
}

fn one(value: f32) -> Tensor {
    Tensor::new(&[1], vec![value])
}

fn rules(rate: f32, decay: f32) -> Rules {
    Rules {
        rate,
        beta1: 0.9,
        beta2: 0.98,
        epsilon: 1e-9,
        decay,
    }
}

/// Takes one step from weight, gradient, mean and mean square to the new weight, mean and mean square.
fn taken(adam: AdamFn, from: [&Tensor; 4], step: i32, rules: &Rules) -> ([Tensor; 3], Trace) {
    let tape = Tape::eval(&Params::default());
    let input = |at: usize, name| tape.input(name, from[at].clone(), &["d"]);
    let (x, gradient) = (input(0, "x"), input(1, "gradient"));
    let moved = adam(&x, &gradient, &input(2, "m"), &input(3, "v"), step, rules);
    (
        [moved.x, moved.m, moved.v].map(|part| part.value()),
        tape.trace(),
    )
}

/// Size of each of `steps` updates, in learning rates, under a constant gradient.
pub fn first_updates(beta2: f32, corrected: bool, steps: i32) -> Vec<f64> {
    let (mut m, mut v) = ([0.0], [0.0]);
    (1..=steps)
        .map(|step| {
            let correction = |beta: f32| {
                if corrected {
                    1.0 - beta.powi(step)
                } else {
                    1.0
                }
            };
            let rules = AdamStep {
                gradient: 1.0,
                rate: 1.0,
                beta1: 0.9,
                beta2,
                correction1: correction(0.9),
                correction2: correction(beta2),
                epsilon: 1e-9,
                decay: 0.0,
            };
            let mut x = [0.0];
            vector::adam(&mut x, &[0.01], &mut m, &mut v, &rules);
            f64::from(-x[0])
        })
        .collect()
}

/// Steps and decay of the comparison.
pub const DECAY_STEPS: i32 = 200;
pub const DECAY: f32 = 0.1;

/// What is left of a weight of 1 whose gradient alternates between ±`size`, with the decay beside the step (AdamW) or
/// in the gradient (L2).
pub fn left(size: f32, in_gradient: bool) -> f64 {
    let adam = TASK.with(in_gradient.then_some("decay-in-gradient"));
    let (mut x, mut m, mut v) = (one(1.0), one(0.0), one(0.0));
    for step in 1..=DECAY_STEPS {
        let gradient = one(if step % 2 == 0 { size } else { -size });
        ([x, m, v], _) = taken(adam, [&x, &gradient, &m, &v], step, &rules(0.01, DECAY));
    }
    f64::from(x.data()[0])
}
