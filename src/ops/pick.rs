//! One cell of every row, chosen by an id: `y[…] = x[…, ids[…]]`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Axes, Tensor};

struct Pick;

impl Var {
    // ANCHOR: forward
    /// From `x [.., v]` and `ids [..]`, the cell of each row that its id names: `[..]`.
    #[track_caller]
    pub fn pick(&self, ids: &Var) -> Var {
        let (x, which) = (self.value(), ids.value());
        let leading = &x.shape()[..x.rank() - 1];
        assert!(
            leading == which.shape(),
            "pick: rows of shape {leading:?} and ids of shape {:?} must be equal",
            which.shape()
        );
        let rows = x.data().chunks(x.last()).zip(which.data());
        let y = rows.map(|(row, &id)| row[id as usize]).collect();
        self.tape()
            .record(Pick, &[self, ids], Tensor::new(which.shape(), y))
    }
    // ANCHOR_END: forward
}

impl Op for Pick {
    fn name(&self) -> &'static str {
        "pick"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].pick(&inputs[1])
    }

    // ANCHOR: backward
    // forward was y = x[…, id], so dx is dy at that cell and 0 elsewhere
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let mut dx = Tensor::zeros(inputs[0].shape());
        let width = dx.last();
        let rows = dx.data_mut().chunks_mut(width).zip(inputs[1].data());
        for ((row, &id), d) in rows.zip(dy.data()) {
            row[id as usize] = *d;
        }
        vec![Some(dx), None]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        let id = inputs[1].at(index) as usize;
        Explanation::new("x[id]")
            .cell("x", 0, &inputs[0], &[index, &[id]].concat())
            .cell("id", 1, &inputs[1], index)
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        inputs[1].clone()
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;
    use crate::tensor::Tensor;

    #[test]
    fn pick_and_its_gradient() {
        check::op(&[check::normal(&[3, 4])], |tape, v| {
            let ids = tape.ids("ids", Tensor::new(&[3], vec![2.0, 0.0, 3.0]), &["t"]);
            v[0].pick(&ids)
        });
    }
}
