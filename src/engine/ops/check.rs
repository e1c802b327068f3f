//! Checks that every operation must pass, cell by cell: its gradients match finite differences, its explanations
//! recompute its cells, and a replay over other inputs gives the same as a fresh run.
//!
//! `planted` tests the checks: it breaks every operation in every way it knows, and each fault must be caught.

use crate::autograd::{Edit, Origin, Tape, Trace, Var, recompute};
use crate::params::Params;
use crate::tensor::{Tensor, random};

mod planted;

pub use planted::plant;

/// Relative tolerance of a slope: a fifth of the 1 % error that must be detected.
const RELATIVE: f64 = 2e-3;
/// Further tolerance, relative to the largest slope of the case, for rounding in f32.
const NOISE: f64 = 5e-5;
/// The widest finite-difference step. Steps and half steps are exact in f32, because inputs are multiples of 1 / 1024.
const STEP: f32 = 0.125;

/// One or more operations on given inputs.
pub struct Case {
    about: &'static str,
    leaves: Vec<Leaf>,
    build: Box<Build>,
}

type Build = dyn Fn(&Tape, &[Var]) -> Var;

/// One input of a case.
#[derive(Clone)]
pub struct Leaf {
    value: Tensor,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Numbers whose gradient is checked.
    Numbers,
    Ids,
    Mask,
    /// Numbers without a gradient, such as targets.
    Given,
}

/// An input of normal numbers.
pub fn numbers(shape: &[usize]) -> Leaf {
    leaf(normal(shape), Kind::Numbers)
}

/// An input of token ids.
pub fn ids(shape: &[usize], cells: &[f32]) -> Leaf {
    leaf(Tensor::new(shape, cells.to_vec()), Kind::Ids)
}

/// An input that is a mask: 1 may be seen, 0 is blocked.
pub fn mask(shape: &[usize], cells: &[f32]) -> Leaf {
    leaf(Tensor::new(shape, cells.to_vec()), Kind::Mask)
}

/// An input without a gradient.
pub fn given(value: Tensor) -> Leaf {
    leaf(value, Kind::Given)
}

fn leaf(value: Tensor, kind: Kind) -> Leaf {
    Leaf { value, kind }
}

impl Leaf {
    /// Applies `f` to every cell, for example to move it away from a kink, where there is no derivative.
    pub fn of(self, f: impl Fn(f32) -> f32) -> Self {
        leaf(self.value.map(f), self.kind)
    }

    /// A different value for the cell at `offset`, if there is a sensible one.
    fn other(&self, offset: usize) -> Option<f32> {
        let cells = self.value.data();
        let cell = cells[offset];
        match self.kind {
            Kind::Numbers | Kind::Given => Some(cell + STEP),
            Kind::Mask => Some(1.0 - cell),
            Kind::Ids => cells.iter().copied().find(|id| *id != cell),
        }
    }
}

impl Case {
    /// Creates a case that runs `build` on `leaves`, on a training tape with a fixed seed.
    pub fn new(
        about: &'static str,
        leaves: impl Into<Vec<Leaf>>,
        build: impl Fn(&Tape, &[Var]) -> Var + 'static,
    ) -> Self {
        let mut leaves = leaves.into();
        for (number, leaf) in leaves.iter_mut().enumerate() {
            if leaf.kind == Kind::Numbers {
                // Make inputs of equal shape differ, and round every cell to a multiple of 1 / 1024.
                let turned = leaf.value.data().iter().cycle().skip(number);
                let cells = turned.map(|x| (x * 1024.0).round() / 1024.0);
                let cells = cells.take(leaf.value.len()).collect();
                leaf.value = Tensor::new(leaf.value.shape(), cells);
            }
        }
        let build = Box::new(build);
        Self {
            about,
            leaves,
            build,
        }
    }

