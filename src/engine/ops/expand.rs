//! Explicit broadcasting: a tensor repeated along its axes of size 1.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor, broadcast};

struct Expand {
    shape: Vec<usize>,
    axes: Axes,
}

impl Var {
    /// Repeats this tensor to `shape`; every axis that grows must have size 1, and missing leading axes
    /// are added.
    #[track_caller]
    pub fn expand(&self, shape: &[usize], axes: &[&'static str]) -> Var {
        let (shape, axes) = (shape.to_vec(), axes.to_vec());
        self.apply(Expand { shape, axes }, &[])
    }
}

impl Op for Expand {
    fn name(&self) -> &'static str {
        "expand"
    }

    // ANCHOR: forward
    // Repeats x to `shape`: every axis that grows must have size 1; missing leading axes are added.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        broadcast::expand(&inputs[0], &self.shape)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward repeated x, so dx sums dy over the repetitions
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(broadcast::sum_to(dy, run.inputs[0].shape()))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let from = broadcast::source(&run.inputs[0], index);
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

    let case = |about, from: &[usize], to: &'static [usize]| {
        let expand = |_: &_, v: &[Var]| v[0].expand(to, &vec![""; to.len()]);
        Case::new(about, [numbers(from)], expand)
    };
    vec![
        case("an axis of one cell", &[2, 1, 4], &[2, 3, 4]),
        case("two axes that are missing", &[4], &[2, 3, 4]),
        case("nothing to repeat", &[1, 1], &[1, 1]),
    ]
}
