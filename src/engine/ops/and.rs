//! The conjunction of two masks, with broadcasting: `y = 1` where `a` and `b` both allow the cell.

use crate::autograd::{Explanation, Nature, Op, OpRun, Var, explain_pair, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct And;

impl Var {
    /// 1 where this mask and `other` are both 1; axes of size 1 are broadcast.
    #[track_caller]
    pub fn and(&self, other: &Var) -> Var {
        self.apply(And, &[other])
    }
}

impl Op for And {
    fn name(&self) -> &'static str {
        "and"
    }

    // ANCHOR: forward
    // 1 where this mask and the other are both 1; axes of size 1 are broadcast.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let both = |a: f32, b: f32| if a != 0.0 && b != 0.0 { 1.0 } else { 0.0 };
        broadcast::zip(&inputs[0], &inputs[1], both)
    }
    // ANCHOR_END: forward

    // A mask has no gradient.
    fn backward(&self, _: OpRun<'_>, _: &Tensor) -> Vec<Option<Tensor>> {
        vec![None, None]
    }

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        explain_pair("a * b", &run, index)
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        stretched(inputs, output)
    }

    fn nature(&self, _: &[Nature]) -> Nature {
        Nature::Mask
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, mask};

    let case = |about, one, other| Case::new(about, [one, other], |_, v| v[0].and(&v[1]));
    let square = mask(&[2, 2], &[1.0, 0.0, 1.0, 1.0]);
    let [half, none, all] = [[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]].map(|cells| mask(&[1, 2], &cells));
    vec![
        case("a row under a square", half, square),
        case("all blocked", none, all),
    ]
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::params::Params;
    use crate::tensor::Tensor;

    #[test]
    fn and_needs_both() {
        let tape = Tape::eval(&Params::new(0));
        let real = tape.mask("real", Tensor::new(&[1, 2], vec![1.0, 0.0]), &["", "s"]);
        let past = tape.mask(
            "past",
            Tensor::new(&[2, 2], vec![1.0, 0.0, 1.0, 1.0]),
            &["t", "s"],
        );
        let both = real.and(&past);
        assert_eq!(both.value().data(), [1.0, 0.0, 1.0, 0.0]);
        assert_eq!(both.axes(), ["t", "s"]);
    }
}
