//! Slopes by finite differences: nudge one number both ways, and see how far the loss moves.

use transformer_tutor::autograd::Tape;
use transformer_tutor::params::Params;

use super::networks::{Head, Tiny};

/// The cells that can be nudged: the knob's word, the parameter, the cell's place in it, what it is.
pub const CELLS: [(&str, &str, usize, &str); 5] = [
    ("far", "bias", 0, "bias of unit 0, far from the bend"),
    ("near", "bias", 2, "bias of unit 2, near the bend"),
    ("shut", "bias", 1, "bias of unit 1, which is shut"),
    ("query", "query.weight", 1, "a cell of attention's W_Q"),
    ("key-bias", "key.bias", 0, "a cell of attention's key bias"),
];

/// The steps that are tried.
pub const STEPS: [f64; 7] = [1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001, 0.000001];

/// One cell of one network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Which of [`CELLS`].
    pub cell: usize,
    /// How far the tiny network's third unit is from the bend.
    pub room: f32,
    pub seed: u64,
}

impl Probe {
    /// The probe of the cell that a knob calls `word`.
    pub fn new(word: &str, room: f32, seed: u64) -> Self {
        let cell = CELLS.iter().position(|cell| cell.0 == word).unwrap_or(0);
        Self { cell, room, seed }
    }

    fn in_head(&self) -> bool {
        CELLS[self.cell].1.contains('.')
    }

    fn with<T>(&self, by: f64, see: impl Fn(&Params, &dyn Fn(&Tape) -> super::Var) -> T) -> T {
        let (_, name, at, _) = CELLS[self.cell];
        let nudge = |params: &mut Params| {
            let param = params.find(name).expect("the networks have these");
            let cell = &mut params.get_mut(param).data_mut()[at];
            *cell = (f64::from(*cell) + by) as f32;
        };
        if self.in_head() {
            let mut head = Head::new(self.seed);
            nudge(&mut head.params);
            see(&head.params, &|tape| head.run(tape).loss)
        } else {
            let mut tiny = Tiny::new(self.room);
            nudge(&mut tiny.params);
            see(&tiny.params, &|tape| tiny.run(tape).loss)
        }
    }

    /// The loss with the cell moved by `by`.
    pub fn loss(&self, by: f64) -> f64 {
        self.with(by, |params, run| {
            f64::from(run(&Tape::eval(params)).value().at(&[]))
        })
    }

    /// The gradient by one walk back.
    pub fn analytic(&self) -> f64 {
        let (_, name, at, _) = CELLS[self.cell];
        self.with(0.0, |params, run| {
            let grads = run(&Tape::eval(params)).backward();
            let param = params.find(name).expect("the networks have these");
            grads.param(param).map_or(0.0, |g| f64::from(g.data()[at]))
        })
    }

    // ANCHOR: central
    /// The slope by a central difference of step `h`.
    pub fn numeric(&self, h: f64) -> f64 {
        (self.loss(h) - self.loss(-h)) / (2.0 * h)
    }
    // ANCHOR_END: central

    /// How far the two are apart, as a share of the larger one.
    pub fn relative(&self, h: f64) -> f64 {
        relative(self.numeric(h), self.analytic())
    }
}

/// The difference as a share of the larger of both; what is 0 but for rounding counts as 0.
pub fn relative(numeric: f64, analytic: f64) -> f64 {
    let larger = numeric.abs().max(analytic.abs());
    if larger < 1e-6 {
        0.0
    } else {
        (numeric - analytic).abs() / larger
    }
}
