//! The axes in another order: `y[i_0, i_1, …] = x[…]` with axis `n` of `y` taken from axis `order[n]`.

use crate::autograd::{Explanation, Nature, Op, Var};
use crate::tensor::{Axes, Tensor};

struct Permute {
    order: Vec<usize>,
    nature: Nature,
}

impl Var {
    // ANCHOR: forward
    /// Axis `n` of the result is axis `order[n]` of this tensor.
    #[track_caller]
    pub fn permute(&self, order: &[usize]) -> Var {
        let op = Permute {
            order: order.to_vec(),
            nature: self.nature(),
        };
        self.tape().record(op, &[self], self.value().permute(order))
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
    // ANCHOR_END: forward
}

impl Permute {
    /// Where input axis `i` went.
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

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].permute(&self.order)
    }

    // ANCHOR: backward
    // forward moved the axes, so the gradient moves them back
    fn backward(&self, _: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.permute(&self.inverse()))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        let from: Vec<usize> = self.inverse().iter().map(|&to| index[to]).collect();
        Explanation::new("x").cell("x", 0, &inputs[0], &from)
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        self.order.iter().map(|&from| inputs[0][from]).collect()
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
    fn permute_and_its_gradient() {
        check::op(&[check::normal(&[2, 3, 4])], |_, v| {
            v[0].permute(&[2, 0, 1])
        });
        check::op(&[check::normal(&[2, 3, 4])], |_, v| v[0].transpose());
    }
}
