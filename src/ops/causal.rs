//! The mask of the past: `y[row, column] = 1` where `column ≤ row`.

use crate::autograd::{Explanation, Nature, Op, Tape, Var};
use crate::tensor::{Axes, Tensor};

// ANCHOR: subsequent
/// `[1, length, length]`: row t may see columns 0…t, itself and what came before.
pub fn subsequent_mask(length: usize) -> Tensor {
    let past = |i: &[usize]| if i[2] <= i[1] { 1.0 } else { 0.0 };
    Tensor::from_fn(&[1, length, length], past)
}
// ANCHOR_END: subsequent

struct Causal;

impl Tape {
    // ANCHOR: forward
    /// [`subsequent_mask`], recorded.
    pub fn causal(&self, length: usize) -> Var {
        self.record(Causal, &[], subsequent_mask(length))
    }
    // ANCHOR_END: forward
}

impl Op for Causal {
    fn name(&self) -> &'static str {
        "causal"
    }

    fn again(&self, _: &[Var], _: &Tensor) -> Var {
        unreachable!("it has no inputs that could change")
    }

    fn backward(&self, _: &[Tensor], _: &Tensor, _: &Tensor) -> Vec<Option<Tensor>> {
        Vec::new()
    }

    fn explain(&self, _: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("column <= row")
            .constant("row", index[1] as f32)
            .constant("column", index[2] as f32)
    }

    fn axes(&self, _: &[Axes], _: &Tensor) -> Axes {
        vec!["", "t", "t"]
    }

    fn nature(&self) -> Nature {
        Nature::Mask
    }
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::ops::check;
    use crate::params::Params;

    #[test]
    fn the_future_is_blocked() {
        let tape = Tape::eval(&Params::new(0));
        let mask = tape.causal(3).value();
        assert_eq!(mask.data(), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
        check::explanations(&tape.trace());
    }
}
