//! Comparison with a number: `y = 1` where `x ≠ value`, else 0. Makes the mask of real tokens.

use crate::autograd::{Explanation, Nature, Op, OpRun, Var};
use crate::tensor::Tensor;

struct NotEqual {
    value: f32,
}

impl Var {
    /// 1 where a cell differs from `value`, 0 where it is equal.
    pub fn not_equal(&self, value: f32) -> Var {
        self.apply(NotEqual { value }, &[])
    }
}

impl Op for NotEqual {
    fn name(&self) -> &'static str {
        "not_equal"
    }

    // ANCHOR: forward
    // 1 where a cell differs from `value`, 0 where it is equal.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        inputs[0].map(|x| if x != self.value { 1.0 } else { 0.0 })
    }
    // ANCHOR_END: forward

    // A comparison has no gradient.
    fn backward(&self, _: OpRun<'_>, _: &Tensor) -> Vec<Option<Tensor>> {
        vec![None]
    }

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Explanation::new("x != value")
            .cell("x", 0, &run.inputs[0], index)
            .constant("value", self.value)
    }

    fn nature(&self, _: &[Nature]) -> Nature {
        Nature::Mask
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, ids};

    let case = |about, ids| Case::new(about, [ids], |_, v| v[0].not_equal(0.0));
    vec![
        case("two pads", ids(&[4], &[7.0, 3.0, 0.0, 0.0])),
        case("pads alone", ids(&[1, 2], &[0.0, 0.0])),
    ]
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::params::Params;
    use crate::tensor::Tensor;

    #[test]
    fn not_equal_marks_the_real_tokens() {
        let tape = Tape::eval(&Params::new(0));
        let ids = tape.ids("ids", Tensor::new(&[4], vec![7.0, 3.0, 0.0, 0.0]), &["s"]);
        assert_eq!(ids.not_equal(0.0).value().data(), [1.0, 1.0, 0.0, 0.0]);
    }
}
