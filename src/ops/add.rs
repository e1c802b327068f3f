//! Addition with broadcasting: `y = a + b`.

use crate::autograd::{Explanation, Op, Var, stretched};
use crate::tensor::{Axes, Tensor, broadcast};

struct Add;

impl Var {
    // ANCHOR: forward
    /// `self + other`; axes of size 1, and missing leading axes, stretch.
    #[track_caller]
    pub fn add(&self, other: &Var) -> Var {
        let y = broadcast::zip(&self.value(), &other.value(), |a, b| a + b);
        self.tape().record(Add, &[self, other], y)
    }
    // ANCHOR_END: forward
}

impl Op for Add {
    fn name(&self) -> &'static str {
        "add"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].add(&inputs[1])
    }

    // ANCHOR: backward
    // forward was y = a + b, so da = dy and db = dy, summed over what stretched
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        inputs
            .iter()
            .map(|x| Some(broadcast::sum_to(dy, x.shape())))
            .collect()
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        Explanation::new("a + b")
            .cell("a", 0, &inputs[0], &broadcast::source(&inputs[0], index))
            .cell("b", 1, &inputs[1], &broadcast::source(&inputs[1], index))
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        stretched(inputs, output)
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check;

    #[test]
    fn add_and_its_gradient() {
        let (x, bias) = (check::normal(&[2, 3, 4]), check::normal(&[4]));
        check::op(&[x.clone(), bias], |_, v| v[0].add(&v[1]));
        check::op(&[x, check::normal(&[2, 1, 4])], |_, v| v[0].add(&v[1]));
    }

    #[test]
    fn a_tensor_added_to_itself_gathers_both_gradients() {
        check::op(&[check::normal(&[3])], |_, v| v[0].add(&v[0]));
    }
}
