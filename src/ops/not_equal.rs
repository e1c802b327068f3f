//! Comparison with a number: `y = 1` where `x ≠ value`, else 0. Makes the mask of real tokens.

use crate::autograd::{Explanation, Nature, Op, Var};
use crate::tensor::Tensor;

struct NotEqual {
    value: f32,
}

impl Var {
    // ANCHOR: forward
    /// 1 where a cell differs from `value`, 0 where it is equal.
    pub fn not_equal(&self, value: f32) -> Var {
        let y = self.value().map(|x| if x != value { 1.0 } else { 0.0 });
        self.tape().record(NotEqual { value }, &[self], y)
    }
    // ANCHOR_END: forward
}

impl Op for NotEqual {
    fn name(&self) -> &'static str {
        "not_equal"
    }

    // A comparison has no slope.
    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].not_equal(self.value)
    }

    fn backward(&self, _: &[Tensor], _: &Tensor, _: &Tensor) -> Vec<Option<Tensor>> {
        vec![None]
    }

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("x != value")
            .cell("x", 0, &inputs[0], index)
            .constant("value", self.value)
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
    use crate::tensor::Tensor;

    #[test]
    fn not_equal_marks_the_real_tokens() {
        let tape = Tape::eval(&Params::new(0));
        let ids = tape.ids("ids", Tensor::new(&[4], vec![7.0, 3.0, 0.0, 0.0]), &["s"]);
        assert_eq!(ids.not_equal(0.0).value().data(), [1.0, 1.0, 0.0, 0.0]);
        check::explanations(&tape.trace());
    }
}
