//! Slopes by finite differences: change one number in both directions, and see how far the loss moves.

use serde::Deserialize;
use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::params::Params;

use super::networks::{Head, Tiny};

/// A cell that can be changed.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cell {
    Far,
    Near,
    Shut,
    Query,
    KeyBias,
}

impl Cell {
    /// The parameter, the cell's index in it, and a description.
    fn place(self) -> (&'static str, usize, &'static str) {
        match self {
            Self::Far => ("bias", 0, "the bias of unit 0, far from the corner of ReLU"),
            Self::Near => ("bias", 2, "the bias of unit 2, near the corner of ReLU"),
            Self::Shut => ("bias", 1, "the bias of unit 1, which is off"),
            Self::Query => ("query.weight", 1, "a cell of attention's W_Q"),
            Self::KeyBias => ("key.bias", 0, "a cell of attention's key bias"),
        }
    }

    /// Description of the cell.
    pub fn says(self) -> &'static str {
        self.place().2
    }
}

/// Step sizes to try.
pub const STEPS: [f64; 7] = [1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001, 0.000001];

/// One cell of one network.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    pub cell: Cell,
    /// Distance of the tiny network's unit 2 from the kink.
    pub room: f32,
    pub seed: u64,
}

impl Probe {
    fn with<T>(&self, by: f64, see: impl Fn(&Params, &dyn Fn(&Tape) -> Var) -> T) -> T {
        let (name, at, _) = self.cell.place();
        let change = |params: &mut Params| {
            let param = params.find(name).expect("the networks have these");
            let cell = &mut params.get_mut(param).data_mut()[at];
            *cell = (f64::from(*cell) + by) as f32;
        };
        if name.contains('.') {
            let mut head = Head::new(self.seed);
            change(&mut head.params);
            see(&head.params, &|tape| head.run(tape).loss)
        } else {
            let mut tiny = Tiny::new(self.room);
            change(&mut tiny.params);
            see(&tiny.params, &|tape| tiny.run(tape).loss)
        }
    }

    /// Loss with the cell moved by `by`.
    pub fn loss(&self, by: f64) -> f64 {
        self.with(by, |params, run| {
            f64::from(run(&Tape::eval(params)).value().at(&[]))
        })
    }

    /// Gradient from one backward pass.
    pub fn analytic(&self) -> f64 {
        let (name, at, _) = self.cell.place();
        self.with(0.0, |params, run| {
            let grads = run(&Tape::eval(params)).backward();
            let param = params.find(name).expect("the networks have these");
            grads.param(param).map_or(0.0, |g| f64::from(g.data()[at]))
        })
    }

    // ANCHOR: central
    /// Slope from a central difference with step `h`.
    pub fn numeric(&self, h: f64) -> f64 {
        (self.loss(h) - self.loss(-h)) / (2.0 * h)
    }
    // ANCHOR_END: central

    /// Difference between the two slopes, relative to the larger one.
    pub fn relative(&self, h: f64) -> f64 {
        relative(self.numeric(h), self.analytic())
    }
}

/// Difference relative to the larger of the two; slopes that are 0 up to rounding count as equal.
pub fn relative(numeric: f64, analytic: f64) -> f64 {
    let larger = numeric.abs().max(analytic.abs());
    if larger < 1e-6 {
        0.0
    } else {
        (numeric - analytic).abs() / larger
    }
}
