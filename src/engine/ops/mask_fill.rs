//! Blocking cells: `y = x` where the mask is 1, `fill` where it is 0.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::{Tensor, broadcast};

struct MaskFill {
    fill: f32,
}

impl Var {
    /// Keeps the cells that `mask` allows (1) and writes `fill` into those that it blocks (0).
    /// The mask is broadcast to the shape of the scores.
    #[track_caller]
    pub fn mask_fill(&self, mask: &Var, fill: f32) -> Var {
        self.apply(MaskFill { fill }, &[mask])
    }
}

impl Op for MaskFill {
    fn name(&self) -> &'static str {
        "mask_fill"
    }

    // ANCHOR: forward
    // Keeps the cells that the mask allows (1) and writes `fill` into those that it blocks (0).
    // The mask is broadcast to the shape of the scores.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let (x, mask) = (&inputs[0], &inputs[1]);
        let y = broadcast::zip(x, mask, |x, keep| if keep != 0.0 { x } else { self.fill });
        assert!(
            y.shape() == x.shape(),
            "mask_fill: a mask of shape {:?} is wider than the scores {:?}",
            mask.shape(),
            x.shape()
        );
        y
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward replaced the blocked cells by a constant, so they get no gradient
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let kept = broadcast::zip(
            dy,
            &run.inputs[1],
            |d, keep| if keep != 0.0 { d } else { 0.0 },
        );
        vec![Some(kept), None]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("select(mask, x, fill)")
            .cell("x", 0, &run.inputs[0], index)
            .cell(
                "mask",
                1,
                &run.inputs[1],
                &broadcast::source(&run.inputs[1], index),
            )
            .constant("fill", self.fill)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, mask, numbers};

    let case = |about, shape: &[usize], mask, fill| {
        Case::new(about, [numbers(shape), mask], move |_, v| {
            v[0].mask_fill(&v[1], fill)
        })
    };
    let each = mask(&[2, 1, 4], &[1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
    let (blocked, one) = (mask(&[2, 1], &[0.0, 1.0]), mask(&[1, 1], &[1.0]));
    vec![
        case("a mask for each sentence", &[2, 3, 4], each, -3.0),
        case("a row that is wholly blocked", &[2, 2], blocked, -1e9),
        case("batch 1, length 1", &[1, 1], one, -1e9),
    ]
}
