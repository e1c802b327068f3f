//! The interface of an operation: its forward pass, its backward pass, and how it explains a cell.

use super::{Explanation, Gradient, Nature};
use crate::tensor::{Axes, Tensor, broadcast};

/// An operation. Each has a file in `src/engine/ops`, and [`Var::apply`](super::Var::apply) records its run.
///
/// The value of an operation holds its **settings**: a factor, an order of axes, the cells that dropout drops. The
/// results of a *run*, the output and what [`Op::forward_saving`] saves, belong to the tape. To run an operation again
/// on different inputs, call `forward` once more; nothing from the earlier run can leak into the later one. Three rules
/// follow:
///
/// - **Settings that depend on the inputs' tape** are computed by the method of `Var` before the operation is created:
///   [`dropout`](super::Var::dropout) draws its mask there, from the tape's seed, so a repeated run drops the same
///   cells.
/// - **A fused operation saves** what its backward pass would otherwise have to compute a second time.
/// - **A second output** is such a saved tensor ([`Var::saved`](super::Var::saved)): it can be inspected, but gradients
///   pass only through the first output.
pub trait Op: Send + Sync {
    /// The name of the operation's file in `src/engine/ops`, whose anchor `forward` marks the source code that runs.
    fn name(&self) -> &'static str;

    /// The output, computed only from the inputs and the settings. Panics, naming both shapes, if the inputs do not
    /// fit.
    #[track_caller]
    fn forward(&self, inputs: &[Tensor]) -> Tensor;

    /// [`Op::forward`], with the tensors that the backward pass needs besides inputs and output; none for most
    /// operations.
    #[track_caller]
    fn forward_saving(&self, inputs: &[Tensor]) -> (Tensor, Vec<Tensor>) {
        (self.forward(inputs), Vec::new())
    }

    /// The gradient of the loss with respect to each input, given the gradient `dy` with respect to the
    /// output; `None` for an input that has none (ids, masks).
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>>;

    /// [`Op::backward`] for a training step, which only adds up the gradients of many runs, so those of parameters may
    /// have a more compact form than a full tensor.
    fn gradients(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Gradient>> {
        let all = self.backward(run, dy).into_iter();
        all.map(|dx| dx.map(Gradient::Dense)).collect()
    }

    /// The cells, with their values and roles, from which the output cell at `index` was computed.
    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation;

    /// True if the operation computes nothing: every output cell is a cell of the input at a different index, so its
    /// [`nature`](Op::nature) is the input's and it takes no [`flops`](Op::flops).
    fn only_moves(&self) -> bool {
        false
    }

    /// The names of the output's axes, from those of the inputs.
    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        same_rank(inputs, output)
    }

    /// The kind of numbers in the output, given the kinds of the inputs.
    fn nature(&self, inputs: &[Nature]) -> Nature {
        if self.only_moves() {
            inputs[0]
        } else {
            Nature::Signed
        }
    }

    /// Number of floating-point operations in the forward pass.
    fn flops(&self, _inputs: &[Tensor], output: &Tensor) -> u64 {
        if self.only_moves() {
            0
        } else {
            output.len() as u64
        }
    }
}

/// One run of an operation, as the tape recorded it.
#[derive(Clone, Copy)]
pub struct OpRun<'a> {
    /// The inputs.
    pub inputs: &'a [Tensor],
    /// The output.
    pub output: &'a Tensor,
    /// The tensors that [`Op::forward_saving`] saved.
    pub saved: &'a [Tensor],
}

/// The axes of the first input that has the output's rank; unnamed axes if there is none.
pub fn same_rank(inputs: &[Axes], output: &Tensor) -> Axes {
    let fitting = inputs.iter().find(|axes| axes.len() == output.rank());
    fitting.cloned().unwrap_or_else(|| vec![""; output.rank()])
}

/// Explains a cell that a formula computes from `a` and `b`, the cells of a run's two inputs after broadcasting.
pub fn explain_pair(formula: &str, run: &OpRun<'_>, index: &[usize]) -> Explanation {
    let (a, b) = (&run.inputs[0], &run.inputs[1]);
    Explanation::new(formula)
        .cell("a", 0, a, &broadcast::source(a, index))
        .cell("b", 1, b, &broadcast::source(b, index))
}

/// The axes of two inputs that are broadcast against each other: of two names for one axis, the first
/// that is not a placeholder.
pub fn stretched(inputs: &[Axes], output: &Tensor) -> Axes {
    let rank = output.rank();
    let name = |axes: &Axes, axis: usize| {
        (axis + axes.len())
            .checked_sub(rank)
            .map_or("", |i| axes[i])
    };
    let named = |axis| {
        inputs
            .iter()
            .map(move |axes| name(axes, axis))
            .find(|name| !name.is_empty())
    };
    (0..rank).map(|axis| named(axis).unwrap_or("")).collect()
}
