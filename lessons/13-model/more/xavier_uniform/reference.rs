//! The reference solution of the warm-up: Xavier initialisation.

use transformer_tutor::tensor::Tensor;

transformer_tutor::reference! { "xavier_uniform";
// ANCHOR: forward
/// Numbers between −limit and limit, where limit = √(6 / (fan_in + fan_out)). Their variance is 2 /
/// (fan_in + fan_out).
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
// ANCHOR_END: forward
}
