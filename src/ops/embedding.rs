//! Row lookup: `y[…, :] = table[ids[…], :]`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Axes, Tensor};

struct Embedding;

impl Var {
    // ANCHOR: forward
    /// The rows of this table `[vocabulary, d_model]` that `ids` name: `ids.shape + [d_model]`.
    /// Panics if an id has no row.
    #[track_caller]
    pub fn embedding(&self, ids: &Var) -> Var {
        let (table, which) = (self.value(), ids.value());
        let &[vocabulary, width] = table.shape() else {
            panic!(
                "embedding: the table must be [vocabulary, d_model], not {:?}",
                table.shape()
            );
        };
        let mut y = Vec::with_capacity(which.len() * width);
        for &id in which.data() {
            let id = id as usize;
            assert!(
                id < vocabulary,
                "embedding: id {id} has no row in a table of {vocabulary}"
            );
            y.extend_from_slice(&table.data()[id * width..(id + 1) * width]);
        }
        let y = Tensor::new(&[which.shape(), &[width]].concat(), y);
        self.tape().record(Embedding, &[self, ids], y)
    }
    // ANCHOR_END: forward
}

impl Op for Embedding {
    fn name(&self) -> &'static str {
        "embedding"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].embedding(&inputs[1])
    }

    // ANCHOR: backward
    // forward copied rows, so dtable gathers every dy into the row that it was copied from
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let mut dtable = Tensor::zeros(inputs[0].shape());
        let width = dtable.last();
        let rows = dtable.data_mut();
        for (&id, dy) in inputs[1].data().iter().zip(dy.data().chunks(width)) {
            let first = id as usize * width;
            for (sum, d) in rows[first..first + width].iter_mut().zip(dy) {
                *sum += d;
            }
        }
        vec![Some(dtable), None]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        let (at, column) = index.split_at(index.len() - 1);
        let id = inputs[1].at(at) as usize;
        Explanation::new("table[id]")
            .cell("table", 0, &inputs[0], &[id, column[0]])
            .cell("id", 1, &inputs[1], at)
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        [&inputs[1][..], &inputs[0][1..]].concat()
    }

    fn flops(&self, _: &[Tensor], _: &Tensor) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;
    use crate::tensor::Tensor;

    #[test]
    fn embedding_and_its_gradient() {
        check::op(&[check::normal(&[5, 3])], |tape, v| {
            let ids = tape.ids(
                "ids",
                Tensor::new(&[2, 2], vec![4.0, 0.0, 4.0, 2.0]),
                &["b", "s"],
            );
            v[0].embedding(&ids)
        });
    }

    #[test]
    #[should_panic(expected = "id 5 has no row in a table of 5")]
    fn an_id_without_a_row_is_named() {
        check::op(&[check::normal(&[5, 3])], |tape, v| {
            v[0].embedding(&tape.ids("ids", Tensor::new(&[1], vec![5.0]), &["s"]))
        });
    }
}
