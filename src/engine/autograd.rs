//! Reverse-mode automatic differentiation: a tape that records every operation, its backward pass,
//! and the recorded run that a learner steps through.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::params::{Param, Params};
use crate::tensor::threads::check;
use crate::tensor::{Axes, Tensor};

mod altered;
mod backward;
mod component;
mod explain;
mod gradient;
mod grads;
mod op;
pub mod reference;
mod replay;
mod trace;

pub use altered::{Alteration, Altered, altered};
use backward::is_differentiable;
pub use component::{Component, Replacement};
pub use explain::{Combination, Explanation, Operand, Term, recompute};
pub use gradient::{Gradient, ProductGradient, RowGradient};
pub use grads::Grads;
pub use op::{Op, OpRun, explain_pair, same_rank, stretched};
pub use replay::Edit;
pub use trace::{CellOrigin, OriginTerm, Step, Trace};

/// The kind of numbers in a tensor, which decides how it is displayed and whether gradients pass through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// Numbers of both signs around 0.
    Signed,
    /// Probabilities: numbers from 0 to 1 that sum to 1.
    Probability,
    /// 1 where a cell may be seen, 0 where it is blocked.
    Mask,
    /// Token ids.
    Ids,
}

/// Where a recorded tensor comes from.
#[derive(Clone)]
pub enum Origin {
    /// Trained weights.
    Parameter(Param),
    /// Given from outside, such as ids or random queries.
    Input,
    /// Fixed by a formula or by hand; never trained.
    Constant,
    /// The output of an operation.
    Computed(Computed),
}

/// The operation that computed a tensor.
#[derive(Clone)]
pub struct Computed {
    /// The operation and its settings.
    pub op: Arc<dyn Op>,
    /// The step numbers of its inputs.
    pub inputs: Vec<usize>,
    /// The tensors that its run saved: see [`Op::forward_saving`].
    pub saved: Vec<Tensor>,
}

impl Computed {
    /// Calls `then` with the operation and its run, on the inputs that `value` returns for their step numbers.
    fn run<T>(
        &self,
        output: &Tensor,
        value: impl Fn(usize) -> Tensor,
        then: impl FnOnce(&dyn Op, OpRun<'_>) -> T,
    ) -> T {
        let inputs: Vec<Tensor> = self.inputs.iter().map(|&i| value(i)).collect();
        let run = OpRun {
            inputs: &inputs,
            output,
            saved: &self.saved,
        };
        then(self.op.as_ref(), run)
    }
}

struct Node {
    name: String,
    value: Tensor,
    axes: Axes,
    nature: Nature,
    origin: Origin,
    /// True if it depends on a parameter or a differentiable input.
    differentiable: bool,
}

struct Recording {
    params: Params,
    param_vars: HashMap<Param, usize>,
    nodes: Vec<Node>,
    scope: Vec<String>,
    dropout_seed: Option<u64>,
    /// The number of dropouts so far, if this selects the mask instead of the step number.
    dropout_turn: Option<u64>,
    /// True if layers may run in their fused forms.
    fused: bool,
    /// Replacements for the engine's components.
    components: component::Components,
    /// Called with the name of each step when the next one is recorded.
    watcher: Option<Watcher>,
}

/// A callback that follows a run while it is recorded.
type Watcher = Box<dyn FnMut(&str)>;

/// A recording of operations as they run. A clone is another handle to the same recording.
#[derive(Clone)]
pub struct Tape(Rc<RefCell<Recording>>);

/// A recorded tensor: a handle to one node of a [`Tape`].
#[derive(Clone)]
pub struct Var {
    tape: Tape,
    id: usize,
}

impl Tape {
    /// Creates a tape for evaluation, on which dropout does nothing.
    pub fn eval(params: &Params) -> Self {
        Self::new(params, None)
    }

    /// Creates a tape for training, on which dropout draws its masks from `seed`.
    pub fn train(params: &Params, seed: u64) -> Self {
        Self::new(params, Some(seed))
    }

    fn new(params: &Params, dropout_seed: Option<u64>) -> Self {
        Self(Rc::new(RefCell::new(Recording {
            params: params.clone(),
            param_vars: HashMap::new(),
            nodes: Vec::new(),
            scope: Vec::new(),
            dropout_seed,
            dropout_turn: None,
            fused: false,
            components: component::Components::default(),
            watcher: None,
        })))
    }

    /// Lets layers run in their fused forms: fewer, larger steps that keep less in memory and give the same numbers up
    /// to rounding. For training, because a learner's run records every step.
    #[must_use]
    pub fn fused(self) -> Self {
        self.0.borrow_mut().fused = true;
        self
    }

    /// True if layers may run in their fused forms: see [`Tape::fused`].
    pub fn is_fused(&self) -> bool {
        self.0.borrow().fused
    }

    /// Calls `watcher` with the name of every step from now on, at the time when the next step is recorded.
    pub fn watch(&self, watcher: impl FnMut(&str) + 'static) {
        self.0.borrow_mut().watcher = Some(Box::new(watcher));
    }

