//! A shift of every position to the right, with zeros in front: `y_0 = 0`, `y_t = x_{t−1}`.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct ShiftRight;

impl Var {
    /// Shifts `[batch, length, d]` by one position; the last position is dropped, and the first is a
    /// vector of zeros. TensorFlow's official Transformer shifts *embeddings* in this way, so that
    /// its decoder needs no start token.
    #[track_caller]
    pub fn shift_right(&self) -> Var {
        self.apply(ShiftRight, &[])
    }
}

impl Op for ShiftRight {
    fn name(&self) -> &'static str {
        "shift_right"
    }

    // ANCHOR: forward
    // Shifts [batch, length, d] by one position: the last is dropped, the first is all zeros.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let x = &inputs[0];
        let &[_, length, width] = x.shape() else {
            panic!("shift_right: {:?} is not [batch, length, d]", x.shape());
        };
        let mut y = Tensor::zeros(x.shape());
        let block = length * width;
        if block > 0 {
            let sentences = y.data_mut().chunks_mut(block).zip(x.data().chunks(block));
            for (y, x) in sentences {
                y[width..].copy_from_slice(&x[..block - width]);
            }
        }
        y
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y_t = x_{t−1}, so dx_t = dy_{t+1}, and the last dx, which was dropped, is 0
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let mut dx = Tensor::zeros(run.inputs[0].shape());
        let (length, width) = (dx.shape()[1], dx.last());
        let block = length * width;
        if block > 0 {
            for (dx, dy) in dx.data_mut().chunks_mut(block).zip(dy.data().chunks(block)) {
                dx[..block - width].copy_from_slice(&dy[width..]);
            }
        }
        vec![Some(dx)]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        match index[1].checked_sub(1) {
            Some(before) => {
                Explanation::new("x").cell("x", 0, &run.inputs[0], &[index[0], before, index[2]])
            }
            None => Explanation::new("zero").constant("zero", 0.0),
        }
    }

    fn flops(&self, _: &[Tensor], _: &Tensor) -> u64 {
        0
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    vec![
        Case::new("a batch", [numbers(&[2, 3, 4])], |_, v| v[0].shift_right()),
        Case::new("length 2", [numbers(&[1, 2, 1])], |_, v| v[0].shift_right()),
    ]
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::tensor::Tensor;

    #[test]
    fn the_first_position_is_zero_and_the_last_falls_out() {
        let tape = Tape::eval(&Default::default());
        let x = tape.input(
            "x",
            Tensor::new(&[1, 3, 1], vec![1.0, 2.0, 3.0]),
            &["b", "t", "d"],
        );
        assert_eq!(x.shift_right().value().data(), [0.0, 1.0, 2.0]);
    }
}
