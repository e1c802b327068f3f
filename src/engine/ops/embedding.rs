//! Row lookup: `y[…, :] = table[ids[…], :]`.

use crate::autograd::{Explanation, Gradient, Op, OpRun, RowGradient, Var};
use crate::tensor::{Axes, Tensor};

struct Embedding;

impl Var {
    /// Looks up the row of each id in this table `[vocabulary, d_model]`: `ids.shape + [d_model]`.
    /// Panics if an id has no row.
    #[track_caller]
    pub fn embedding(&self, ids: &Var) -> Var {
        self.apply(Embedding, &[ids])
    }
}

impl Op for Embedding {
    fn name(&self) -> &'static str {
        "embedding"
    }

    // ANCHOR: forward
    // Looks up the row of each id in the table [vocabulary, d_model]: ids.shape + [d_model].
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let (table, ids) = (&inputs[0], &inputs[1]);
        let &[vocabulary, width] = table.shape() else {
            panic!(
                "embedding: the table must be [vocabulary, d_model], not {:?}",
                table.shape()
            );
        };
        let mut y = Vec::with_capacity(ids.len() * width);
        for &id in ids.data() {
            let id = id as usize;
            assert!(
                id < vocabulary,
                "embedding: id {id} has no row in a table of {vocabulary}"
            );
            y.extend_from_slice(&table.data()[id * width..(id + 1) * width]);
        }
        Tensor::new(&[ids.shape(), &[width]].concat(), y)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward copied rows, so dtable adds every dy to the row that it was copied from
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        Gradient::all_dense(self.gradients(run, dy))
    }

    // Only the rows that were looked up, so that a step neither fills nor sums tables of zeros.
    fn gradients(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Gradient>> {
        let (table, ids) = (&run.inputs[0], &run.inputs[1]);
        let shape = [table.shape()[0], table.last()];
        let ids = ids.data().iter().map(|&id| id as usize);
        let rows = RowGradient::gathered(shape, ids, dy.data());
        vec![Some(Gradient::Rows(rows)), None]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let (at, column) = index.split_at(index.len() - 1);
        let id = run.inputs[1].at(at) as usize;
        Explanation::new("table[id]")
            .cell("table", 0, &run.inputs[0], &[id, column[0]])
            .cell("id", 1, &run.inputs[1], at)
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        [&inputs[1][..], &inputs[0][1..]].concat()
    }

    fn flops(&self, _: &[Tensor], _: &Tensor) -> u64 {
        0
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, ids, numbers};

    let case = |about, table: [usize; 2], ids| {
        Case::new(about, [numbers(&table), ids], |_, v| v[0].embedding(&v[1]))
    };
    let twice = ids(&[2, 2], &[4.0, 0.0, 4.0, 2.0]);
    vec![
        case("one id twice", [5, 3], twice),
        case("batch 1, length 1", [2, 1], ids(&[1, 1], &[1.0])),
    ]
}

#[cfg(test)]
mod tests {
    use crate::ops::check;
    use crate::tensor::Tensor;

    #[test]
    #[should_panic(expected = "id 5 has no row in a table of 5")]
    fn an_id_without_a_row_is_named() {
        check::op(&[check::normal(&[5, 3])], |tape, v| {
            v[0].embedding(&tape.ids("ids", Tensor::new(&[1], vec![5.0]), &["s"]))
        });
    }
}
