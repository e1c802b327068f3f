//! Dropout (Srivastava et al. 2014): in training, each cell is set to 0 with probability `p` and
//! otherwise multiplied by `1 / (1 − p)`, which keeps the expected value.

use crate::autograd::{Explanation, Op, OpRun, Var};
use crate::tensor::{Tensor, random, vector};

struct Dropout {
    /// 0 where a cell was dropped, `1 / (1 − p)` where it was kept.
    mask: Tensor,
}

impl Var {
    /// Drops cells with probability `p` on a training tape; does nothing on an evaluation tape.
    /// The mask depends only on the tape's seed and the number of this step, or instead the number of
    /// dropouts before it ([`Tape::dropping_by_turn`](crate::autograd::Tape::dropping_by_turn)).
    #[track_caller]
    pub fn dropout(&self, p: f32) -> Var {
        assert!(
            (0.0..1.0).contains(&p),
            "dropout: p must be at least 0 and below 1, not {p}"
        );
        let Some(seed) = self.tape().dropout_seed().filter(|_| p > 0.0) else {
            return self.clone();
        };
        // Draw the mask here and not in `forward`, so that a replay drops the same cells.
        let site = self.tape().dropout_site(self.id());
        let mask = random::dropped(&self.shape(), p, seed, "dropout", site);
        self.apply(Dropout { mask }, &[])
    }
}

impl Op for Dropout {
    fn name(&self) -> &'static str {
        "dropout"
    }

    // ANCHOR: forward
    // y = x ⊙ mask: 0 where a cell is dropped, x / (1 − p) where it is kept
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let x = &inputs[0];
        Tensor::new(x.shape(), vector::times(x.data(), self.mask.data()))
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = x ⊙ mask, so dx = dy ⊙ mask
    fn backward(&self, _: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let dx = vector::times(dy.data(), self.mask.data());
        vec![Some(Tensor::new(dy.shape(), dx))]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("x * mask")
            .cell("x", 0, &run.inputs[0], index)
            .constant("mask", self.mask.at(index))
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    vec![
        Case::new("some dropped", [numbers(&[4, 5])], |_, v| v[0].dropout(0.4)),
        Case::new("one cell", [numbers(&[1, 1])], |_, v| v[0].dropout(0.1)),
    ]
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::params::Params;
    use crate::tensor::Tensor;

    #[test]
    fn dropout_keeps_the_mean() {
        let tape = Tape::train(&Params::new(0), 3);
        let y = tape
            .input("x", Tensor::ones(&[100, 100]), &["", ""])
            .dropout(0.1)
            .value();
        assert!((y.sum() / 1e4 - 1.0).abs() < 0.01, "{}", y.sum() / 1e4);
        let dropped = y.data().iter().filter(|&&x| x == 0.0).count();
        assert!((900..1100).contains(&dropped), "{dropped} of 10000 dropped");
    }

    #[test]
    fn evaluation_drops_nothing() {
        let tape = Tape::eval(&Params::new(0));
        let x = tape.input("x", Tensor::ones(&[10]), &[""]);
        assert_eq!(x.dropout(0.9).value(), x.value());
    }
}