    /// The seed of this run's dropout masks; `None` when evaluating.
    pub fn dropout_seed(&self) -> Option<u64> {
        self.0.borrow().dropout_seed
    }

    /// Selects each dropout mask by the number of dropouts before it instead of its step number, so that two ways to
    /// write one function drop the same cells.
    #[must_use]
    pub fn dropping_by_turn(self) -> Self {
        self.0.borrow_mut().dropout_turn = Some(0);
        self
    }

    /// The number that, with the seed, determines the mask of a dropout applied to `step`.
    pub fn dropout_site(&self, step: usize) -> u64 {
        match &mut self.0.borrow_mut().dropout_turn {
            Some(turn) => {
                *turn += 1;
                *turn
            }
            None => step as u64,
        }
    }

    /// Runs a part of the model, prefixing the names of the steps it records with `name`.
    pub fn scoped<T>(&self, name: &str, run: impl FnOnce() -> T) -> T {
        self.0.borrow_mut().scope.push(name.to_owned());
        let result = run();
        self.0.borrow_mut().scope.pop();
        result
    }

    /// Returns the parameter `param`, recorded at its first use.
    pub fn param(&self, param: Param) -> Var {
        if let Some(&id) = self.0.borrow().param_vars.get(&param) {
            return self.var(id);
        }
        let node = {
            let recording = self.0.borrow();
            Node {
                name: recording.params.name(param).to_owned(),
                value: recording.params.get(param).clone(),
                axes: recording.params.axes(param).clone(),
                nature: Nature::Signed,
                origin: Origin::Parameter(param),
                differentiable: true,
            }
        };
        let var = self.push(node);
        self.0.borrow_mut().param_vars.insert(param, var.id);
        var
    }

