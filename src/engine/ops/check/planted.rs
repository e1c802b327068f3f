//! Operations with planted faults, each of which must be caught by the check for its kind.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Case, NOISE, Recorded, Slopes, again, explained, gradients};
use crate::autograd::{Computed, Explanation, Nature, Op, OpRun, Operand, Origin};
use crate::tensor::{Axes, Tensor};

/// A fault in an operation. Inputs are numbered as the operation numbers them.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// One cell of an input's gradient is 1 % too large.
    OnePercent { input: usize, cell: usize },
    /// One cell of an input's gradient, possibly 0, is off by a tenth of the largest slope.
    WrongCell { input: usize, cell: usize },
    /// An input's gradient is missing.
    Missing { input: usize },
    /// The gradients of two inputs are swapped.
    GradientsSwapped { a: usize, b: usize },
    /// The backward pass swaps two inputs.
    InputsSwapped { a: usize, b: usize },
    /// The forward pass swaps two inputs.
    ForwardSwapped { a: usize, b: usize },
    /// One cell of the output is 1 % too large.
    WrongOutput { cell: usize },
    /// A replay returns the recorded output.
    Unchanged,
    /// A replay saves the recorded tensors.
    SavedUnchanged,
    /// A term of each explanation differs from the cell that it names.
    WrongTerm,
    /// Each explanation leaves out its last term that is a cell of an input.
    TermLeftOut,
}

impl Fault {
    /// The kind of the fault, with the input that it concerns; one fault of each kind is enough.
    fn kind(self) -> String {
        match self {
            Self::OnePercent { input, .. } => format!("1 % in the gradient of input {input}"),
            Self::WrongCell { input, .. } => {
                format!("a wrong cell in the gradient of input {input}")
            }
            Self::WrongOutput { .. } => "a wrong cell in the output".to_owned(),
            other => format!("{other:?}"),
        }
    }

    /// True if the fault does not affect some operations: the inputs of a sum may be swapped.
    fn may_be_harmless(self) -> bool {
        matches!(
            self,
            Self::GradientsSwapped { .. }
                | Self::InputsSwapped { .. }
                | Self::ForwardSwapped { .. }
        )
    }
}

/// `op` with a fault.
struct Planted {
    op: Arc<dyn Op>,
    fault: Fault,
    /// The output and saved tensors of the sound operation when it was recorded.
    recorded: (Tensor, Vec<Tensor>),
    /// The largest slope of the case.
    largest: f64,
}

fn swapped(inputs: &[Tensor], a: usize, b: usize) -> Vec<Tensor> {
    let mut inputs = inputs.to_vec();
    inputs.swap(a, b);
    inputs
}

impl Op for Planted {
    fn name(&self) -> &'static str {
        self.op.name()
    }

    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        self.forward_saving(inputs).0
    }

    fn forward_saving(&self, inputs: &[Tensor]) -> (Tensor, Vec<Tensor>) {
        match self.fault {
            Fault::Unchanged => self.recorded.clone(),
            Fault::SavedUnchanged => (self.op.forward(inputs), self.recorded.1.clone()),
            Fault::ForwardSwapped { a, b } => self.op.forward_saving(&swapped(inputs, a, b)),
            Fault::WrongOutput { cell } => {
                let (mut output, saved) = self.op.forward_saving(inputs);
                output.data_mut()[cell] *= 1.01;
                (output, saved)
            }
            _ => self.op.forward_saving(inputs),
        }
    }

    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        if let Fault::InputsSwapped { a, b } = self.fault {
            let inputs = &swapped(run.inputs, a, b);
            return self.op.backward(OpRun { inputs, ..run }, dy);
        }
        let mut grads = self.op.backward(run, dy);
        let change = |grad: &mut Option<Tensor>, cell: usize, f: &dyn Fn(f32) -> f32| {
            if let Some(grad) = grad {
                let cell = &mut grad.data_mut()[cell];
                *cell = f(*cell);
            }
        };
        match self.fault {
            Fault::OnePercent { input, cell } => change(&mut grads[input], cell, &|d| 1.01 * d),
            Fault::WrongCell { input, cell } => {
                let off = (0.1 * self.largest) as f32;
                change(&mut grads[input], cell, &|d| d + off);
            }
            Fault::Missing { input } => grads[input] = None,
            Fault::GradientsSwapped { a, b } => grads.swap(a, b),
            _ => {}
        }
        grads
    }

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let mut explanation = self.op.explain(run, index);
        let terms = &mut explanation.terms;
        let cell = terms.iter().rposition(|t| t.operand != Operand::Constant);
        match (self.fault, cell) {
            (Fault::WrongTerm, Some(cell)) => terms[cell].value += 1.0,
            (Fault::TermLeftOut, Some(cell)) => drop(terms.remove(cell)),
            _ => {}
        }
        explanation
    }

    fn only_moves(&self) -> bool {
        self.op.only_moves()
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        self.op.axes(inputs, output)
    }

    fn nature(&self, inputs: &[Nature]) -> Nature {
        self.op.nature(inputs)
    }
}

