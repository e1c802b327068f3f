//# Gradients are overwritten instead of summed, so a number that is used twice gets only one of its contributions.
//= overwrites
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] = dy;
                    grad[b] = dy;
                }
                Step::Mul(a, b) => {
                    grad[a] = dy * self.values[b];
                    grad[b] = dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# In a product each factor gets its own value instead of the other's.
//= own-factor
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[a];
                    grad[b] += dy * self.values[b];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# The tape is walked forwards, in recording order.
//= forwards
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in 0..=of {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# The walk starts at the last number of the tape instead of the requested one.
//= from-the-end
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        let _ = of;
        let last = self.values.len() - 1;
        grad[last] = 1.0;
        for i in (0..=last).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# The result ends at the requested number instead of covering the whole tape.
//= up-to-it
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; of + 1];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# A product does not multiply by the incoming gradient, the outer factor of the chain rule.
//= no-upstream
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += self.values[b];
                    grad[b] += self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# A sum passes on 1 instead of the incoming gradient.
//= classic-0
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            if dy == 0.0 {
                continue;
            }
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += 1.0;
                    grad[b] += 1.0;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# If both factors are the same number, it gets one contribution instead of two.
//= classic-1
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    if b != a {
                        grad[b] += dy * self.values[a];
                    }
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# The walk starts with the number's value instead of 1.
//= seed-is-value
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = self.values[of];
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# A sum passes its gradient only to its first term.
//=
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, _) => {
                    grad[a] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# A number's gradient is cleared when it is passed on, so only inputs keep theirs.
//= classic-3
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => continue,
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
            grad[i] = 0.0;
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# Only the requested number passes on its gradient; its terms do not.
//=
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in [of] {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# The gradients are kept on the tape and never reset to 0, so a second call adds to the first.
//= classic-2
use std::cell::RefCell;

use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
    grads: RefCell<Vec<f64>>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut kept = self.grads.borrow_mut();
        kept.resize(self.values.len(), 0.0);
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        for (sum, g) in kept.iter_mut().zip(&grad) {
            *sum += g;
        }
        kept.clone()
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
        grads: RefCell::new(Vec::new()),
    })
}
//# It walks depth first and visits each number only once, so a shared number passes on its gradient before it is complete.
//= classic-5
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Tape {
    fn visit(&self, i: usize, grad: &mut [f64], seen: &mut [bool]) {
        if seen[i] {
            return;
        }
        seen[i] = true;
        let dy = grad[i];
        match self.steps[i] {
            Step::Input => {}
            Step::Add(a, b) => {
                grad[a] += dy;
                grad[b] += dy;
                self.visit(a, grad, seen);
                self.visit(b, grad, seen);
            }
            Step::Mul(a, b) => {
                grad[a] += dy * self.values[b];
                grad[b] += dy * self.values[a];
                self.visit(a, grad, seen);
                self.visit(b, grad, seen);
            }
        }
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        let mut seen = vec![false; self.values.len()];
        self.visit(of, &mut grad, &mut seen);
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# It walks every path, but passes on the whole gradient collected so far instead of this path's contribution.
//=
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Tape {
    fn pass_on(&self, i: usize, grad: &mut [f64]) {
        let dy = grad[i];
        match self.steps[i] {
            Step::Input => {}
            Step::Add(a, b) => {
                grad[a] += dy;
                self.pass_on(a, grad);
                grad[b] += dy;
                self.pass_on(b, grad);
            }
            Step::Mul(a, b) => {
                grad[a] += dy * self.values[b];
                self.pass_on(a, grad);
                grad[b] += dy * self.values[a];
                self.pass_on(b, grad);
            }
        }
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        self.pass_on(of, &mut grad);
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# The requested number gets no gradient, only the numbers that it depends on.
//= classic-3
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad[of] = 0.0;
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# A product divides its value by one factor to find the other, which fails if the factor is 0.
//= classic-6
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[i] / self.values[a];
                    grad[b] += dy * self.values[i] / self.values[b];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# The walk starts one place before the requested number, which therefore never passes anything on.
//= classic-4
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}
//# Assigns the gradient of an operand instead of adding to it, so that only the last use of a number counts.
//= overwrites
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum From {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tiny {
    nodes: Vec<(f64, From)>,
}

impl Record for Tiny {
    fn input(&mut self, value: f64) -> usize {
        self.nodes.push((value, From::Input));
        self.nodes.len() - 1
    }
    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].0 + self.nodes[b].0;
        self.nodes.push((value, From::Add(a, b)));
        self.nodes.len() - 1
    }
    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].0 * self.nodes[b].0;
        self.nodes.push((value, From::Mul(a, b)));
        self.nodes.len() - 1
    }
    fn value(&self, place: usize) -> f64 {
        self.nodes[place].0
    }
    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grads = vec![0.0; self.nodes.len()];
        grads[of] = 1.0;
        for i in (0..=of).rev() {
            let up = grads[i];
            if up == 0.0 {
                continue;
            }
            match self.nodes[i].1 {
                From::Input => {}
                From::Add(a, b) => {
                    grads[a] = up;
                    grads[b] = up;
                }
                From::Mul(a, b) => {
                    grads[a] = up * self.nodes[b].0;
                    grads[b] = up * self.nodes[a].0;
                }
            }
        }
        grads
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tiny { nodes: Vec::new() })
}
//# Multiplies the gradient of each factor by that factor's own value instead of the other's.
//= own-factor
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

