//! What an operation is: its forward half, its backward half, and how it explains a cell.

use super::{Explanation, Gradient, Nature};
use crate::tensor::{Axes, Tensor};

/// One operation. Each has a file in `src/ops`, and [`Var::apply`](super::Var::apply) records its run.
///
/// The value of an operation is its **settings**: a factor, an order of axes, which cells dropout drops. What a *run*
/// of it leaves, the output and what [`Op::forward_saving`] saves, belongs to the tape. So an operation runs again, over
/// other inputs, by calling `forward` once more, and nothing of the earlier run can get into the later one. Three rules
/// follow:
///
/// - **Settings that depend on the inputs' tape** are worked out by the method of `Var` before the operation is made:
///   [`dropout`](super::Var::dropout) draws its mask there, from the tape's seed, so a run that is repeated drops the
///   same cells.
/// - **A fused operation saves** what its backward pass would otherwise have to compute a second time.
/// - **A second output** is such a saved tensor ([`Var::saved`](super::Var::saved)): it can be looked at, but gradients
///   pass through the first output alone.
pub trait Op: Send + Sync {
    /// The file's name in `src/ops`, whose anchor `forward` is the running source.
    fn name(&self) -> &'static str;

    /// The output, from the inputs and the settings alone. Panics, with both shapes, where the inputs do not fit.
    #[track_caller]
    fn forward(&self, inputs: &[Tensor]) -> Tensor;

    /// [`Op::forward`], and the tensors that the backward pass will want beside inputs and output; none for most.
    #[track_caller]
    fn forward_saving(&self, inputs: &[Tensor]) -> (Tensor, Vec<Tensor>) {
        (self.forward(inputs), Vec::new())
    }

    /// The gradient of the loss by each input, given the gradient `dy` by the output; `None` for
    /// an input that has none (ids, masks).
    fn backward(&self, run: Run<'_>, dy: &Tensor) -> Vec<Option<Tensor>>;

    /// [`Op::backward`] for a training step, which adds up the gradients of many runs: so those of parameters may be in
    /// another form than cell by cell.
    fn gradients(&self, run: Run<'_>, dy: &Tensor) -> Vec<Option<Gradient>> {
        let all = self.backward(run, dy).into_iter();
        all.map(|dx| dx.map(Gradient::Whole)).collect()
    }

    /// Which cells, with which values and roles, made the cell of the output at `index`.
    fn explain(&self, run: Run<'_>, index: &[usize]) -> Explanation;

    /// The names of the output's axes, from those of the inputs.
    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        same_rank(inputs, output)
    }

    /// What kind of numbers the output holds, given what the inputs hold.
    fn nature(&self, _inputs: &[Nature]) -> Nature {
        Nature::Signed
    }

    /// Floating-point operations of the forward half.
    fn flops(&self, _inputs: &[Tensor], output: &Tensor) -> u64 {
        output.len() as u64
    }
}

/// One run of an operation, as the tape recorded it.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// What it was given.
    pub inputs: &'a [Tensor],
    /// What it gave.
    pub output: &'a Tensor,
    /// What [`Op::forward_saving`] saved.
    pub saved: &'a [Tensor],
}

/// The axes of the first input that has the output's rank; unnamed axes if there is none.
pub fn same_rank(inputs: &[Axes], output: &Tensor) -> Axes {
    let fitting = inputs.iter().find(|axes| axes.len() == output.rank());
    fitting.cloned().unwrap_or_else(|| vec![""; output.rank()])
}

/// The axes of two inputs that stretch over each other: of two names for one axis, the first that is
/// not a placeholder.
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
