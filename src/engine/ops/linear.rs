//! A linear map in one step: `y = x Wᵀ + b`. The fused form of [`matmul_t`](Var::matmul_t) and [`add`](Var::add).

use crate::autograd::{
    Combination, Component, Explanation, Gradient, Op, OpRun, ProductGradient, Var,
};
use crate::tensor::{Axes, Tensor, matmul, vector};

/// A linear map with its gradients, which a tape may replace.
///
/// The function takes `x [n, in]`, the weight `[out, in]`, the bias `[out]` and the gradient `dy [n, out]`, and returns
/// `y [n, out]` and the gradients with respect to the first three.
pub const LINEAR: Component<LinearFn> = Component::new("linear");

/// The signature of [`LINEAR`].
pub type LinearFn = fn(&Tensor, &Tensor, &Tensor, &Tensor) -> (Tensor, [Tensor; 3]);

struct Linear;

impl Var {
    /// Maps `[…, in]` to `[…, out]` with `weight [out, in]` and `bias [out]`.
    #[track_caller]
    pub fn linear(&self, weight: &Var, bias: &Var) -> Var {
        self.apply(Linear, &[weight, bias])
    }

    /// [`Var::linear`] whose result and gradients are those of `function`.
    #[track_caller]
    pub fn linear_by(&self, function: LinearFn, weight: &Var, bias: &Var) -> Var {
        self.apply(ByFunction(function), &[weight, bias])
    }
}

impl Op for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    // ANCHOR: forward
    // y = x Wᵀ + b: x […, in], W [out, in], b [out]
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let mut y = matmul::matmul_t(&inputs[0], &inputs[1]);
        vector::add_to_rows(y.data_mut(), inputs[2].data());
        y
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = x Wᵀ + b, so dx = dy W, dW = dyᵀ x, and db sums the rows of dy
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        Gradient::all_dense(self.gradients(run, dy))
    }

    fn gradients(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Gradient>> {
        let (x, weight) = (&run.inputs[0], &run.inputs[1]);
        let mut db = Tensor::zeros(run.inputs[2].shape());
        let sums = db.data_mut();
        for row in dy.data().chunks(dy.last().max(1)) {
            vector::add(sums, row);
        }
        let (dx, dy, x) = (matmul::matmul(dy, weight), dy.clone(), x.clone());
        vec![
            Some(Gradient::Dense(dx)),
            Some(Gradient::Product(ProductGradient { dy, x })),
            Some(Gradient::Dense(db)),
        ]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let (x, weight) = (&run.inputs[0], &run.inputs[1]);
        let (&out, leading) = index.split_last().expect("a linear map has a last axis");
        let sum = Explanation::of(Combination::BiasedProducts, "sum(x * w) + b");
        let products = (0..x.last()).fold(sum, |sum, k| {
            sum.cell("x", 0, x, &[leading, &[k]].concat())
                .cell("w", 1, weight, &[out, k])
        });
        products.cell("b", 2, &run.inputs[2], &[out])
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        let mut axes = inputs[0].clone();
        axes.pop();
        axes.push(inputs[1][0]);
        axes
    }

    fn flops(&self, inputs: &[Tensor], output: &Tensor) -> u64 {
        (2 * inputs[0].last() as u64 + 1) * output.len() as u64
    }
}

/// A linear map whose result and gradients come from a function.
struct ByFunction(LinearFn);

impl ByFunction {
    /// Calls the function on the rows of `x`. Panics if a result has another shape than the map's.
    #[track_caller]
    fn call(&self, inputs: &[Tensor], dy: &Tensor) -> (Tensor, [Tensor; 3]) {
        let (x, weight, bias) = (&inputs[0], &inputs[1], &inputs[2]);
        let rows = x.len() / x.last().max(1);
        let (x, dy) = (
            x.reshape(&[rows, x.last()]),
            dy.reshape(&[rows, bias.len()]),
        );
        let (y, gradients) = (self.0)(&x, weight, bias, &dy);
        let [dx, dweight, dbias] = &gradients;
        let all = [
            ("y", &y, dy.shape()),
            ("dx", dx, x.shape()),
            ("dweight", dweight, weight.shape()),
            ("dbias", dbias, bias.shape()),
        ];
        for (name, tensor, shape) in all {
            assert!(
                tensor.shape() == shape,
                "linear: {name} has the shape {:?}; it must be {shape:?}",
                tensor.shape()
            );
        }
        (y, gradients)
    }
}

impl Op for ByFunction {
    fn name(&self) -> &'static str {
        Linear.name()
    }

    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let mut shape = inputs[0].shape().to_vec();
        if let Some(last) = shape.last_mut() {
            *last = inputs[2].len();
        }
        let (y, _) = self.call(inputs, &Tensor::zeros(&shape));
        y.reshape(&shape)
    }

    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (_, [dx, dweight, dbias]) = self.call(run.inputs, dy);
        let dx = dx.reshape(run.inputs[0].shape());
        vec![Some(dx), Some(dweight), Some(dbias)]
    }

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        Linear.explain(run, index)
    }

    fn axes(&self, inputs: &[Axes], output: &Tensor) -> Axes {
        Linear.axes(inputs, output)
    }

    fn flops(&self, inputs: &[Tensor], output: &Tensor) -> u64 {
        Linear.flops(inputs, output)
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, numbers};

    let case = |about, x: &[usize], out: usize| {
        let weight = numbers(&[out, x[x.len() - 1]]);
        let leaves = [numbers(x), weight, numbers(&[out])];
        Case::new(about, leaves, |_, v| v[0].linear(&v[1], &v[2]))
    };
    vec![
        case("a batch", &[2, 3, 4], 5),
        case("batch 1, length 1", &[1, 1, 4], 4),
        case("one input, one output", &[2, 1], 1),
        case("long rows", &[2, 40], 2),
    ]
}
