//! Adam (Kingma and Ba 2015).

use crate::autograd::Grads;
use crate::params::{Param, Params};
use crate::tensor::Tensor;

/// The optimizer's numbers and its two moments, which share the layout of [`Params`].
pub struct Adam {
    /// How much of the mean gradient is kept from step to step.
    pub beta1: f32,
    /// How much of the mean square is kept.
    pub beta2: f32,
    /// Added to the root, against division by 0.
    pub epsilon: f32,
    steps: i32,
    moments: Vec<(Tensor, Tensor)>,
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
            steps: 0,
            moments: params.iter().map(zeros).collect(),
        }
    }

    // ANCHOR: forward
    /// One step down the gradient; parameters that the run did not use stay.
    pub fn step(&mut self, params: &mut Params, grads: &Grads, learning_rate: f32) {
        self.steps += 1;
        // The moments begin at zero and are too small at first; this corrects it.
        let correction1 = 1.0 - self.beta1.powi(self.steps);
        let correction2 = 1.0 - self.beta2.powi(self.steps);
        let all: Vec<Param> = params.iter().map(|(param, ..)| param).collect();
        for param in all {
            let Some(gradient) = grads.param(param) else {
                continue;
            };
            let (mean, square) = &mut self.moments[param.index()];
            let cells = params
                .get_mut(param)
                .data_mut()
                .iter_mut()
                .zip(gradient.data());
            let moments = mean.data_mut().iter_mut().zip(square.data_mut());
            for ((x, &g), (m, v)) in cells.zip(moments) {
                *m = self.beta1 * *m + (1.0 - self.beta1) * g;
                *v = self.beta2 * *v + (1.0 - self.beta2) * g * g;
                *x -=
                    learning_rate * (*m / correction1) / ((*v / correction2).sqrt() + self.epsilon);
            }
        }
    }
    // ANCHOR_END: forward
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
}
