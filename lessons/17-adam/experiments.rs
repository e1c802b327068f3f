//! Single weights under Adam: two steps by hand, the first updates, and what decay does.

use transformer_tutor::autograd::Tape;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::tensor::vector::{self, AdamStep};
use transformer_tutor::train::adam::{Rules, adam_step};

use super::mistakes::{self, AdamFn};

/// The gradients of the example by hand, and its learning rate.
pub const BY_HAND: [f32; 2] = [3.0, 1.0];
pub const RATE: f32 = 0.1;

/// What one step of the example leaves.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub gradient: f64,
    pub mean: f64,
    pub square: f64,
    pub m_hat: f64,
    pub v_hat: f64,
    pub update: f64,
    pub weight: f64,
}

/// One weight that begins at 1, two steps.
pub fn by_hand() -> Vec<Row> {
    let rules = Rules {
        rate: RATE,
        beta1: 0.9,
        beta2: 0.98,
        epsilon: 1e-9,
        decay: 0.0,
    };
    let (mut x, mut m, mut v) = (1.0, 0.0, 0.0);
    let mut rows = Vec::new();
    for (step, gradient) in (1..).zip(BY_HAND) {
        let tape = Tape::eval(&Params::default());
        let input = |name, value| tape.input(name, Tensor::new(&[1], vec![value]), &["d"]);
        let (gradient, before) = (input("gradient", gradient), input("x", x));
        let moved = adam_step(
            &before,
            &gradient,
            &input("m", m),
            &input("v", v),
            step,
            &rules,
        );
        [x, m, v] = [moved.x, moved.m, moved.v].map(|part| part.value().data()[0]);
        let trace = tape.trace();
        let of = |name| {
            trace
                .tensor(name)
                .map_or(f64::NAN, |t| f64::from(t.data()[0]))
        };
        rows.push(Row {
            gradient: of("gradient"),
            mean: of("mean"),
            square: of("square"),
            m_hat: of("m_hat"),
            v_hat: of("v_hat"),
            update: of("update"),
            weight: of("moved"),
        });
    }
    rows
}

/// The size of each of `steps` updates, in learning rates, under a gradient that stays the same.
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

/// What is left of a weight of 1 whose gradients come and go between ±`size`: with the decay beside the
/// step (AdamW), or in the gradient (L2).
pub fn left(size: f32, in_gradient: bool) -> f64 {
    let rules = Rules {
        rate: 0.01,
        beta1: 0.9,
        beta2: 0.98,
        epsilon: 1e-9,
        decay: DECAY,
    };
    let implementation: AdamFn = if in_gradient {
        mistakes::decay_in_gradient
    } else {
        adam_step
    };
    let one = |value| Tensor::new(&[1], vec![value]);
    let (mut x, mut m, mut v) = (one(1.0), one(0.0), one(0.0));
    for step in 1..=DECAY_STEPS {
        let tape = Tape::eval(&Params::default());
        let input = |name, value: &Tensor| tape.input(name, value.clone(), &["d"]);
        let gradient = one(if step % 2 == 0 { size } else { -size });
        let moved = implementation(
            &input("x", &x),
            &input("gradient", &gradient),
            &input("m", &m),
            &input("v", &v),
            step,
            &rules,
        );
        (x, m, v) = (moved.x.value(), moved.m.value(), moved.v.value());
    }
    f64::from(x.data()[0])
}
