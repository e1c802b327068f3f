//# Only the diagonal of the Jacobian is used, as for a sigmoid: dy · y · (1 − y).
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
//# The sum is over dy, not weighted by y.
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
//# The difference is reversed, so the gradient has the opposite sign.
//= classic-1
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    y.mul(&pull.sub(dy))
}
//# The sum is subtracted without its factor y, because the brackets end too early.
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
//# The sum is over the whole tensor instead of each row.
//= classic-5
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let pull = dy.mul(y).sum();
    y.mul(&dy.sub(&pull))
}
//# The sum is over the axis before the last instead of each row.
//= wrong-axis
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = y.shape()[y.shape().len() - 2] as f32;
    let pull = dy.mul(y).transpose().row_mean().transpose().scale(n);
    y.mul(&dy.sub(&pull))
}
//# Each output is assumed to depend only on its own input, with the slope of exp: y ⊙ dy.
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
//# y and dy are swapped outside the sum: dy ⊙ (y − Σ dy ⊙ y).
//=
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let pull = dy.mul(y).row_mean().scale(n);
    dy.mul(&y.sub(&pull))
}
//# y is mistaken for the scores, and softmax is applied to it first.
//= classic-8
use transformer_tutor::autograd::Var;
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let p = y.softmax();
    let pull = dy.mul(&p).row_mean().scale(n);
    p.mul(&dy.sub(&pull))
}
//# The factor n is applied to the whole gradient instead of the inner mean.
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
//# Multiplies only dy by y, not the row's sum that is subtracted: y dy − Σ dy y.
//= classic-4
use transformer_tutor::autograd::Var;

pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = *y.shape().last().unwrap() as f32;
    let weighted = y.mul(dy);
    let sum = weighted.row_mean().scale(n);
    weighted.sub(&sum)
}
//# Uses only the diagonal of the Jacobian, like the derivative of a sigmoid: y (1 − y) dy.
//= diagonal
use transformer_tutor::autograd::Var;

pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let slope = y.sub(&y.mul(y));
    slope.mul(dy)
}
//# Turns the mean into a sum with the size of the first axis instead of the last.
//= classic-7
use transformer_tutor::autograd::Var;

pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = y.shape()[0] as f32;
    let sum = dy.mul(y).row_mean().scale(n);
    y.mul(&dy.sub(&sum))
}
