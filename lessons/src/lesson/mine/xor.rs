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

/// Mean squared error after training, with the gradients of `tape`.
pub fn loss_on(tape: TapeFn) -> f64 {
    trained(|parameters| {
        let mut tape = tape();
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
        (tape.value(loss), places.map(|place| gradients[place]))
    })
}

/// Mean squared error after training, with gradients derived by hand.
pub fn loss_by_hand() -> f64 {
    trained(|parameters| {
        let mut loss = 0.0;
        let mut gradients = [0.0; PARAMETERS];
        for ([first, second], target) in SAMPLES {
            let total = |unit: usize| {
                let p = &parameters[4 * unit..4 * unit + 3];
                p[0] * first + p[1] * second + p[2]
            };
            let output = |unit| parameters[4 * unit + 3] * total(unit) * total(unit);
            let outputs: f64 = (0..HIDDEN).map(output).sum();
            let error = parameters[PARAMETERS - 1] + outputs - target;
            loss += error * error / SAMPLES.len() as f64;
            let dy = 2.0 * error / SAMPLES.len() as f64;
            for unit in 0..HIDDEN {
                let du = dy * parameters[4 * unit + 3] * 2.0 * total(unit);
                gradients[4 * unit] += du * first;
                gradients[4 * unit + 1] += du * second;
                gradients[4 * unit + 2] += du;
                gradients[4 * unit + 3] += dy * total(unit) * total(unit);
            }
            gradients[PARAMETERS - 1] += dy;
        }
        (loss, gradients)
    })
}

/// Loss of the last forward pass of a training whose losses and gradients `pass` computes.
fn trained(pass: impl Fn([f64; PARAMETERS]) -> (f64, [f64; PARAMETERS])) -> f64 {
    let drawn = random::uniform(&[PARAMETERS], 0.8, 1, "xor");
    let mut parameters: [f64; PARAMETERS] = std::array::from_fn(|i| f64::from(drawn.data()[i]));
    for _ in 0..UPDATES {
        let (_, gradients) = pass(parameters);
        for (parameter, gradient) in parameters.iter_mut().zip(gradients) {
            *parameter -= RATE * gradient;
        }
    }
    pass(parameters).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::tiny_tape::Record;

    /// A tape that keeps derivatives with respect to every input beside each number.
    #[derive(Default)]
    struct Forward {
        numbers: Vec<(f64, Vec<f64>)>,
    }

    impl Forward {
        fn record(&mut self, value: f64, derivative: impl Fn(usize) -> f64) -> usize {
            let place = self.numbers.len();
            let derivatives = (0..=place).map(|of| if of == place { 1.0 } else { derivative(of) });
            self.numbers.push((value, derivatives.collect()));
            place
        }

        fn d(&self, place: usize, of: usize) -> f64 {
            self.numbers[place].1.get(of).copied().unwrap_or(0.0)
        }
    }

    impl Record for Forward {
        fn input(&mut self, value: f64) -> usize {
            self.record(value, |_| 0.0)
        }
        fn add(&mut self, a: usize, b: usize) -> usize {
            let rows = [self.numbers[a].1.clone(), self.numbers[b].1.clone()];
            let sum = self.value(a) + self.value(b);
            self.record(sum, |of| rows.iter().filter_map(|row| row.get(of)).sum())
        }
        fn mul(&mut self, a: usize, b: usize) -> usize {
            let (x, y) = (self.value(a), self.value(b));
            let rows = [
                (y, self.numbers[a].1.clone()),
                (x, self.numbers[b].1.clone()),
            ];
            let part = |(by, row): &(f64, Vec<f64>), of| row.get(of).map(|d| by * d);
            self.record(x * y, |of| {
                rows.iter().filter_map(|row| part(row, of)).sum()
            })
        }
        fn value(&self, place: usize) -> f64 {
            self.numbers[place].0
        }
        fn gradients(&self, of: usize) -> Vec<f64> {
            (0..self.numbers.len())
                .map(|place| self.d(of, place))
                .collect()
        }
    }

    #[test]
    fn a_tape_trains_the_network_as_gradients_by_hand_do_until_xor_is_learned() {
        let by_hand = loss_by_hand();
        assert!(by_hand < 0.01, "{by_hand}");
        let on_tape = loss_on(|| Box::new(Forward::default()));
        assert!((on_tape - by_hand).abs() < 1e-9, "{on_tape} {by_hand}");
    }

    #[test]
    fn a_tape_that_loses_a_second_use_learns_something_else() {
        struct Once(Forward);
        impl Record for Once {
            fn input(&mut self, value: f64) -> usize {
                self.0.input(value)
            }
            fn add(&mut self, a: usize, b: usize) -> usize {
                self.0.add(a, b)
            }
            fn mul(&mut self, a: usize, b: usize) -> usize {
                let product = self.0.mul(a, b);
                if a == b {
                    self.0.numbers[product].1.iter_mut().for_each(|d| *d /= 2.0);
                }
                product
            }
            fn value(&self, place: usize) -> f64 {
                self.0.value(place)
            }
            fn gradients(&self, of: usize) -> Vec<f64> {
                self.0.gradients(of)
            }
        }
        let wrong = loss_on(|| Box::new(Once(Forward::default())));
        assert!((wrong - loss_by_hand()).abs() > 1e-4, "{wrong}");
    }
}
