//! Blocking cells: `y = x` where the mask is 1, `fill` where it is 0.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Tensor, broadcast};

struct MaskFill {
    fill: f32,
}

impl Var {
    // ANCHOR: forward
    /// Keeps the cells that `mask` allows (1) and writes `fill` into those that it blocks (0).
    /// The mask stretches to the shape of the scores.
    #[track_caller]
    pub fn mask_fill(&self, mask: &Var, fill: f32) -> Var {
        let x = self.value();
        let y = broadcast::zip(
            &x,
            &mask.value(),
            |x, keep| if keep != 0.0 { x } else { fill },
        );
        assert!(
            y.shape() == x.shape(),
            "mask_fill: a mask of shape {:?} is wider than the scores {:?}",
            mask.shape(),
            x.shape()
        );
        self.tape().record(MaskFill { fill }, &[self, mask], y)
    }
    // ANCHOR_END: forward
}

impl Op for MaskFill {
    fn name(&self) -> &'static str {
        "mask_fill"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].mask_fill(&inputs[1], self.fill)
    }

    // ANCHOR: backward
    // forward replaced the blocked cells by a constant, so they get no gradient
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let kept = broadcast::zip(dy, &inputs[1], |d, keep| if keep != 0.0 { d } else { 0.0 });
        vec![Some(kept), None]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("select(mask, x, fill)")
            .cell("x", 0, &inputs[0], index)
            .cell("mask", 1, &inputs[1], &broadcast::source(&inputs[1], index))
            .constant("fill", self.fill)
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;
    use crate::tensor::Tensor;

    #[test]
    fn mask_fill_and_its_gradient() {
        check::op(&[check::normal(&[2, 3, 4])], |tape, v| {
            let mask = Tensor::new(&[2, 1, 4], vec![1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
            v[0].mask_fill(&tape.mask("mask", mask, &["b", "", "s"]), -3.0)
        });
    }
}
