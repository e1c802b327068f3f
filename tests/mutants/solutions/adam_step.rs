//# Corrects the mean, but uses the mean square without its bias correction.
//= no-correction classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v.sqrt().add(&epsilon));
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# Stores the corrected moments for the next step instead of the uncorrected ones.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    Moved {
        x,
        m: m_hat,
        v: v_hat,
    }
}

//# Adds the decay to the gradient, as L2 regularisation in Adam does, instead of subtracting it from the weights (AdamW).
//= decay-in-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let gradient = &gradient.add(&x.scale(rules.decay));
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x.sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# Corrects with (1 − β)^step instead of 1 − β^step.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1).powi(step));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2).powi(step));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# Divides the gradient by the root and forgets the mean: the step follows the gradient of this batch, as in RMSProp.
//= no-mean
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let g_hat = gradient.clone();
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = g_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# Adds ε under the root.
//= epsilon-inside
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.add(&epsilon).sqrt());
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# Updates the weights with the moments from before this step, and updates the moments only afterwards.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    Moved { x, m, v }
}

//# Assumes that steps are counted from 0 and corrects with step + 1.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let t = step + 1;
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(t)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(t)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# Folds both corrections into the rate, as the paper's more efficient form does, so that ε is added to the uncorrected root.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let rate = rules.rate * (1.0 - rules.beta2.powi(step)).sqrt() / (1.0 - rules.beta1.powi(step));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m.div(&v.sqrt().add(&epsilon)).scale(rate);
    let x = x.scale(1.0 - rules.rate * rules.decay).sub(&update);
    Moved { x, m, v }
}

//# Computes the decay from the updated weights instead of those before the step.
//= classic-8
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let moved = x.sub(&update.scale(rules.rate));
    let x = moved.scale(1.0 - rules.rate * rules.decay);
    Moved { x, m, v }
}

//# Takes β for the weight of the new gradient, which swaps old and new in both means.
//= classic-9
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(1.0 - rules.beta1).add(&gradient.scale(rules.beta1));
    let v = v
        .scale(1.0 - rules.beta2)
        .add(&gradient.mul(gradient).scale(rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# Subtracts the decay without multiplying it by the rate.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v
        .scale(rules.beta2)
        .add(&gradient.mul(gradient).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x.scale(1.0 - rules.decay).sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# Squares the mean instead of the gradient for the mean square.
//= square-of-mean
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let v = v.scale(rules.beta2).add(&m.mul(&m).scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x
        .scale(1.0 - rules.rate * rules.decay)
        .sub(&update.scale(rules.rate));
    Moved { x, m, v }
}

//# Adds epsilon under the root instead of to the root.
//= epsilon-inside
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let square = gradient.mul(gradient);
    let v = v.scale(rules.beta2).add(&square.scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.add(&epsilon).sqrt());
    let x = x
        .sub(&x.scale(rules.rate * rules.decay))
        .sub(&update.scale(rules.rate));
    Moved { x, m, v }
}
//# Adds the decay to the gradient, as L2 regularisation, instead of subtracting it from the weights separately.
//= decay-in-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let gradient = gradient.add(&x.scale(rules.decay));
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let square = gradient.mul(&gradient);
    let v = v.scale(rules.beta2).add(&square.scale(1.0 - rules.beta2));
    let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v_hat = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m_hat.div(&v_hat.sqrt().add(&epsilon));
    let x = x.sub(&update.scale(rules.rate));
    Moved { x, m, v }
}
//# Passes the corrected moments m̂ and v̂ to the next step instead of m and v.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::{Moved, Rules};

pub fn adam_step(x: &Var, gradient: &Var, m: &Var, v: &Var, step: i32, rules: &Rules) -> Moved {
    let m = m.scale(rules.beta1).add(&gradient.scale(1.0 - rules.beta1));
    let square = gradient.mul(gradient);
    let v = v.scale(rules.beta2).add(&square.scale(1.0 - rules.beta2));
    let m = m.scale(1.0 / (1.0 - rules.beta1.powi(step)));
    let v = v.scale(1.0 / (1.0 - rules.beta2.powi(step)));
    let epsilon = x
        .tape()
        .constant("epsilon", Tensor::scalar(rules.epsilon), &[]);
    let update = m.div(&v.sqrt().add(&epsilon)).scale(rules.rate);
    let kept = x.scale(1.0 - rules.rate * rules.decay);
    Moved {
        x: kept.sub(&update),
        m,
        v,
    }
}
