//! What every operation is tested for, cell by cell: its gradients are the slopes of its forward half, its explanations
//! recompute its cells, and run again over other inputs it gives what a fresh run gives.
//!
//! `planted` shows that the checks see: it breaks every operation in every way that it knows, and each must be caught.

use crate::autograd::{Edit, Origin, Tape, Trace, Var, recompute};
use crate::params::Params;
use crate::tensor::{Tensor, random};

mod planted;

pub use planted::plant;

/// A slope may be off by this part of itself: a fifth of the 1 % that has to be found out.
const RELATIVE: f64 = 2e-3;
/// And by this part of the largest slope of its case: what rounding in f32 leaves.
const NOISE: f64 = 5e-5;
/// The widest step of the differences. It and its halves are exact in f32 on inputs that are multiples of 1 / 1024.
const STEP: f32 = 0.125;

/// An operation, or a few of them, over given inputs.
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
    /// Its gradient is checked.
    Numbers,
    Ids,
    Mask,
    /// Numbers that have no gradient, as targets have none.
    Given,
}

/// Normal numbers.
pub fn numbers(shape: &[usize]) -> Leaf {
    leaf(normal(shape), Kind::Numbers)
}

/// Token ids.
pub fn ids(shape: &[usize], cells: &[f32]) -> Leaf {
    leaf(Tensor::new(shape, cells.to_vec()), Kind::Ids)
}

/// A mask: 1 may be seen, 0 is blocked.
pub fn mask(shape: &[usize], cells: &[f32]) -> Leaf {
    leaf(Tensor::new(shape, cells.to_vec()), Kind::Mask)
}

/// Numbers that have no gradient.
pub fn given(value: Tensor) -> Leaf {
    leaf(value, Kind::Given)
}

fn leaf(value: Tensor, kind: Kind) -> Leaf {
    Leaf { value, kind }
}

impl Leaf {
    /// `f` of every cell: away from a kink, say, where there is no slope.
    pub fn of(self, f: impl Fn(f32) -> f32) -> Self {
        leaf(self.value.map(f), self.kind)
    }

    /// Another value for the cell at `offset`, if there is a sensible one.
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
    /// `build` over `leaves`; all randomness that it draws is that of a training tape with one seed.
    pub fn new(
        about: &'static str,
        leaves: impl Into<Vec<Leaf>>,
        build: impl Fn(&Tape, &[Var]) -> Var + 'static,
    ) -> Self {
        let mut leaves = leaves.into();
        for (number, leaf) in leaves.iter_mut().enumerate() {
            if leaf.kind == Kind::Numbers {
                // Two inputs of one shape differ, and every cell is a multiple of 1 / 1024.
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

    /// The same run with another value in a cell of a leaf.
    fn edited(&self, leaf: usize, offset: usize, value: f32) -> Self {
        let indices = &mut self.trace.steps()[leaf].value.indices();
        let index = indices.nth(offset).expect("the leaf has this cell");
        let step = leaf;
        Self {
            trace: self.trace.replay(&[Edit { step, index, value }]),
            output: self.output,
        }
    }

    /// What the loss `Σ output · upstream` is differentiated with: no cell counts little, and no two count alike.
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

    /// The slope of the loss along every cell of every differentiable leaf, by central differences with three steps,
    /// from which Richardson's extrapolation takes what grows with the second and fourth power of the step. An error
    /// where the differences do not settle: at a kink.
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
        for (leaf, given) in self.numbers() {
            let cells = given.value.data().iter().enumerate();
            let found: Vec<(f64, f64)> = cells.map(|(cell, &x)| along(leaf, cell, x)).collect();
            all.push((leaf, found));
        }
        let every = || all.iter().flat_map(|(_, found)| found);
        let noise = NOISE * every().fold(0.0, |most: f64, (slope, _)| most.max(slope.abs()));
        for (leaf, found) in &all {
            for (cell, (slope, unsettled)) in found.iter().enumerate() {
                if *unsettled > noise + RELATIVE * slope.abs() {
                    return Err(format!(
                        "input {leaf}, cell {cell}: differences do not settle: {slope} ± {unsettled}; choose inputs \
                         away from kinks"
                    ));
                }
            }
        }
        let slopes = |(leaf, found): (usize, Vec<(f64, f64)>)| Slopes {
            leaf,
            cells: found.into_iter().map(|(slope, _)| slope).collect(),
            noise,
        };
        Ok(all.into_iter().map(slopes).collect())
    }

    /// The gradients of the same loss by the backward half.
    fn gradients(&self, run: &Recorded) -> Vec<Option<Tensor>> {
        let grads = run.trace.gradients_from(run.output, &run.upstream());
        self.numbers()
            .map(|(leaf, _)| grads[leaf].clone())
            .collect()
    }
}

/// What central differences say of one leaf.
struct Slopes {
    leaf: usize,
    cells: Vec<f64>,
    noise: f64,
}

/// Every cell of every gradient is the slope along it.
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

/// Run again over an input of which a cell was changed, the recorded operations give what a fresh run gives, in their
/// outputs and in what they save.
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
                // A step's saved output that is shown is a leaf, and a leaf stays what it was recorded as.
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

/// Every cell of every computed step equals what its explanation says, and every term is the cell that it names.
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

/// Every cell of every computed step equals what its explanation says.
#[track_caller]
pub fn explanations(trace: &Trace) {
    explained(trace).unwrap_or_else(|e| panic!("{e}"));
}

/// Normal numbers for a test.
pub fn normal(shape: &[usize]) -> Tensor {
    random::normal(shape, 1.0, 5, &format!("{shape:?}"))
}
