//! The classic mistakes in Adam, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{AdamFn, Moved, Rules, adam_step};

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, AdamFn); 9] = [
    ("no-correction", no_correction),
    ("count-from-zero", count_from_zero),
    ("no-root", no_root),
    ("betas-exchanged", betas_exchanged),
    ("epsilon-inside", epsilon_inside),
    ("decay-in-gradient", decay_in_gradient),
    ("uphill", uphill),
    ("no-mean", no_mean),
    ("square-of-mean", square_of_mean),
];

/// The two moments, updated with the gradient `dx` and with `squared · squared`.
fn moments(dx: &Var, squared: &Var, m: &Var, v: &Var, rules: &Rules) -> (Var, Var) {
    let m = m.scale(rules.beta1);
    let m = m.add(&dx.scale(1.0 - rules.beta1)).named("mean");
    let new = squared.mul(squared).scale(1.0 - rules.beta2);
    (m, v.scale(rules.beta2).add(&new).named("square"))
}

fn hats(m: &Var, v: &Var, step: i32, rules: &Rules) -> (Var, Var) {
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    (m_hat.named("m_hat"), v_hat.named("v_hat"))
}

fn plus_epsilon(x: &Var, rules: &Rules) -> Var {
    let epsilon = Tensor::scalar(rules.epsilon);
    x.add(&x.tape().constant("epsilon", epsilon, &[]))
}

/// The weights after a step along `numerator / (root + ε)`.
fn walk(x: &Var, numerator: &Var, root: &Var, rules: &Rules) -> Var {
    let update = numerator.div(&plus_epsilon(root, rules)).named("update");
    let kept = x.scale(1.0 - rules.rate * rules.decay).named("kept");
    kept.sub(&update.scale(rules.rate)).named("moved")
}

/// Does not correct the moments, which are too small at first.
pub fn no_correction(x: &Var, dx: &Var, m: &Var, v: &Var, _: i32, rules: &Rules) -> Moved {
    let (m, v) = moments(dx, dx, m, v, rules);
    let x = walk(x, &m, &v.sqrt().named("root"), rules);
    Moved { x, m, v }
}

/// Counts the first step as number 0, so that its correction divides by 0.
pub fn count_from_zero(x: &Var, dx: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    adam_step(x, dx, m, v, step - 1, rules)
}

/// Divides by the mean square instead of its root.
pub fn no_root(x: &Var, dx: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let (m, v) = moments(dx, dx, m, v, rules);
    let (m_hat, v_hat) = hats(&m, &v, step, rules);
    let x = walk(x, &m_hat, &v_hat, rules);
    Moved { x, m, v }
}

/// Uses β₁ for the squares and β₂ for the mean.
pub fn betas_exchanged(x: &Var, dx: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let rules = Rules {
        beta1: rules.beta2,
        beta2: rules.beta1,
        ..*rules
    };
    adam_step(x, dx, m, v, step, &rules)
}

/// Adds ε under the root.
pub fn epsilon_inside(x: &Var, dx: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let (m, v) = moments(dx, dx, m, v, rules);
    let (m_hat, v_hat) = hats(&m, &v, step, rules);
    let root = plus_epsilon(&v_hat, rules).sqrt().named("root");
    let rules = Rules {
        epsilon: 0.0,
        ..*rules
    };
    let x = walk(x, &m_hat, &root, &rules);
    Moved { x, m, v }
}

/// `adam`, with the decay computed from weights that have already moved.
fn decayed_after(adam: AdamFn, x: &Var, others: [&Var; 3], step: i32, rules: &Rules) -> Moved {
    let [dx, m, v] = others;
    let still = Rules {
        decay: 0.0,
        ..*rules
    };
    let moved = adam(x, dx, m, v, step, &still);
    let x = moved.x.scale(1.0 - rules.rate * rules.decay);
    Moved { x, ..moved }
}