    /// Records a tensor from outside that can have a gradient.
    pub fn input(&self, name: &str, value: Tensor, axes: &[&'static str]) -> Var {
        self.leaf(name, value, axes, Nature::Signed, Origin::Input)
    }

    /// Records token ids, as whole numbers.
    pub fn ids(&self, name: &str, value: Tensor, axes: &[&'static str]) -> Var {
        self.leaf(name, value, axes, Nature::Ids, Origin::Input)
    }

    /// Records a mask from outside: 1 may be seen, 0 is blocked.
    pub fn mask(&self, name: &str, value: Tensor, axes: &[&'static str]) -> Var {
        self.leaf(name, value, axes, Nature::Mask, Origin::Input)
    }

    /// Records a tensor that is never trained and has no gradient.
    pub fn constant(&self, name: &str, value: Tensor, axes: &[&'static str]) -> Var {
        self.leaf(name, value, axes, Nature::Signed, Origin::Constant)
    }

    #[track_caller]
    fn leaf(
        &self,
        name: &str,
        value: Tensor,
        axes: &[&'static str],
        nature: Nature,
        origin: Origin,
    ) -> Var {
        assert!(
            axes.len() == value.rank(),
            "{name}: {} axis names for shape {:?}",
            axes.len(),
            value.shape()
        );
        let axes = axes.to_vec();
        self.push(Node {
            name: self.path(name),
            value,
            axes,
            nature,
            differentiable: is_differentiable(&origin, nature, |_| false),
            origin,
        })
    }

    /// Runs `op` on `inputs` and records its output, as for every computed tensor on a tape.
    #[track_caller]
    pub fn apply(&self, op: impl Op + 'static, inputs: &[&Var]) -> Var {
        let mut values: Vec<Tensor> = inputs.iter().map(|v| v.value()).collect();
        let alteration = altered::next();
        if let Some(how) = alteration {
            values = how.inputs(values);
        }
        let (mut value, saved) = op.forward_saving(&values);
        if let Some(how) = alteration {
            value = how.output(&values, value, |inputs| op.forward(inputs));
        }
        let ids: Vec<usize> = inputs.iter().map(|v| v.id).collect();
        let (axes, nature) = {
            let nodes = &self.0.borrow().nodes;
            let axes: Vec<Axes> = ids.iter().map(|&i| nodes[i].axes.clone()).collect();
            let natures: Vec<Nature> = ids.iter().map(|&i| nodes[i].nature).collect();
            (op.axes(&axes, &value), op.nature(&natures))
        };
        debug_assert!(
            axes.len() == value.rank(),
            "{}: {} axes have {} names",
            op.name(),
            value.rank(),
            axes.len()
        );
        let kind = op.name();
        let name = self.path(kind);
        let origin = Origin::Computed(Computed {
            op: Arc::new(op),
            inputs: ids,
            saved,
        });
        let differentiable = {
            let nodes = &self.0.borrow().nodes;
            is_differentiable(&origin, nature, |i| nodes[i].differentiable)
        };
        let output = self.push(Node {
            name,
            value,
            axes,
            nature,
            origin,
            differentiable,
        });
        altered::made(kind, &output, inputs);
        output
    }

    /// The tensor recorded last under this full name, `src_embed.embedded`.
    pub fn named(&self, name: &str) -> Option<Var> {
        let id = self.0.borrow().nodes.iter().rposition(|n| n.name == name)?;
        Some(self.var(id))
    }

    fn path(&self, name: &str) -> String {
        let recording = self.0.borrow();
        let scopes = recording.scope.iter().map(String::as_str);
        scopes.chain([name]).collect::<Vec<_>>().join(".")
    }

    fn push(&self, node: Node) -> Var {
        // Long work records many steps, so checking here is enough to cancel it.
        check();
        let mut recording = self.0.borrow_mut();
        // Take the watcher out during its call, so that it may use the tape.
        let watcher = recording.watcher.take();
        // By now, the previous step has its final name.
        let before = recording.nodes.last().filter(|_| watcher.is_some());
        let name = before.map(|node| node.name.clone());
        recording.nodes.push(node);
        let id = recording.nodes.len() - 1;
        drop(recording);
        if let Some(mut watcher) = watcher {
            if let Some(name) = name {
                watcher(&name);
            }
            self.0.borrow_mut().watcher.get_or_insert(watcher);
        }
        self.var(id)
    }

    fn var(&self, id: usize) -> Var {
        Var {
            tape: self.clone(),
            id,
        }
    }

    /// The run so far, as plain data that can be stepped through on any thread.
    pub fn trace(&self) -> Trace {
        let recording = self.0.borrow();
        Trace::new(recording.nodes.iter().map(|node| Step {
            name: node.name.clone(),
            value: node.value.clone(),
            axes: node.axes.clone(),
            nature: node.nature,
            origin: node.origin.clone(),
        }))
    }
}

impl Var {
    /// Runs `op` on this tensor and `others` and records its output: see [`Tape::apply`].
    #[track_caller]
    pub fn apply(&self, op: impl Op + 'static, others: &[&Var]) -> Var {
        self.tape.apply(op, &[&[self], others].concat())
    }

    /// The tensor with index `number` among those that the operation saved: see [`Op::forward_saving`]. Panics if there
    /// is none.
    #[track_caller]
    pub fn saved(&self, number: usize) -> Tensor {
        match &self.tape.0.borrow().nodes[self.id].origin {
            Origin::Computed(made) => made.saved[number].clone(),
            _ => panic!("saved: a leaf was not computed, so nothing was saved"),
        }
    }

    /// The recorded values.
    pub fn value(&self) -> Tensor {
        self.tape.0.borrow().nodes[self.id].value.clone()
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> Vec<usize> {
        self.tape.0.borrow().nodes[self.id].value.shape().to_vec()
    }

    /// The names of the axes.
    pub fn axes(&self) -> Axes {
        self.tape.0.borrow().nodes[self.id].axes.clone()
    }

    /// The kind of numbers in the tensor.
    pub fn nature(&self) -> Nature {
        self.tape.0.borrow().nodes[self.id].nature
    }

    /// The tape that recorded the tensor.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The step number in the run.
    pub fn id(&self) -> usize {
        self.id
    }

    /// Names the tensor, as the paper or the lesson calls it.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        let path = self.tape.path(name);
        self.tape.0.borrow_mut().nodes[self.id].name = path;
        self
    }

    /// Renames the axes. Panics if there are not as many names as axes.
    #[must_use]
    #[track_caller]
    pub fn with_axes(self, axes: &[&'static str]) -> Self {
        assert!(
            axes.len() == self.shape().len(),
            "{axes:?} for shape {:?}",
            self.shape()
        );
        self.tape.0.borrow_mut().nodes[self.id].axes = axes.to_vec();
        self
    }

    /// The gradients of this single number with respect to everything from which it was computed.
    /// Panics if the tensor has more than one cell.
    #[track_caller]
    pub fn backward(&self) -> Grads {
        let shape = self.shape();
        assert!(
            shape.iter().product::<usize>() == 1,
            "backward: a loss is one number, this has shape {shape:?}"
        );
        self.backward_from(&Tensor::ones(&shape))
    }

    /// The gradients of `Σ self · upstream`, which seeds the backward pass of a tensor with many cells.
    #[track_caller]
    pub fn backward_from(&self, upstream: &Tensor) -> Grads {
        assert!(
            upstream.shape() == self.shape(),
            "backward: the upstream gradient is {:?}, the tensor {:?}",
            upstream.shape(),
            self.shape()
        );
        let recording = self.tape.0.borrow();
        let walked = |node| {
            let node: &Node = node;
            backward::WalkedStep {
                value: &node.value,
                origin: &node.origin,
                differentiable: node.differentiable,
            }
        };
        let steps: Vec<_> = recording.nodes.iter().map(walked).collect();
        let grads = backward::backpropagate(&steps, self.id, upstream);
        Grads {
            by_id: grads,
            param_vars: recording.param_vars.clone(),
        }
    }
}