    fn record(&self, values: impl Iterator<Item = Tensor>) -> Recorded {
        let tape = Tape::train(&Params::new(0), 1);
        let record = |(number, (leaf, value)): (usize, (&Leaf, Tensor))| {
            let (name, axes) = (format!("input{number}"), vec![""; value.rank()]);
            match leaf.kind {
                Kind::Numbers => tape.input(&name, value, &axes),
                Kind::Ids => tape.ids(&name, value, &axes),
                Kind::Mask => tape.mask(&name, value, &axes),
                Kind::Given => tape.constant(&name, value, &axes),
            }
        };
        let vars: Vec<Var> = self
            .leaves
            .iter()
            .zip(values)
            .enumerate()
            .map(record)
            .collect();
        let output = (self.build)(&tape, &vars);
        Recorded {
            trace: tape.trace(),
            output: output.id(),
        }
    }

    fn run(&self) -> Recorded {
        self.record(self.leaves.iter().map(|leaf| leaf.value.clone()))
    }

    /// The leaves whose gradients are checked.
    fn numbers(&self) -> impl Iterator<Item = (usize, &Leaf)> {
        let all = self.leaves.iter().enumerate();
        all.filter(|(_, leaf)| leaf.kind == Kind::Numbers)
    }
}

/// A matrix and a single cell for an operation on cells; `of` moves their numbers to where it has a derivative.
pub fn cells(of: fn(f32) -> f32, op: impl Fn(&Var) -> Var + Copy + 'static) -> Vec<Case> {
    let case =
        |about, shape: &[usize]| Case::new(about, [numbers(shape).of(of)], move |_, v| op(&v[0]));
    vec![case("a matrix", &[3, 4]), case("one cell", &[1])]
}

/// Rows of different lengths for an operation on rows.
pub fn rows(op: impl Fn(&Var) -> Var + Copy + 'static) -> Vec<Case> {
    let case = |about, shape: &[usize]| Case::new(about, [numbers(shape)], move |_, v| op(&v[0]));
    vec![
        case("a batch of rows", &[2, 3, 4]),
        case("batch 1, length 1", &[1, 1, 4]),
        case("rows of one cell", &[3, 1]),
        case("long rows", &[2, 40]),
    ]
}

/// Two inputs for an operation that broadcasts them; `of` moves the second to where it has a derivative.
pub fn pairs(of: fn(f32) -> f32, op: impl Fn(&Var, &Var) -> Var + Copy + 'static) -> Vec<Case> {
    let case = |about, one: &[usize], other: &[usize]| {
        let leaves = [numbers(one), numbers(other).of(of)];
        Case::new(about, leaves, move |_, v| op(&v[0], &v[1]))
    };
    vec![
        case("an axis that is missing", &[2, 3, 4], &[4]),
        case("an axis of one cell", &[3, 1], &[2, 3, 4]),
        case("batch 1, length 1", &[1, 1, 4], &[1, 1, 4]),
    ]
}

/// Factors for a matrix product that reads the second as it is, or `transposed`.
pub fn products(transposed: bool, op: impl Fn(&Var, &Var) -> Var + Copy + 'static) -> Vec<Case> {
    let case = |about, one: &[usize], other: &[usize]| {
        let mut other = other.to_vec();
        if transposed {
            let last = other.len() - 1;
            other.swap(last - 1, last);
        }
        let leaves = [numbers(one), numbers(&other)];
        Case::new(about, leaves, move |_, v| op(&v[0], &v[1]))
    };
    vec![
        case("a factor for each sentence", &[2, 3, 4], &[2, 4, 5]),
        case("a factor that serves the whole batch", &[2, 3, 4], &[4, 5]),
        case("two squares", &[3, 3], &[3, 3]),
        case("batch 1, length 1", &[1, 1, 1], &[1, 1, 1]),
        case("long rows", &[1, 40], &[40, 2]),
    ]
}

/// A run of a case. Its leaves are the first steps.
#[derive(Clone)]
struct Recorded {
    trace: Trace,
    /// The step of the output.
    output: usize,
}

impl Recorded {
    fn value(&self) -> &Tensor {
        &self.trace.steps()[self.output].value
    }