/// Plants every fault in every case of the operation `name`. A fault must be caught wherever it changes a number by
/// more than noise, and every kind that applies to the operation must be caught in some case.
#[track_caller]
pub fn plant(name: &str, cases: Vec<Case>) {
    let (mut wanted, mut caught) = (BTreeSet::new(), BTreeSet::new());
    for case in cases {
        let bed = Bed::new(&case);
        assert_eq!(
            bed.made().op.name(),
            name,
            "{}: it is about another operation",
            case.about
        );
        let faults = [
            bed.of_gradients(),
            bed.of_swaps(),
            bed.of_cells(),
            bed.of_runs(),
        ];
        for (fault, changes) in faults.into_iter().flatten() {
            if !fault.may_be_harmless() {
                wanted.insert(fault.kind());
            }
            if changes {
                assert!(
                    bed.finds(fault),
                    "{name}, {}: {fault:?} was not caught",
                    case.about
                );
                caught.insert(fault.kind());
            }
        }
    }
    let missed: Vec<_> = wanted.difference(&caught).collect();
    assert!(
        missed.is_empty(),
        "{name}: its cases cannot tell {missed:?}"
    );
}

/// A sound case in which faults are planted.
struct Bed<'a> {
    case: &'a Case,
    sound: Recorded,
    slopes: Vec<Slopes>,
    largest: f64,
}

/// A fault, and whether it changes a number by more than noise.
type Candidate = (Fault, bool);

impl<'a> Bed<'a> {
    #[track_caller]
    fn new(case: &'a Case) -> Self {
        let sound = case.run();
        let slopes = case.slopes(&sound);
        let slopes = slopes.unwrap_or_else(|e| panic!("{}: {e}", case.about));
        let every = slopes.iter().flat_map(|slopes| &slopes.cells);
        let largest = every.fold(0.0, |most: f64, slope| most.max(slope.abs()));
        Self {
            case,
            sound,
            slopes,
            largest,
        }
    }

    #[track_caller]
    fn made(&self) -> &Computed {
        match &self.sound.trace.steps()[self.sound.output].origin {
            Origin::Computed(made) => made,
            _ => panic!("{}: the output is not a computed step", self.case.about),
        }
    }

    /// The run with `fault` in the operation.
    fn with(&self, fault: Fault) -> Recorded {
        let mut broken = self.sound.clone();
        let mut made = self.made().clone();
        let value_of = |&i: &usize| self.sound.trace.steps()[i].value.clone();
        let inputs: Vec<Tensor> = made.inputs.iter().map(value_of).collect();
        made.op = Arc::new(Planted {
            op: made.op,
            fault,
            recorded: (self.sound.value().clone(), made.saved),
            largest: self.largest,
        });
        let step = broken.trace.step_mut(broken.output);
        (step.value, made.saved) = made.op.forward_saving(&inputs);
        step.origin = Origin::Computed(made);
        broken
    }

    /// True if the check for the fault's kind finds it.
    fn finds(&self, fault: Fault) -> bool {
        let broken = self.with(fault);
        let by_gradients = |slopes: &[Slopes]| gradients(slopes, &self.case.gradients(&broken));
        let outcome = match fault {
            Fault::OnePercent { .. }
            | Fault::WrongCell { .. }
            | Fault::Missing { .. }
            | Fault::GradientsSwapped { .. }
            | Fault::InputsSwapped { .. } => by_gradients(&self.slopes),
            Fault::ForwardSwapped { .. } => explained(&broken.trace).and_then(|()| {
                let slopes = self.case.slopes(&broken)?;
                by_gradients(&slopes)
            }),
            Fault::WrongOutput { .. } | Fault::WrongTerm | Fault::TermLeftOut => {
                explained(&broken.trace)
            }
            Fault::Unchanged | Fault::SavedUnchanged => again(self.case, &broken),
        };
        outcome.is_err()
    }

