//! The logarithm of softmax over the last axis: `y_i = x_i − log Σ_j exp(x_j)`.

use super::row_mean::row;
use crate::autograd::{Combination, Explanation, Op, OpRun, Var};
use crate::tensor::{Tensor, for_rows, vector};

struct LogSoftmax;

impl Var {
    /// Log-probabilities of every row of the last axis, computed without probabilities, which could
    /// round to 0.
    pub fn log_softmax(&self) -> Var {
        self.apply(LogSoftmax, &[])
    }
}

impl Op for LogSoftmax {
    fn name(&self) -> &'static str {
        "log_softmax"
    }

    // ANCHOR: forward
    // y = x − log Σ exp(x), row by row, without probabilities, which could round to 0.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let mut y = inputs[0].clone();
        for_rows(&mut y, vector::log_softmax);
        y
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = x − log Σ exp(x), so dx = dy − exp(y) · Σ dy, row by row
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let y = run.output;
        let mut dx = dy.clone();
        let width = y.last().max(1);
        for (dx, y) in dx.data_mut().chunks_mut(width).zip(y.data().chunks(width)) {
            let sum: f32 = dx.iter().sum();
            for (d, y) in dx.iter_mut().zip(y) {
                *d -= y.exp() * sum;
            }
        }
        vec![Some(dx)]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let x = &run.inputs[0];
        let first = Explanation::of(
            Combination::Exponentials,
            "x - max(row) - log(sum(exp(row - max(row))))",
        )
        .cell("x", 0, x, index);
        row(first, "row", x, index)
    }

    fn flops(&self, _: &[Tensor], output: &Tensor) -> u64 {
        5 * output.len() as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    super::check::rows(Var::log_softmax)
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn exp_of_log_softmax_is_softmax() {
        check::op(&[check::normal(&[2, 4])], |_, v| {
            let (log, plain) = (v[0].log_softmax().value(), v[0].softmax());
            for (l, p) in log.data().iter().zip(plain.value().data()) {
                assert!((l.exp() - p).abs() < 1e-6);
            }
            plain
        });
    }
}