    /// The same run with a different value in one cell of a leaf.
    fn edited(&self, leaf: usize, offset: usize, value: f32) -> Self {
        let indices = &mut self.trace.steps()[leaf].value.indices();
        let index = indices.nth(offset).expect("the leaf has this cell");
        let step = leaf;
        Self {
            trace: self.trace.replay(&[Edit { step, index, value }]),
            output: self.output,
        }
    }

    /// Weights for the loss `Σ output · upstream`: none is small, and no two are equal.
    fn upstream(&self) -> Tensor {
        let drawn = random::uniform(self.value().shape(), 1.0, 11, "upstream");
        drawn.map(|u| u + 0.5 * u.signum())
    }
}

/// Checks cases one by one.
#[track_caller]
pub fn all(cases: Vec<Case>) {
    for case in cases {
        case.check()
            .unwrap_or_else(|e| panic!("{}: {e}", case.about));
    }
}

/// Checks `build` over differentiable `inputs`.
#[track_caller]
pub fn op(inputs: &[Tensor], build: impl Fn(&Tape, &[Var]) -> Var + 'static) {
    let leaves: Vec<Leaf> = inputs
        .iter()
        .map(|x| leaf(x.clone(), Kind::Numbers))
        .collect();
    all(vec![Case::new("the inputs given", leaves, build)]);
}

impl Case {
    fn check(&self) -> Result<(), String> {
        let run = self.run();
        explained(&run.trace)?;
        again(self, &run)?;
        gradients(&self.slopes(&run)?, &self.gradients(&run))
    }

    /// The slope of the loss along every cell of every differentiable leaf, from central differences with three step
    /// sizes. Richardson extrapolation removes the error terms of second and fourth order. Fails if the differences do
    /// not converge, which happens at a kink.
    fn slopes(&self, run: &Recorded) -> Result<Vec<Slopes>, String> {
        let upstream = run.upstream();
        let loss = |leaf, cell, value| {
            let moved = run.edited(leaf, cell, value);
            let cells = moved.value().data().iter().zip(upstream.data());
            cells
                .map(|(&y, &u)| f64::from(y) * f64::from(u))
                .sum::<f64>()
        };
        let along = |leaf: usize, cell: usize, x: f32| {
            let [wide, half, quarter] = [STEP, STEP / 2.0, STEP / 4.0].map(|h| {
                (loss(leaf, cell, x + h) - loss(leaf, cell, x - h)) / (2.0 * f64::from(h))
            });
            let (first, second) = ((4.0 * half - wide) / 3.0, (4.0 * quarter - half) / 3.0);
            let slope = (16.0 * second - first) / 15.0;
            (slope, (slope - second).abs())
        };
        let mut all = Vec::new();
        for (leaf, input) in self.numbers() {
            let cells = input.value.data().iter().enumerate();
            let estimates: Vec<(f64, f64)> = cells.map(|(cell, &x)| along(leaf, cell, x)).collect();
            all.push((leaf, estimates));
        }
        let every = || all.iter().flat_map(|(_, estimates)| estimates);
        let noise = NOISE * every().fold(0.0, |most: f64, (slope, _)| most.max(slope.abs()));
        for (leaf, estimates) in &all {
            for (cell, (slope, unsettled)) in estimates.iter().enumerate() {
                if *unsettled > noise + RELATIVE * slope.abs() {
                    return Err(format!(
                        "input {leaf}, cell {cell}: differences do not settle: {slope} ± {unsettled}; choose inputs \
                         away from kinks"
                    ));
                }
            }
        }
        let slopes = |(leaf, estimates): (usize, Vec<(f64, f64)>)| Slopes {
            leaf,
            cells: estimates.into_iter().map(|(slope, _)| slope).collect(),
            noise,
        };
        Ok(all.into_iter().map(slopes).collect())
    }