/// Adds the decay to the gradient, so that it passes through the moments: L2, not AdamW.
pub fn decay_in_gradient(x: &Var, dx: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let dx = dx.add(&x.scale(rules.decay)).named("with_decay");
    let rules = Rules {
        decay: 0.0,
        ..*rules
    };
    adam_step(x, &dx, m, v, step, &rules)
}

/// Adds the step instead of subtracting it.
pub fn uphill(x: &Var, dx: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let (m, v) = moments(dx, dx, m, v, rules);
    let (m_hat, v_hat) = hats(&m, &v, step, rules);
    let root = plus_epsilon(&v_hat.sqrt().named("root"), rules);
    let update = m_hat.div(&root).named("update");
    let decayed = x.scale(1.0 - rules.rate * rules.decay).named("kept");
    let x = decayed.add(&update.scale(rules.rate)).named("moved");
    Moved { x, m, v }
}

/// Divides only this step's gradient by the root: RMSProp.
pub fn no_mean(x: &Var, dx: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let (m, v) = moments(dx, dx, m, v, rules);
    let (_, v_hat) = hats(&m, &v, step, rules);
    let x = walk(x, dx, &v_hat.sqrt().named("root"), rules);
    Moved { x, m, v }
}

/// Squares the mean instead of the gradient.
pub fn square_of_mean(x: &Var, dx: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let kept = m.scale(rules.beta1);
    let mean = kept.add(&dx.scale(1.0 - rules.beta1));
    let (m, v) = moments(dx, &mean, m, v, rules);
    let (m_hat, v_hat) = hats(&m, &v, step, rules);
    let x = walk(x, &m_hat, &v_hat.sqrt().named("root"), rules);
    Moved { x, m, v }
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, AdamFn); 17] = [
    (
        "Your decay leaves out the learning rate: the weights shrink by rate · decay per step.",
        |x, dx, m, v, step, rules| {
            let rules = Rules {
                decay: rules.decay / rules.rate,
                ..*rules
            };
            adam_step(x, dx, m, v, step, &rules)
        },
    ),
    (
        "You leave ε out. Add it to the root, to prevent division by 0.",
        |x, dx, m, v, step, rules| {
            let rules = Rules {
                epsilon: 0.0,
                ..*rules
            };
            adam_step(x, dx, m, v, step, &rules)
        },
    ),
    (
        "You leave the decay out: the weights shrink by rate · decay per step.",
        |x, dx, m, v, step, rules| {
            let rules = Rules {
                decay: 0.0,
                ..*rules
            };
            adam_step(x, dx, m, v, step, &rules)
        },
    ),
    (
        "You correct the mean but not the mean square. Both start at 0, so both need the correction.",
        |x, dx, m, v, step, rules| {
            let (m, v) = moments(dx, dx, m, v, rules);
            let (m_hat, _) = hats(&m, &v, step, rules);
            let x = walk(x, &m_hat, &v.sqrt(), rules);
            Moved { x, m, v }
        },
    ),
    (
        "You return the corrected moments. The next step continues from the uncorrected ones: correct them only for the update.",
        |x, dx, m, v, step, rules| {
            let Moved { x, m, v } = adam_step(x, dx, m, v, step, rules);
            let (m, v) = hats(&m, &v, step, rules);
            Moved { x, m, v }
        },
    ),
    (
        "You correct with (1 − β)^step. The power applies only to β: 1 − β^step.",
        |x, dx, m, v, step, rules| {
            let (m, v) = moments(dx, dx, m, v, rules);
            let m_hat = m.scale(1.0 / (1.0 - rules.beta1).powi(step));
            let v_hat = v.scale(1.0 / (1.0 - rules.beta2).powi(step));
            let x = walk(x, &m_hat, &v_hat.sqrt(), rules);
            Moved { x, m, v }
        },
    ),
    (
        "You correct with step + 1. Steps are counted from 1 here, so use step as it is.",
        |x, dx, m, v, step, rules| adam_step(x, dx, m, v, step + 1, rules),
    ),
    (
        "You put both corrections into the rate, as in the paper's short form, so ε is added to the root before its correction. Correct the moments first, then add ε.",
        |x, dx, m, v, step, rules| {
            let (m, v) = moments(dx, dx, m, v, rules);
            let (m_hat, _) = hats(&m, &v, step, rules);
            let root = (1.0 - rules.beta2.powi(step)).sqrt();
            let x = walk(x, &m_hat.scale(root), &v.sqrt(), rules);
            Moved { x, m, v }
        },
    ),
    (
        "You compute the decay from weights that have already moved. Compute it from the weights before the step.",
        |x, dx, m, v, step, rules| decayed_after(adam_step, x, [dx, m, v], step, rules),
    ),
    (
        "You swapped old and new in your means: β multiplies the old mean, 1 − β the new gradient.",
        |x, dx, m, v, step, rules| {
            let turned = Rules {
                beta1: 1.0 - rules.beta1,
                beta2: 1.0 - rules.beta2,
                ..*rules
            };
            let (m, v) = moments(dx, dx, m, v, &turned);
            let (m_hat, v_hat) = hats(&m, &v, step, rules);
            let x = walk(x, &m_hat, &v_hat.sqrt(), rules);
            Moved { x, m, v }
        },
    ),
    (
        "You average the gradient itself into v, instead of its square. v is the mean of the squares: β₂ · v + (1 − β₂) · gradient².",
        |x, dx, m, v, step, rules| {
            let (m, _) = moments(dx, dx, m, v, rules);
            let v = v.scale(rules.beta2).add(&dx.scale(1.0 - rules.beta2));
            let (m_hat, v_hat) = hats(&m, &v, step, rules);
            let x = walk(x, &m_hat, &v_hat.sqrt(), rules);
            Moved { x, m, v }
        },
    ),
    (
        "You move the weights with the moments of the previous step. Update the moments first, then move the weights with the new ones.",
        |x, dx, m, v, step, rules| {
            let (m_hat, v_hat) = hats(m, v, step, rules);
            let x = walk(x, &m_hat, &v_hat.sqrt(), rules);
            let (m, v) = moments(dx, dx, m, v, rules);
            Moved { x, m, v }
        },
    ),
    (
        "You add the whole gradient and its whole square. Multiply them by 1 − β₁ and 1 − β₂, so the moments stay means.",
        |x, dx, m, v, step, rules| {
            let m = m.scale(rules.beta1).add(dx);
            let v = v.scale(rules.beta2).add(&dx.mul(dx));
            let (m_hat, v_hat) = hats(&m, &v, step, rules);
            let x = walk(x, &m_hat, &v_hat.sqrt(), rules);
            Moved { x, m, v }
        },
    ),
    (
        "Two mistakes at once: you do not correct the moments, and you leave the root out.",
        |x, dx, m, v, _, rules| {
            let (m, v) = moments(dx, dx, m, v, rules);
            let x = walk(x, &m, &v, rules);
            Moved { x, m, v }
        },
    ),
    (
        "Two mistakes at once: you do not correct the moments, and you leave the decay out.",
        |x, dx, m, v, step, rules| {
            let rules = Rules {
                decay: 0.0,
                ..*rules
            };
            no_correction(x, dx, m, v, step, &rules)
        },
    ),
    (
        "Your correction multiplies β by the step. β is raised to the power of the step: 1 − β^step.",
        |x, dx, m, v, step, rules| {
            let (m, v) = moments(dx, dx, m, v, rules);
            let m_hat = m.scale(1.0 / (1.0 - rules.beta1 * step as f32));
            let v_hat = v.scale(1.0 / (1.0 - rules.beta2 * step as f32));
            let x = walk(x, &m_hat, &v_hat.sqrt(), rules);
            Moved { x, m, v }
        },
    ),
    (
        "Two mistakes at once: you add ε under the root, and you compute the decay from weights that have already moved.",
        |x, dx, m, v, step, rules| decayed_after(epsilon_inside, x, [dx, m, v], step, rules),
    ),
];
