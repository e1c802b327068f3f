//! Broadcasting written out: a tensor repeated along its axes of size 1.

use crate::autograd::{Explanation, Nature, Op, Var};
use crate::tensor::{Axes, Tensor, broadcast};

struct Expand {
    axes: Axes,
    nature: Nature,
}

impl Var {
    // ANCHOR: forward
    /// This tensor repeated to `shape`; every axis that grows must have size 1, and missing leading
    /// axes are made.
    #[track_caller]
    pub fn expand(&self, shape: &[usize], axes: &[&'static str]) -> Var {
        let op = Expand {
            axes: axes.to_vec(),
            nature: self.nature(),
        };
        self.tape()
            .record(op, &[self], broadcast::expand(&self.value(), shape))
    }
    // ANCHOR_END: forward
}

impl Op for Expand {
    fn name(&self) -> &'static str {
        "expand"
    }

    fn again(&self, inputs: &[Var], output: &Tensor) -> Var {
        inputs[0].expand(output.shape(), &self.axes)
    }

    // ANCHOR: backward
    // forward repeated x, so dx sums dy over the repetitions
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(broadcast::sum_to(dy, inputs[0].shape()))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        let from = broadcast::source(&inputs[0], index);
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
    fn expand_and_its_gradient() {
        let axes = ["", "", ""];
        check::op(&[check::normal(&[2, 1, 4])], |_, v| {
            v[0].expand(&[2, 3, 4], &axes)
        });
        check::op(&[check::normal(&[4])], |_, v| {
            v[0].expand(&[2, 3, 4], &axes)
        });
    }
}
