//! A new shape for the same cells in the same order (PyTorch's `view`).

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor};

struct Reshape {
    shape: Vec<usize>,
    axes: Axes,
}

impl Var {
    /// The same cells in the same order, with a new shape and these axis names.
    #[track_caller]
    pub fn reshape(&self, shape: &[usize], axes: &[&'static str]) -> Var {
        let (shape, axes) = (shape.to_vec(), axes.to_vec());
        self.apply(Reshape { shape, axes }, &[])
    }

    /// Inserts an axis of size 1 at `axis`: `[b, s]` with axis 1 becomes `[b, 1, s]`.
    #[track_caller]
    pub fn unsqueeze(&self, axis: usize) -> Var {
        let (mut shape, mut axes) = (self.shape(), self.axes());
        shape.insert(axis, 1);
        axes.insert(axis, "");
        self.reshape(&shape, &axes)
    }
}

impl Op for Reshape {
    fn name(&self) -> &'static str {
        "reshape"
    }

    // ANCHOR: forward
    // The same cells in the same order, with a new shape.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].reshape(&self.shape)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward moved no cell, so neither does the gradient
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.reshape(run.inputs[0].shape()))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let mut flat = run.output.offset(index);
        let mut from: Vec<usize> = run.inputs[0]
            .shape()
            .iter()
            .rev()
            .map(|&size| {
                let i = flat % size;
                flat /= size;
                i
            })
            .collect();
        from.reverse();
        Explanation::new("x").cell("x", 0, &run.inputs[0], &from)
    }

    fn only_moves(&self) -> bool {
        true
    }

    fn axes(&self, _: &[Axes], _: &Tensor) -> Axes {
        self.axes.clone()
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    vec![
        Case::new("three axes of two", [numbers(&[2, 6])], |_, v| {
            v[0].reshape(&[3, 2, 2], &["", "", ""])
        }),
        Case::new("a new axis", [numbers(&[2, 3])], |_, v| v[0].unsqueeze(1)),
        Case::new("one cell", [numbers(&[1, 1])], |_, v| {
            v[0].reshape(&[1], &[""])
        }),
    ]
}
