//! The causal mask: `y[row, column] = 1` where `column ≤ row`.

use crate::autograd::{Explanation, Nature, Op, OpRun, Tape, Var};
use crate::tensor::{Axes, Tensor};

crate::reference! { "subsequent_mask";
// ANCHOR: subsequent
/// The causal mask `[1, length, length]`: row t may see columns 0…t, itself and what came before.
pub fn subsequent_mask(length: usize) -> Tensor {
    let past = |i: &[usize]| if i[2] <= i[1] { 1.0 } else { 0.0 };
    Tensor::from_fn(&[1, length, length], past)
}
// ANCHOR_END: subsequent
}

struct Causal {
    length: usize,
}

impl Tape {
    /// Records a [`subsequent_mask`].
    pub fn causal(&self, length: usize) -> Var {
        self.apply(Causal { length }, &[])
    }
}

impl Op for Causal {
    fn name(&self) -> &'static str {
        "causal"
    }

    // ANCHOR: forward
    // y = 1 where column ≤ row: an operation with settings but no inputs
    fn forward(&self, _: &[Tensor]) -> Tensor {
        subsequent_mask(self.length)
    }
    // ANCHOR_END: forward

    fn backward(&self, _: OpRun<'_>, _: &Tensor) -> Vec<Option<Tensor>> {
        Vec::new()
    }

    fn explain(&self, _: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("column <= row")
            .constant("row", index[1] as f32)
            .constant("column", index[2] as f32)
    }

    fn axes(&self, _: &[Axes], _: &Tensor) -> Axes {
        vec!["", "t", "t"]
    }

    fn nature(&self, _: &[Nature]) -> Nature {
        Nature::Mask
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::Case;

    vec![
        Case::new("three words", [], |tape, _| tape.causal(3)),
        Case::new("length 1", [], |tape, _| tape.causal(1)),
    ]
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::params::Params;

    #[test]
    fn the_future_is_blocked() {
        let tape = Tape::eval(&Params::new(0));
        let mask = tape.causal(3).value();
        assert_eq!(mask.data(), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
    }
}
