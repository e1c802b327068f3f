//! The Adam optimizer (Kingma and Ba 2015) and its variant AdamW (Loshchilov and Hutter 2019).

use crate::autograd::{Grads, Var};
use crate::params::{Param, Params};
use crate::tensor::vector::{self, AdamStep};
use crate::tensor::{Tensor, shared};

/// Number of elements that a thread updates at a time.
const CHUNK: usize = 1 << 16;

/// Settings and state of the optimizer. The two moments have the layout of [`Params`].
#[derive(Clone)]
pub struct Adam {
    /// Fraction of the mean gradient that is kept at each step.
    pub beta1: f32,
    /// Fraction of the mean square that is kept at each step.
    pub beta2: f32,
    /// Added to the square root to avoid division by 0.
    pub epsilon: f32,
    /// Weight decay: each step subtracts `learning rate · decay` of every weight. 0 is Adam, more is AdamW.
    pub decay: f32,
    /// Number of steps done.
    pub steps: i32,
    /// Mean gradient and mean square of every parameter.
    pub moments: Vec<(Tensor, Tensor)>,
}

impl Adam {
    /// Creates an optimizer for `params` with zero moments and the constants of Vaswani et al. 2017: .9, .98, 1e-9.
    pub fn new(params: &Params) -> Self {
        let zeros = |(_, _, t): (Param, &str, &Tensor)| {
            (Tensor::zeros(t.shape()), Tensor::zeros(t.shape()))
        };
        Self {
            beta1: 0.9,
            beta2: 0.98,
            epsilon: 1e-9,
            decay: 0.0,
            steps: 0,
            moments: params.iter().map(zeros).collect(),
        }
    }

    /// Takes one step against the gradients. Parameters that the loss does not depend on are left unchanged.
    pub fn step(&mut self, params: &mut Params, grads: &Grads, learning_rate: f32) {
        let all: Vec<Option<Tensor>> = params
            .iter()
            .map(|(param, ..)| grads.param(param).cloned())
            .collect();
        self.apply(params, &all, learning_rate, 1.0);
    }

    /// Takes one step against `grads`, which holds one gradient per parameter, in order. Each is first multiplied by
    /// `scale`; a parameter without one is left unchanged. The work is shared among threads.
    pub fn apply(
        &mut self,
        params: &mut Params,
        grads: &[Option<Tensor>],
        learning_rate: f32,
        scale: f32,
    ) {
        self.steps += 1;
        let step = AdamStep {
            gradient: scale,
            rate: learning_rate,
            beta1: self.beta1,
            beta2: self.beta2,
            // The moments start at 0 and are too small at first; the corrections undo that.
            correction1: 1.0 - self.beta1.powi(self.steps),
            correction2: 1.0 - self.beta2.powi(self.steps),
            epsilon: self.epsilon,
            decay: self.decay,
        };
        let mut parts = Vec::new();
        for ((x, grad), (m, v)) in params
            .tensors_mut()
            .iter_mut()
            .zip(grads)
            .zip(&mut self.moments)
        {
            let Some(grad) = grad else { continue };
            let cells = x
                .data_mut()
                .chunks_mut(CHUNK)
                .zip(grad.data().chunks(CHUNK));
            let moments = m
                .data_mut()
                .chunks_mut(CHUNK)
                .zip(v.data_mut().chunks_mut(CHUNK));
            parts.extend(cells.zip(moments));
        }
        shared(parts, |((x, g), (m, v))| vector::adam(x, g, m, v, &step));
    }
}

/// Settings of [`adam_step`].
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Learning rate of this step.
    pub rate: f32,
    /// Fraction of the mean gradient that is kept.
    pub beta1: f32,
    /// Fraction of the mean square that is kept.
    pub beta2: f32,
    /// Added to the square root to avoid division by 0.
    pub epsilon: f32,
    /// Weight decay: the step subtracts `rate · decay` of every weight.
    pub decay: f32,
}

/// Weights and moments after a step.
pub struct Moved {
    /// Weights.
    pub x: Var,
    /// Mean gradient.
    pub m: Var,
    /// Mean square of the gradient.
    pub v: Var,
}

/// The signature of [`adam_step`].
pub type AdamFn = fn(&Var, &Var, &Var, &Var, i32, &Rules) -> Moved;