    /// The operation's inputs that have gradients, each with the slopes along it.
    fn inputs(&self) -> Vec<(usize, &Slopes)> {
        let slopes = |leaf: &usize| self.slopes.iter().find(|slopes| slopes.leaf == *leaf);
        let inputs = self.made().inputs.iter().enumerate();
        inputs
            .filter_map(|(n, leaf)| Some((n, slopes(leaf)?)))
            .collect()
    }

    fn of_gradients(&self) -> Vec<Candidate> {
        let mut all = Vec::new();
        for (input, slopes) in self.inputs() {
            let cells = || slopes.cells.iter().enumerate();
            // The part of 1 % that exceeds the relative tolerance, compared with the noise.
            let seen = |slope: &f64| slope.abs() * 0.008 > 2.0 * NOISE * self.largest;
            all.extend(cells().map(|(cell, x)| (Fault::OnePercent { input, cell }, seen(x))));
            let some = self.largest > 0.0;
            all.extend(cells().map(|(cell, _)| (Fault::WrongCell { input, cell }, some)));
            all.push((Fault::Missing { input }, slopes.cells.iter().any(seen)));
        }
        all
    }

    fn of_swaps(&self) -> Vec<Candidate> {
        let shape = |input: usize| {
            self.sound.trace.steps()[self.made().inputs[input]]
                .value
                .shape()
        };
        let sound = self.case.gradients(&self.sound);
        let inputs = self.inputs();
        let mut all = Vec::new();
        for (n, (a, _)) in inputs.iter().enumerate() {
            for (b, _) in inputs[n + 1..]
                .iter()
                .filter(|(b, _)| shape(*a) == shape(*b))
            {
                let (a, b) = (*a, *b);
                for fault in [
                    Fault::GradientsSwapped { a, b },
                    Fault::InputsSwapped { a, b },
                ] {
                    let grads = self.case.gradients(&self.with(fault));
                    all.push((fault, self.far(&sound, &grads)));
                }
                let fault = Fault::ForwardSwapped { a, b };
                let [broken, sound] =
                    [&self.with(fault), &self.sound].map(|run| Some(run.value().clone()));
                all.push((fault, self.far(&[broken], &[sound])));
            }
        }
        all
    }

    /// True if some cell differs by more than noise.
    fn far(&self, a: &[Option<Tensor>], b: &[Option<Tensor>]) -> bool {
        let cells = |all: &[Option<Tensor>]| -> Vec<f32> {
            all.iter()
                .flatten()
                .flat_map(|x| x.data().to_vec())
                .collect()
        };
        let (a, b) = (cells(a), cells(b));
        a.len() != b.len()
            || a.iter()
                .zip(&b)
                .any(|(a, b)| f64::from((a - b).abs()) > 0.02 * self.largest)
    }

    fn of_cells(&self) -> Vec<Candidate> {
        let output = self.sound.value();
        let cells = output.data().iter().enumerate();
        let mut all: Vec<_> = cells
            .map(|(cell, y)| (Fault::WrongOutput { cell }, y.abs() > 2e-3))
            .collect();
        let of_input = |index: Vec<usize>| {
            let cell = self.sound.trace.explain(self.sound.output, &index);
            cell.terms.iter().any(|term| term.step.is_some())
        };
        if output.indices().any(of_input) {
            all.extend([Fault::WrongTerm, Fault::TermLeftOut].map(|fault| (fault, true)));
        }
        all
    }

    fn of_runs(&self) -> Vec<Candidate> {
        let mut all = Vec::new();
        // Skip inputs with no cell that can sensibly be changed or that has an effect.
        let leaves = self.case.leaves.iter().enumerate();
        let mut edited = leaves.flat_map(|(n, leaf)| {
            let cells = 0..leaf.value.len();
            cells.filter_map(move |cell| Some(self.sound.edited(n, cell, leaf.other(cell)?)))
        });
        let saved = |run: &Recorded| match &run.trace.steps()[run.output].origin {
            Origin::Computed(made) => made.saved.clone(),
            _ => Vec::new(),
        };
        let runs: Vec<Recorded> = edited.by_ref().collect();
        if !self.made().inputs.is_empty() {
            let changes = runs.iter().any(|run| run.value() != self.sound.value());
            all.push((Fault::Unchanged, changes));
        }
        if !self.made().saved.is_empty() {
            let changes = runs.iter().any(|run| saved(run) != saved(&self.sound));
            all.push((Fault::SavedUnchanged, changes));
        }
        all
    }
}