    /// The gradients of the same loss, from the backward pass.
    fn gradients(&self, run: &Recorded) -> Vec<Option<Tensor>> {
        let grads = run.trace.gradients_from(run.output, &run.upstream());
        self.numbers()
            .map(|(leaf, _)| grads[leaf].clone())
            .collect()
    }
}

/// The central differences for one leaf.
struct Slopes {
    leaf: usize,
    cells: Vec<f64>,
    noise: f64,
}

/// Checks that every cell of every gradient equals the slope along it.
fn gradients(slopes: &[Slopes], grads: &[Option<Tensor>]) -> Result<(), String> {
    for (slopes, grad) in slopes.iter().zip(grads) {
        for (cell, &slope) in slopes.cells.iter().enumerate() {
            let grad = grad
                .as_ref()
                .map_or(0.0, |grad| f64::from(grad.data()[cell]));
            let near = (slope - grad).abs() <= slopes.noise + RELATIVE * slope.abs();
            if !near {
                return Err(format!(
                    "input {}, cell {cell}: slope {slope} by differences, {grad} by the backward half",
                    slopes.leaf
                ));
            }
        }
    }
    Ok(())
}

/// Checks that replaying the recorded operations with one input cell changed gives the outputs and saved tensors of a
/// fresh run.
fn again(case: &Case, run: &Recorded) -> Result<(), String> {
    for (number, leaf) in case.leaves.iter().enumerate() {
        for cell in 0..leaf.value.len() {
            let Some(other) = leaf.other(cell) else {
                continue;
            };
            let values = case.leaves.iter().enumerate().map(|(n, leaf)| {
                let mut value = leaf.value.clone();
                if n == number {
                    value.data_mut()[cell] = other;
                }
                value
            });
            let (fresh, replayed) = (case.record(values), run.edited(number, cell, other));
            for (a, b) in fresh.trace.steps().iter().zip(replayed.trace.steps()) {
                let bits = |x: &Tensor| x.data().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                let saved = |origin: &Origin| match origin {
                    Origin::Computed(made) => made.saved.iter().flat_map(bits).collect(),
                    _ => Vec::new(),
                };
                // A saved tensor that is shown as a step is a leaf, which a replay leaves as recorded.
                let shown = a.computed().is_none();
                if !shown && bits(&a.value) != bits(&b.value) {
                    return Err(format!(
                        "input {number}, cell {cell} changed: {} gives other numbers when run again than at first",
                        a.name
                    ));
                }
                if saved(&a.origin) != saved(&b.origin) {
                    return Err(format!(
                        "input {number}, cell {cell} changed: {} saves other numbers when run again",
                        a.name
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Checks that every cell of every computed step equals its explanation, and every term the cell that it names.
fn explained(trace: &Trace) -> Result<(), String> {
    for (number, step) in trace.steps().iter().enumerate() {
        if step.computed().is_none() {
            continue;
        }
        for index in step.value.indices() {
            let cell = trace.explain(number, &index);
            let at = format!("{} {index:?}: {}", step.name, cell.formula);
            for term in &cell.terms {
                let held = term
                    .step
                    .map(|step| trace.steps()[step].value.at(&term.index));
                if held.is_some_and(|held| held.to_bits() != term.value.to_bits()) {
                    return Err(format!(
                        "{at}: {} is said to be {} at {:?} of {}, which holds {held:?}",
                        term.role, term.value, term.index, term.tensor
                    ));
                }
            }
            let terms: Vec<_> = cell.terms.iter().map(|t| (t.role, t.value)).collect();
            let value = recompute(&cell.formula, &terms).map_err(|e| format!("{at}: {e}"))?;
            let tolerance = 1e-5 * f64::from(cell.value.abs()).max(0.1);
            let near = (value - f64::from(cell.value)).abs() <= tolerance;
            if !near {
                return Err(format!("{at} gives {value}, the cell holds {}", cell.value));
            }
        }
    }
    Ok(())
}

/// Normal numbers for a test.
pub fn normal(shape: &[usize]) -> Tensor {
    random::normal(shape, 1.0, 5, &format!("{shape:?}"))
}
