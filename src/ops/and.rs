//! Both masks at once: `y = 1` where `a` and `b` both allow the cell, with broadcasting.

use crate::autograd::{Explanation, Nature, Op, Var, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct And;

impl Var {
    // ANCHOR: forward
    /// 1 where this mask and `other` are both 1; axes of size 1 stretch.
    #[track_caller]
    pub fn and(&self, other: &Var) -> Var {
        let both = |a: f32, b: f32| if a != 0.0 && b != 0.0 { 1.0 } else { 0.0 };
        let y = broadcast::zip(&self.value(), &other.value(), both);
        self.tape().record(And, &[self, other], y)
    }
    // ANCHOR_END: forward
}

impl Op for And {
    fn name(&self) -> &'static str {
        "and"
    }

    // A mask has no slope.
    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].and(&inputs[1])
    }

    fn backward(&self, _: &[Tensor], _: &Tensor, _: &Tensor) -> Vec<Option<Tensor>> {
        vec![None, None]
    }

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("a * b")
            .cell("a", 0, &inputs[0], &broadcast::source(&inputs[0], index))
            .cell("b", 1, &inputs[1], &broadcast::source(&inputs[1], index))
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        stretched(inputs, output)
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
        check::explanations(&tape.trace());
    }
}
