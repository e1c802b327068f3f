//! Reordering of axes: `y[i_0, i_1, …] = x[…]`, with axis `n` of `y` taken from axis `order[n]`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor};

struct Permute {
    order: Vec<usize>,
}

impl Var {
    /// Reorders the axes: axis `n` of the result is axis `order[n]` of this tensor.
    #[track_caller]
    pub fn permute(&self, order: &[usize]) -> Var {
        let order = order.to_vec();
        self.apply(Permute { order }, &[])
    }

    /// The last two axes exchanged.
    #[track_caller]
    pub fn transpose(&self) -> Var {
        let rank = self.shape().len();
        assert!(
            rank >= 2,
            "transpose: {:?} has no two axes to exchange",
            self.shape()
        );
        let mut order: Vec<usize> = (0..rank).collect();
        order.swap(rank - 1, rank - 2);
        self.permute(&order)
    }
}

impl Permute {
    /// The output axis of each input axis.
    fn inverse(&self) -> Vec<usize> {
        let mut inverse = vec![0; self.order.len()];
        for (to, &from) in self.order.iter().enumerate() {
            inverse[from] = to;
        }
        inverse
    }
}

impl Op for Permute {
    fn name(&self) -> &'static str {
        "permute"
    }

    // ANCHOR: forward
    // Axis n of y is axis order[n] of x.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].permute(&self.order)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward moved the axes, so the gradient moves them back
    fn backward(&self, _: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.permute(&self.inverse()))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let from: Vec<usize> = self.inverse().iter().map(|&to| index[to]).collect();
        Explanation::new("x").cell("x", 0, &run.inputs[0], &from)
    }

    fn only_moves(&self) -> bool {
        true
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        self.order.iter().map(|&from| inputs[0][from]).collect()
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    vec![
        Case::new("three axes", [numbers(&[2, 3, 4])], |_, v| {
            v[0].permute(&[2, 0, 1])
        }),
        Case::new("rows that stay whole", [numbers(&[2, 3, 2, 2])], |_, v| {
            v[0].permute(&[0, 2, 1, 3])
        }),
        Case::new("transposed", [numbers(&[1, 3, 4])], |_, v| v[0].transpose()),
    ]
}