#[derive(Clone, Copy)]
enum Made {
    Input,
    Sum(usize, usize),
    Product(usize, usize),
}

struct Tiny {
    values: Vec<f64>,
    made: Vec<Made>,
}

impl Tiny {
    fn push(&mut self, value: f64, made: Made) -> usize {
        self.values.push(value);
        self.made.push(made);
        self.values.len() - 1
    }
}

impl Record for Tiny {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Made::Input)
    }
    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Made::Sum(a, b))
    }
    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Made::Product(a, b))
    }
    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }
    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grads = vec![0.0; self.values.len()];
        grads[of] = 1.0;
        for i in (0..=of).rev() {
            let up = grads[i];
            match self.made[i] {
                Made::Input => {}
                Made::Sum(a, b) => {
                    grads[a] += up;
                    grads[b] += up;
                }
                Made::Product(a, b) => {
                    grads[a] += up * self.values[a];
                    grads[b] += up * self.values[b];
                }
            }
        }
        grads
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tiny {
        values: Vec::new(),
        made: Vec::new(),
    })
}
//# Keeps the gradients on the tape and adds each call's to earlier ones, like PyTorch without zero_grad.
//= classic-2
use std::cell::RefCell;

use transformer_tutor::curriculum::gradients::tiny_tape::Record;

#[derive(Clone, Copy)]
enum Made {
    Input,
    Sum(usize, usize),
    Product(usize, usize),
}

struct Tiny {
    values: Vec<f64>,
    made: Vec<Made>,
    grads: RefCell<Vec<f64>>,
}

impl Tiny {
    fn push(&mut self, value: f64, made: Made) -> usize {
        self.values.push(value);
        self.made.push(made);
        self.grads.borrow_mut().push(0.0);
        self.values.len() - 1
    }
}

impl Record for Tiny {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Made::Input)
    }
    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Made::Sum(a, b))
    }
    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Made::Product(a, b))
    }
    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }
    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut new = vec![0.0; self.values.len()];
        new[of] = 1.0;
        for i in (0..=of).rev() {
            let up = new[i];
            match self.made[i] {
                Made::Input => {}
                Made::Sum(a, b) => {
                    new[a] += up;
                    new[b] += up;
                }
                Made::Product(a, b) => {
                    new[a] += up * self.values[b];
                    new[b] += up * self.values[a];
                }
            }
        }
        let mut grads = self.grads.borrow_mut();
        for (grad, more) in grads.iter_mut().zip(new) {
            *grad += more;
        }
        grads.clone()
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tiny {
        values: Vec::new(),
        made: Vec::new(),
        grads: RefCell::new(Vec::new()),
    })
}