crate::reference! { "adam_step";
// ANCHOR: by_hand
/// One step of Adam, operation by operation. With `decay`, it is AdamW.
///
/// `step` counts from 1; `x`, its `gradient` and the previous moments `m` and `v` have one shape.
pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let new = gradient.scale(1.0 - rules.beta1);
    let m = m.scale(rules.beta1).add(&new).named("mean");
    let new = gradient.mul(gradient).scale(1.0 - rules.beta2);
    let v = v.scale(rules.beta2).add(&new).named("square");
    // The moments start at 0 and are too small at first; this corrects them.
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step))).named("m_hat");
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step))).named("v_hat");
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let root = v_hat.sqrt().named("root");
    let update = m_hat.div(&root.add(&epsilon)).named("update");
    let kept = x.scale(1.0 - rules.rate * rules.decay).named("kept");
    let x = kept.sub(&update.scale(rules.rate)).named("moved");
    Moved { x, m, v }
}
// ANCHOR_END: by_hand
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::params::Init;

    #[test]
    fn the_first_step_has_the_size_of_the_learning_rate_and_the_second_follows_by_hand() {
        let mut params = Params::new(0);
        let x = params.add("x", &[2], &["d"], Init::Constant(1.0));
        let mut adam = Adam::new(&params);
        let factors = [[3.0, -0.5], [1.0, -0.5]];
        for factor in factors {
            let tape = Tape::eval(&params);
            let factor = tape.constant("factor", Tensor::new(&[2], factor.to_vec()), &["d"]);
            let grads = tape.param(x).mul(&factor).sum().backward();
            adam.step(&mut params, &grads, 0.1);
        }
        // Step 1 moves each element by ±0.1. Step 2, first element: m = .9·.3 + .1 = .37, v = .98·.18 + .02 = .1964;
        // .37/.19 / √(.1964/.0396) = .87443, so it moves by .087443. The gradient of the second did not change.
        let moved = params.get(x).data();
        assert!((moved[0] - (0.9 - 0.087_443)).abs() < 1e-5, "{moved:?}");
        assert!((moved[1] - 1.2).abs() < 1e-5, "{moved:?}");
    }

    #[test]
    fn decay_takes_its_share_of_the_weight_beside_the_step() {
        let mut params = Params::new(0);
        let x = params.add("x", &[1], &["d"], Init::Constant(2.0));
        let mut adam = Adam {
            decay: 0.5,
            ..Adam::new(&params)
        };
        adam.apply(
            &mut params,
            &[Some(Tensor::new(&[1], vec![8.0]))],
            0.1,
            0.25,
        );
        // 2 − .1 · .5 · 2 = 1.9, and a first step moves by the learning rate, .1.
        assert!((params.get(x).at(&[0]) - 1.8).abs() < 1e-6);
    }

    #[test]
    fn the_recorded_step_is_the_kernels() {
        let mut params = Params::new(0);
        let first = Tensor::new(&[3], vec![1.0, -2.0, 0.5]);
        let x = params.insert("x", first.clone(), &["d"]);
        let mut adam = Adam {
            decay: 0.3,
            epsilon: 0.01,
            ..Adam::new(&params)
        };
        let (mut at, mut m, mut v) = (first, Tensor::zeros(&[3]), Tensor::zeros(&[3]));
        for step in 1..5 {
            let gradient = Tensor::from_fn(&[3], |i| (i[0] as f32 - 1.0) * step as f32 + 0.3);
            adam.apply(&mut params, &[Some(gradient.clone())], 0.1, 1.0);
            let tape = Tape::eval(&Params::default());
            let input = |name, value: &Tensor| tape.input(name, value.clone(), &["d"]);
            let rules = Rules {
                rate: 0.1,
                beta1: adam.beta1,
                beta2: adam.beta2,
                epsilon: adam.epsilon,
                decay: adam.decay,
            };
            let moved = adam_step(
                &input("x", &at),
                &input("gradient", &gradient),
                &input("m", &m),
                &input("v", &v),
                step,
                &rules,
            );
            (at, m, v) = (moved.x.value(), moved.m.value(), moved.v.value());
            for (a, b) in at.data().iter().zip(params.get(x).data()) {
                assert!((a - b).abs() < 1e-5, "step {step}: {a} {b}");
            }
        }
    }
}
