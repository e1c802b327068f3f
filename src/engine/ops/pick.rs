//! One cell of every row, chosen by an id: `y[…] = x[…, ids[…]]`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor};

struct Pick;

impl Var {
    /// Picks from each row of `x [.., v]` the cell at its id in `ids [..]`: `[..]`.
    #[track_caller]
    pub fn pick(&self, ids: &Var) -> Var {
        self.apply(Pick, &[ids])
    }
}

impl Op for Pick {
    fn name(&self) -> &'static str {
        "pick"
    }

    // ANCHOR: forward
    // Picks from each row of x [.., v] the cell at its id in ids [..]: [..].
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let (x, ids) = (&inputs[0], &inputs[1]);
        let leading = &x.shape()[..x.rank() - 1];
        assert!(
            leading == ids.shape(),
            "pick: rows of shape {leading:?} and ids of shape {:?} must be equal",
            ids.shape()
        );
        let rows = x.data().chunks(x.last()).zip(ids.data());
        let y = rows.map(|(row, &id)| row[id as usize]).collect();
        Tensor::new(ids.shape(), y)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = x[…, id], so dx is dy at that cell and 0 elsewhere
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let mut dx = Tensor::zeros(run.inputs[0].shape());
        let width = dx.last();
        let rows = dx.data_mut().chunks_mut(width).zip(run.inputs[1].data());
        for ((row, &id), d) in rows.zip(dy.data()) {
            row[id as usize] = *d;
        }
        vec![Some(dx), None]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let id = run.inputs[1].at(index) as usize;
        Explanation::new("x[id]")
            .cell("x", 0, &run.inputs[0], &[index, &[id]].concat())
            .cell("id", 1, &run.inputs[1], index)
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        inputs[1].clone()
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, ids, numbers};

    let case = |about, shape: &[usize], ids| {
        Case::new(about, [numbers(shape), ids], |_, v| v[0].pick(&v[1]))
    };
    vec![
        case("a word a row", &[3, 4], ids(&[3], &[2.0, 0.0, 3.0])),
        case("batch 1, length 1", &[1, 1, 3], ids(&[1, 1], &[1.0])),
    ]
}
