//! The square root of every cell: `y = √x`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::Tensor;

struct Sqrt;

impl Var {
    // ANCHOR: forward
    /// The root of every cell; of a negative one, NaN.
    pub fn sqrt(&self) -> Var {
        self.tape()
            .record(Sqrt, &[self], self.value().map(f32::sqrt))
    }
    // ANCHOR_END: forward
}

impl Op for Sqrt {
    fn name(&self) -> &'static str {
        "sqrt"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].sqrt()
    }

    // ANCHOR: backward
    // forward was y = √x, so dx = dy / (2 y); at 0 the slope is infinite
    fn backward(&self, _: &[Tensor], y: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        vec![Some(dy.zip(y, |d, y| d / (2.0 * y)))]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("sqrt(x)").cell("x", 0, &inputs[0], index)
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;
    use crate::tensor::Tensor;

    #[test]
    fn sqrt_and_its_gradient() {
        // Away from 0, where the slope is too steep for finite differences.
        let x = Tensor::from_fn(&[3, 4], |i| 0.5 + (i[0] * 4 + i[1]) as f32);
        check::op(&[x], |_, v| v[0].sqrt());
    }
}
