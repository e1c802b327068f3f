//! Another shape over the same cells in the same order (PyTorch's `view`).

use crate::autograd::{Explanation, Nature, Op, Var};
use crate::tensor::{Axes, Tensor};

struct Reshape {
    axes: Axes,
    nature: Nature,
}

impl Var {
    // ANCHOR: forward
    /// The same cells, in the same order, under another shape with these axis names.
    #[track_caller]
    pub fn reshape(&self, shape: &[usize], axes: &[&'static str]) -> Var {
        let op = Reshape {
            axes: axes.to_vec(),
            nature: self.nature(),
        };
        self.tape().record(op, &[self], self.value().reshape(shape))
    }

    /// A new axis of size 1 at `axis`: `[b, s]` with axis 1 becomes `[b, 1, s]`.
    #[track_caller]
    pub fn unsqueeze(&self, axis: usize) -> Var {
        let (mut shape, mut axes) = (self.shape(), self.axes());
        shape.insert(axis, 1);
        axes.insert(axis, "");
        self.reshape(&shape, &axes)
    }
    // ANCHOR_END: forward
}

impl Op for Reshape {
    fn name(&self) -> &'static str {
        "reshape"
    }

    fn again(&self, inputs: &[Var], output: &Tensor) -> Var {
        inputs[0].reshape(output.shape(), &self.axes)
    }

    // ANCHOR: backward
    // forward moved no cell, so neither does the gradient
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.reshape(inputs[0].shape()))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], output: &Tensor, index: &[usize]) -> Explanation {
        let mut flat = output.offset(index);
        let mut from: Vec<usize> = inputs[0]
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
        Explanation::new("x").cell("x", 0, &inputs[0], &from)
    }

    fn axes(&self, _: &[Axes], _: &Tensor) -> Axes {
        self.axes.clone()
    }

    fn nature(&self) -> Nature {
        self.nature
    }

    fn flops(&self, _: &[Tensor], _: &Tensor) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn reshape_and_its_gradient() {
        check::op(&[check::normal(&[2, 6])], |_, v| {
            v[0].reshape(&[3, 2, 2], &["", "", ""])
        });
        check::op(&[check::normal(&[2, 6])], |_, v| v[0].unsqueeze(1));
    }
}
