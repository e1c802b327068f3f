//! The reference solution of the challenge: a tape of numbers with sums and products.

use transformer_tutor::curriculum::gradients::tiny_tape::Record;

transformer_tutor::reference! { "tiny_tape";
// ANCHOR: forward
/// An empty tape.
pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape { steps: Vec::new() })
}

struct Tape {
    /// Each number, and how it was computed.
    steps: Vec<(f64, Made)>,
}

#[derive(Clone, Copy)]
enum Made {
    Input,
    Sum(usize, usize),
    Product(usize, usize),
}

impl Tape {
    fn record(&mut self, value: f64, made: Made) -> usize {
        self.steps.push((value, made));
        self.steps.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.record(value, Made::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        self.record(self.value(a) + self.value(b), Made::Sum(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        self.record(self.value(a) * self.value(b), Made::Product(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.steps[place].0
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut gradients = vec![0.0; self.steps.len()];
        gradients[of] = 1.0;
        // Go backwards: every use of a number was recorded after it, so its gradient is complete by
        // then.
        for place in (0..=of).rev() {
            let dy = gradients[place];
            match self.steps[place].1 {
                Made::Input => {}
                Made::Sum(a, b) => {
                    gradients[a] += dy;
                    gradients[b] += dy;
                }
                Made::Product(a, b) => {
                    gradients[a] += dy * self.value(b);
                    gradients[b] += dy * self.value(a);
                }
            }
        }
        gradients
    }
}
// ANCHOR_END: forward
}
