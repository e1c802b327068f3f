//# Only the diagonal of the Jacobian is there, as for a sigmoid: dy · y · (1 − y).
//= diagonal
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let slope = y.sub(&y.mul(y));
    dy.mul(&slope)
}
//# It takes the row's mean of dy ⊙ y instead of its sum.
//= mean-pull
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let pull = dy.mul(y).row_mean();
    y.mul(&dy.sub(&pull))
}
//# The sum is over dy alone, not weighted by y.
//= unweighted
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let total = dy.row_mean().scale(n);
    y.mul(&dy.sub(&total))
}
//# It is the backward pass of log-softmax: dy − y · Σ dy.
//= classic-3
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let total = dy.row_mean().scale(n);
    dy.sub(&y.mul(&total))
}
//# The final product with y is forgotten.
//= no-shares
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    dy.sub(&pull)
}
//# The difference is the wrong way round, so the gradient has the opposite sign.
//= classic-1
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    y.mul(&pull.sub(dy))
}
//# The sum is subtracted without its factor y: the brackets end too early.
//= classic-4
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    y.mul(dy).sub(&pull)
}
//# The mean is scaled by the size of the first axis instead of the last one.
//= classic-7
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = y.shape()[0] as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    y.mul(&dy.sub(&pull))
}
//# The mean is scaled by the number of axes instead of the length of a row.
//=
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = y.shape().len() as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    y.mul(&dy.sub(&pull))
}
//# The sum runs over the whole tensor instead of each row.
//= classic-5
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let pull = dy.mul(y).sum();
    y.mul(&dy.sub(&pull))
}
//# The sum runs over the axis before the last instead of each row.
//= wrong-axis
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = y.shape()[y.shape().len() - 2] as f32;
    let pull = dy.mul(y).transpose().row_mean().transpose().scale(n);
    y.mul(&dy.sub(&pull))
}
//# Each output is taken to depend on its own input only, with the slope of exp: y ⊙ dy.
//= no-pull
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    y.mul(dy)
}
//# It uses the shortcut for softmax with cross-entropy, y minus the target.
//=
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    y.sub(dy)
}
//# y and dy are in each other's place outside the sum: dy ⊙ (y − Σ dy ⊙ y).
//=
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    dy.mul(&y.sub(&pull))
}
//# y is taken for the scores, and softmax is applied to it first.
//= classic-8
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let p = y.softmax();
    let pull = dy.mul(&p).row_mean().scale(n);
    p.mul(&dy.sub(&pull))
}
//# The factor n is applied to the whole gradient instead of the mean inside.
//= classic-6
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = dy.mul(y).row_mean();
    y.mul(&dy.sub(&pull)).scale(n)
}
//# The sum is over y squared instead of dy times y.
//=
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = y.mul(y).row_mean().scale(n);
    y.mul(&dy.sub(&pull))
}
//# Multiplies y only into dy, not into the row's sum that is taken off: y dy − Σ dy y.
//= classic-4
use transformer_tutor::autograd::Var;

pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let weighted = y.mul(dy);
    let sum = weighted.row_mean().scale(n);
    weighted.sub(&sum)
}
//# Takes only the diagonal of the Jacobian, the derivative of a sigmoid: y (1 − y) dy.
//= diagonal
use transformer_tutor::autograd::Var;

pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let slope = y.sub(&y.mul(y));
    slope.mul(dy)
}
//# Makes the mean to a sum with the size of the first axis instead of that of the last.
//= classic-7
use transformer_tutor::autograd::Var;

pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = y.shape()[0] as f32;
    let sum = dy.mul(y).row_mean().scale(n);
    y.mul(&dy.sub(&sum))
}
