//! The classic mistakes in the backward pass of softmax, each with the reference's signature.

use transformer_tutor::autograd::Var;

/// The signature of the backward pass of softmax.
pub type BackwardFn = fn(&Var, &Var) -> Var;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, BackwardFn); 6] = [
    ("no-pull", no_pull),
    ("mean-pull", mean_pull),
    ("unweighted", unweighted),
    ("diagonal", diagonal),
    ("wrong-axis", wrong_axis),
    ("no-shares", no_shares),
];

fn row_sum(x: &Var) -> Var {
    x.row_mean().scale(x.value().last() as f32).named("pull")
}

fn finish(y: &Var, dy: &Var, pull: &Var) -> Var {
    y.mul(&dy.sub(pull).named("d_centred")).named("d_scaled")
}

/// Treats every weight separately, without the weighted average.
pub fn no_pull(y: &Var, dy: &Var) -> Var {
    y.mul(dy).named("d_scaled")
}

/// Takes the row's mean instead of its sum.
pub fn mean_pull(y: &Var, dy: &Var) -> Var {
    let pull = dy.mul(y).row_mean().named("pull");
    finish(y, dy, &pull)
}

/// Takes the plain sum of the gradients, without weights.
pub fn unweighted(y: &Var, dy: &Var) -> Var {
    finish(y, dy, &row_sum(dy))
}

/// Uses only each weight's derivative with respect to its own score: y (1 − y), the formula of the logistic function.
pub fn diagonal(y: &Var, dy: &Var) -> Var {
    let own = y.sub(&y.mul(y)).named("own_slope");
    dy.mul(&own).named("d_scaled")
}

/// Sums over the queries.
pub fn wrong_axis(y: &Var, dy: &Var) -> Var {
    let pull = row_sum(&dy.mul(y).transpose()).transpose().named("pull");
    finish(y, dy, &pull)
}

/// Leaves out the factor y in front.
pub fn no_shares(y: &Var, dy: &Var) -> Var {
    let pull = row_sum(&dy.mul(y));
    dy.sub(&pull).named("d_scaled")
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, BackwardFn); 16] = [
    (
        "You add the sum of the row. It is taken away: dy − Σ dy ⊙ y.",
        |y, dy| y.mul(&dy.add(&row_sum(&dy.mul(y)))),
    ),
    (
        "Your gradient has the wrong sign: the sum is taken from dy, not dy from the sum.",
        |y, dy| y.mul(&row_sum(&dy.mul(y)).sub(dy)),
    ),
    (
        "You weight the sum with y twice: it is Σ dy ⊙ y.",
        |y, dy| finish(y, dy, &row_sum(&dy.mul(y).mul(y))),
    ),
    (
        "This is the backward pass of log_softmax, dy − y ⊙ Σ dy. Softmax's is y ⊙ (dy − Σ dy ⊙ y).",
        |y, dy| dy.sub(&y.mul(&row_sum(dy))),
    ),
    (
        "You multiply only dy by y. The factor y stands before the whole difference: y ⊙ (dy − Σ dy ⊙ y).",
        |y, dy| y.mul(dy).sub(&row_sum(&dy.mul(y))),
    ),
    (
        "Your sum runs over the whole tensor. Each row has a sum of its own.",
        |y, dy| finish(y, dy, &dy.mul(y).sum()),
    ),
    (
        "You multiply the whole gradient by n. Only the row's mean becomes a sum by the factor n.",
        |y, dy| mean_pull(y, dy).scale(y.value().last() as f32),
    ),
    (
        "You multiply the row's mean by the size of the first axis. A row's sum is its mean times the size of the last axis.",
        |y, dy| {
            let mean = dy.mul(y).row_mean();
            finish(y, dy, &mean.scale(y.shape()[0] as f32))
        },
    ),
    (
        "You apply softmax to y. y is what the softmax gave already.",
        |y, dy| {
            let y = y.softmax();
            finish(&y, dy, &row_sum(&dy.mul(&y)))
        },
    ),
    (
        "y and dy have changed places outside the sum. It is y ⊙ (dy − Σ dy ⊙ y).",
        |y, dy| dy.mul(&y.sub(&row_sum(&dy.mul(y)))),
    ),
    (
        "You sum y². The sum is of dy ⊙ y: what comes from above, weighted by y.",
        |y, dy| y.mul(&dy.sub(&row_sum(&y.mul(y)))),
    ),
    (
        "You return y − dy, the shortcut for softmax with cross-entropy. dy is no target here: y ⊙ (dy − Σ dy ⊙ y).",
        |y, dy| y.sub(dy),
    ),
    (
        "You multiply the row's mean by the size of axis 1, which is the length of a row only if there are two axes. Take the size of the last axis.",
        |y, dy| finish(y, dy, &dy.mul(y).row_mean().scale(y.shape()[1] as f32)),
    ),
    (
        "You subtract the plain mean of dy. Weight each cell of dy by its y, and take the sum: Σ dy ⊙ y.",
        |y, dy| finish(y, dy, &dy.row_mean()),
    ),
    (
        "You return dy unchanged, as if softmax did nothing. Each cell of x moves the whole row of y.",
        |_, dy| dy.clone(),
    ),
    (
        "You multiply the row's mean by the number of axes. A row's sum is its mean times the size of the last axis.",
        |y, dy| finish(y, dy, &dy.mul(y).row_mean().scale(y.shape().len() as f32)),
    ),
];
