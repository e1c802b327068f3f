//# The standard deviation is the population one, which divides by n instead of n − 1.
//= population
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let mean = x.row_mean();
    let std = x.row_std(Deviation::Population);
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
}
//# Epsilon is added to the variance under the root, as in PyTorch, not to the standard deviation.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let std = x.row_std(Deviation::Unbiased);
    let variance = std.mul(&std);
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let spread = variance.add(&epsilon).sqrt();
    x.sub(&x.row_mean()).div(&spread).mul(scale).add(bias)
}
//# The centred values are divided by the variance instead of the standard deviation.
//= variance
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let mean = x.row_mean();
    let std = x.row_std(Deviation::Unbiased);
    let var = std.mul(&std);
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let normal = x.sub(&mean).div(&var.add(&epsilon));
    normal.mul(scale).add(bias)
}
//# Mean and standard deviation are taken over the positions of a sentence instead of the channels of a token.
//= over-positions
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let columns = x.transpose();
    let mean = columns.row_mean().transpose();
    let std = columns.row_std(Deviation::Unbiased).transpose();
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let normal = x.sub(&mean).div(&std.add(&epsilon));
    normal.mul(scale).add(bias)
}
//# Mean and standard deviation are taken over the whole tensor, as torch.mean and torch.std do without a dim.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let cells: usize = x.shape().iter().product();
    let flat = x.reshape(&[1, 1, cells], &["", "", ""]);
    let mean = flat.row_mean();
    let std = flat.row_std(Deviation::Unbiased);
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
}
//# The mean is never subtracted; the values are only divided by their standard deviation.
//= no-mean
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let std = x.row_std(Deviation::Unbiased);
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    x.div(&std.add(&epsilon)).mul(scale).add(bias)
}
//# The standard deviation is replaced by the root mean square of x itself instead of x minus the mean.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let n = *x.shape().last().unwrap() as f32;
    let mean = x.row_mean();
    let std = x.mul(x).row_mean().scale(n / (n - 1.0)).sqrt();
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    x.sub(&mean).div(&std.add(&epsilon)).mul(scale).add(bias)
}
//# The bias is added before multiplying by the scale, so it is scaled too.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let mean = x.row_mean();
    let std = x.row_std(Deviation::Unbiased);
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let normal = x.sub(&mean).div(&std.add(&epsilon));
    normal.add(bias).mul(scale)
}
//# Only the mean is divided by the standard deviation, because the brackets around the difference are missing.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let std = x.row_std(Deviation::Unbiased).add(&epsilon);
    let normal = x.sub(&x.row_mean().div(&std));
    normal.mul(scale).add(bias)
}
//# Scale and bias are applied to x before it is normalised instead of after.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let x = x.mul(scale).add(bias);
    let mean = x.row_mean();
    let std = x.row_std(Deviation::Unbiased);
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    x.sub(&mean).div(&std.add(&epsilon))
}
//# Epsilon is hard-coded as the usual 1e-6 instead of the given epsilon.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let _ = epsilon;
    let eps = x.tape().constant("eps", Tensor::scalar(1e-6), &[]);
    let mean = x.row_mean();
    let std = x.row_std(Deviation::Unbiased);
    x.sub(&mean).div(&std.add(&eps)).mul(scale).add(bias)
}
//# Epsilon is added to the quotient instead of the divisor.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let mean = x.row_mean();
    let std = x.row_std(Deviation::Unbiased);
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let normal = x.sub(&mean).div(&std).add(&epsilon);
    normal.mul(scale).add(bias)
}
//# The scale is treated as an offset from 1, as in layers whose gamma is initialised to 0.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let tape = x.tape();
    let one = tape.constant("one", Tensor::scalar(1.0), &[]);
    let epsilon = tape.constant("epsilon", Tensor::scalar(epsilon), &[]);
    let std = x.row_std(Deviation::Unbiased);
    let normal = x.sub(&x.row_mean()).div(&std.add(&epsilon));
    normal.mul(&scale.add(&one)).add(bias)
}
//# Mean and standard deviation are treated as constants, so no gradient flows through them.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let tape = x.tape();
    let (mean, std) = (x.row_mean(), x.row_std(Deviation::Unbiased));
    let mean = tape.constant("mean", mean.value(), &mean.axes());
    let std = tape.constant("std", std.value().map(|s| s + epsilon), &std.axes());
    x.sub(&mean).div(&std).mul(scale).add(bias)
}
//# Adds epsilon to the variance under the root, as PyTorch's LayerNorm does, not to the standard deviation.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;

pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let centred = x.sub(&x.row_mean());
    let std = x.row_std(Deviation::Unbiased);
    let variance = std.mul(&std);
    let normal = centred.div(&variance.add(&epsilon).sqrt());
    normal.mul(scale).add(bias)
}
//# Adds the bias before multiplying by the scale, so the bias is scaled too.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;

pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let mean = x.row_mean();
    let std = x.row_std(Deviation::Unbiased);
    let normal = x.sub(&mean).div(&std.add(&epsilon));
    scale.mul(&normal.add(bias))
}
//# Divides by the standard deviation without subtracting the mean first.
//= no-mean
use transformer_tutor::autograd::Var;
use transformer_tutor::ops::Deviation;
use transformer_tutor::tensor::Tensor;

pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let std = x.row_std(Deviation::Unbiased).add(&epsilon);
    x.div(&std).mul(scale).add(bias)
}
