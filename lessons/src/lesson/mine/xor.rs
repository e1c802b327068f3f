//! A network that learns XOR by gradients from the learner's own tape, which has only sums and products.

use crate::lesson::tiny_tape::TapeFn;
use crate::tensor::random;

/// Number of hidden units. Each squares a weighted sum of the two inputs and its bias.
const HIDDEN: usize = 3;

/// Number of parameters: two weights and a bias per hidden unit, one weight per unit to the output, and its bias.
const PARAMETERS: usize = 4 * HIDDEN + 1;

/// Number of updates by gradient descent, and their learning rate.
pub const UPDATES: usize = 200;
const RATE: f64 = 0.1;

/// Inputs and targets.
const SAMPLES: [([f64; 2], f64); 4] = [
    ([0.0, 0.0], 0.0),
    ([0.0, 1.0], 1.0),
    ([1.0, 0.0], 1.0),
    ([1.0, 1.0], 0.0),
];

/// The result of [`loss_on`] with the exercise's reference.
pub const REFERENCE: f64 = 2.560_391_001_670_173_7e-6;

/// Mean squared error after training, with the gradients of `tape`.
pub fn loss_on(new: TapeFn) -> f64 {
    let drawn = random::uniform(&[PARAMETERS], 0.8, 1, "xor");
    let mut parameters: [f64; PARAMETERS] = std::array::from_fn(|i| f64::from(drawn.data()[i]));
    let mut update = || {
        let mut tape = new();
        let places = parameters.map(|value| tape.input(value));
        let mut sum = tape.input(0.0);
        for (inputs, target) in SAMPLES {
            let inputs = inputs.map(|value| tape.input(value));
            let mut error = tape.input(-target);
            error = tape.add(error, places[PARAMETERS - 1]);
            for unit in 0..HIDDEN {
                let [first, second, bias, out] = [0, 1, 2, 3].map(|i| places[4 * unit + i]);
                let from_first = tape.mul(first, inputs[0]);
                let from_second = tape.mul(second, inputs[1]);
                let total = tape.add(from_first, from_second);
                let total = tape.add(total, bias);
                let square = tape.mul(total, total);
                let output = tape.mul(out, square);
                error = tape.add(error, output);
            }
            let square = tape.mul(error, error);
            sum = tape.add(sum, square);
        }
        let share = tape.input(1.0 / SAMPLES.len() as f64);
        let loss = tape.mul(sum, share);
        let gradients = tape.gradients(loss);
        for (parameter, place) in parameters.iter_mut().zip(places) {
            *parameter -= RATE * gradients[place];
        }
        tape.value(loss)
    };
    for _ in 0..UPDATES {
        update();
    }
    update()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::gradients::tiny_tape::TASK;

    #[test]
    fn the_network_learns_xor_on_the_reference_and_something_else_if_a_use_is_lost() {
        let loss = loss_on(TASK.reference);
        assert!(loss < 0.01 && (loss - REFERENCE).abs() < 1e-12, "{loss}");
        for mistake in ["overwrites", "one-share"] {
            let loss = loss_on(TASK.with(Some(mistake)));
            assert!((loss - REFERENCE).abs() > 1e-4, "{mistake}: {loss}");
        }
    }
}
