//! Softmax over the last axis: `y_i = exp(x_i) / Σ_j exp(x_j)`.

use super::row_mean::row;
use crate::autograd::{Combination, Component, Explanation, Nature, Op, OpRun, Tape, Var};
use crate::params::Params;
use crate::tensor::{Tensor, for_rows, vector};

/// The backward pass of softmax, which a tape may replace.
///
/// The function takes the result `y […, n]` and the gradient `dy […, n]` with respect to it, and returns the gradient
/// with respect to the input.
pub const SOFTMAX_BACKWARD: Component<BackwardFn> = Component::new("softmax_backward");

/// The signature of [`SOFTMAX_BACKWARD`].
pub type BackwardFn = fn(&Var, &Var) -> Var;

struct Softmax;

impl Var {
    /// Softmax of every row of the last axis, which makes it positive with sum 1.
    pub fn softmax(&self) -> Var {
        let own = self.tape().replacement(&SOFTMAX_BACKWARD);
        match own {
            Some(own) => self.apply(WithBackward(own.function), &[]),
            None => self.apply(Softmax, &[]),
        }
    }
}

impl Op for Softmax {
    fn name(&self) -> &'static str {
        "softmax"
    }

    // ANCHOR: forward
    // y = exp(x) / Σ exp(x), row by row: every row becomes positive and sums to 1.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let mut y = inputs[0].clone();
        for_rows(&mut y, |row| {
            vector::softmax(row);
        });
        y
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = exp(x) / Σ exp(x), so dx = y ⊙ (dy − Σ dy ⊙ y), row by row
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let y = run.output;
        let mut dx = dy.clone();
        let width = y.last().max(1);
        for (dx, y) in dx.data_mut().chunks_mut(width).zip(y.data().chunks(width)) {
            vector::softmax_back(dx, y, None, 1.0);
        }
        vec![Some(dx)]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let x = &run.inputs[0];
        let first = Explanation::of(
            Combination::Exponentials,
            "exp(x - max(row)) / sum(exp(row - max(row)))",
        )
        .cell("x", 0, x, index);
        row(first, "row", x, index)
    }

    fn nature(&self, _: &[Nature]) -> Nature {
        Nature::Probability
    }

    fn flops(&self, _: &[Tensor], output: &Tensor) -> u64 {
        5 * output.len() as u64
    }
}

/// Softmax with a replaced backward pass.
struct WithBackward(BackwardFn);

impl Op for WithBackward {
    fn name(&self) -> &'static str {
        Softmax.name()
    }

    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        Softmax.forward(inputs)
    }

    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        // Use a separate tape, because the backward pass holds the tape of the run.
        let tape = Tape::eval(&Params::default());
        let axes = vec![""; dy.rank()];
        let input = |name, value: &Tensor| tape.input(name, value.clone(), &axes);
        let dx = (self.0)(&input("y", run.output), &input("dy", dy)).value();
        assert!(
            dx.shape() == dy.shape(),
            "softmax_backward: the gradient has the shape {:?}; it must be that of softmax's input, {:?}",
            dx.shape(),
            dy.shape()
        );
        vec![Some(dx)]
    }

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Softmax.explain(run, index)
    }

    fn nature(&self, natures: &[Nature]) -> Nature {
        Softmax.nature(natures)
    }

    fn flops(&self, inputs: &[Tensor], output: &Tensor) -> u64 {
        Softmax.flops(inputs, output)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers, rows};

    let mut cases = rows(Var::softmax);
    // Blocked cells are far below the others, as in attention.
    cases.push(Case::new(
        "blocked cells",
        [numbers(&[2, 5]).of(|x| if x < 0.0 { x - 500.0 } else { x })],
        |_, v| v[0].softmax(),
    ));
    cases
}

#[cfg(test)]
mod tests {
    use crate::autograd::Tape;
    use crate::params::Params;
    use crate::tensor::Tensor;

    fn softmax(row: &[f32]) -> Vec<f32> {
        let tape = Tape::eval(&Params::new(0));
        let x = tape.input("x", Tensor::new(&[row.len()], row.to_vec()), &["k"]);
        x.softmax().value().data().to_vec()
    }

    #[test]
    fn softmax_of_equal_scores_is_uniform() {
        assert_eq!(softmax(&[3.0; 4]), [0.25; 4]);
    }

    #[test]
    fn softmax_agrees_with_published_figures() {
        // CTranslate2, tests/ops_test.cc.
        let y = softmax(&[-0.2, 3.0, 1.2, -1.1, 0.0]);
        let expected = [0.032035, 0.785904, 0.129909, 0.013025, 0.039128];
        for (y, e) in y.iter().zip(expected) {
            assert!((y - e).abs() < 1e-6, "{y} {e}");
        }
    }

    #[test]
    fn large_scores_do_not_overflow() {
        assert_eq!(softmax(&[1000.0, 0.0]), [1.0, 0.0]);
    }

    #[test]
    fn a_row_of_minus_infinity_is_not_a_number() {
        assert!(softmax(&[f32::NEG_INFINITY; 2]).iter().all(|x| x.is_nan()));
    }
}
