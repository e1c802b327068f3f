//! The mask of the past: `y[row, column] = 1` where `column ≤ row`.

use crate::autograd::{Explanation, Nature, Op, Tape, Var};
use crate::tensor::Tensor;

struct Causal;

impl Tape {
    // ANCHOR: forward
    /// `[1, length, length]`: row t may see columns 0…t, itself and what came before.
    pub fn causal(&self, length: usize) -> Var {
        let past = |i: &[usize]| if i[2] <= i[1] { 1.0 } else { 0.0 };
        let y = Tensor::from_fn(&[1, length, length], past);
        self.record(Causal, &[], y)
    }
    // ANCHOR_END: forward
}

impl Op for Causal {
    fn name(&self) -> &'static str {
        "causal"
    }

    fn backward(&self, _: &[Tensor], _: &Tensor, _: &Tensor) -> Vec<Option<Tensor>> {
        Vec::new()
    }

    fn explain(&self, _: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("column <= row")
            .constant("row", index[1] as f32)
            .constant("column", index[2] as f32)
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
