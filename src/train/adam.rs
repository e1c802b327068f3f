//! Adam (Kingma and Ba 2015), and AdamW (Loshchilov and Hutter 2019).

use crate::autograd::Grads;
use crate::params::{Param, Params};
use crate::tensor::vector::{self, AdamStep};
use crate::tensor::{Tensor, shared};

/// Cells that one thread takes at a time.
const CHUNK: usize = 1 << 16;

/// The optimizer's numbers and its two moments, which share the layout of [`Params`].
#[derive(Clone)]
pub struct Adam {
    /// How much of the mean gradient is kept from step to step.
    pub beta1: f32,
    /// How much of the mean square is kept.
    pub beta2: f32,
    /// Added to the root, against division by 0.
    pub epsilon: f32,
    /// The share of every weight, times the learning rate, that a step takes away: 0 is Adam, more AdamW.
    pub decay: f32,
    /// Steps done.
    pub steps: i32,
    /// The mean gradient and the mean square of every parameter.
    pub moments: Vec<(Tensor, Tensor)>,
}

impl Adam {
    /// Moments of zero for `params`, with the constants of Vaswani et al. 2017: .9, .98, 1e-9.
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

    /// One step down the gradient; parameters that the run did not use stay.
    pub fn step(&mut self, params: &mut Params, grads: &Grads, learning_rate: f32) {
        let all: Vec<Option<Tensor>> = params
            .iter()
            .map(|(param, ..)| grads.param(param).cloned())
            .collect();
        self.apply(params, &all, learning_rate, 1.0);
    }

    /// One step down `grads`, one for each parameter in order, each multiplied by `scale` first; parameters without
    /// one stay. The work is shared among threads.
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
            // The moments begin at zero and are too small at first; this corrects it.
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
        // Step 1 moves each by ±0.1. Step 2, first cell: m = .9·.3 + .1 = .37, v = .98·.18 + .02 = .1964;
        // .37/.19 / √(.1964/.0396) = .87443, so it moves by .087443. The second cell's gradient stayed.
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
        // 2 − .1 · .5 · 2 = 1.9, and then the first step's .1.
        assert!((params.get(x).at(&[0]) - 1.8).abs() < 1e-6);
    }
}
