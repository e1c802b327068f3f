//! The classic mistakes of attention, each a function of the reference's signature: the switches of
//! the stage, and what the exercise recognises.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

/// Scores as they are, not divided by √d_k.
pub fn no_scale(query: &Var, key: &Var, value: &Var, mask: Option<&Var>, _: f32) -> Attention {
    let scores = query.matmul_t(key).named("scores");
    let masked = mask.map_or(scores.clone(), |m| {
        scores.mask_fill(m, BLOCKED).named("masked")
    });
    let weights = masked.softmax().named("weights");
    Attention {
        context: weights.matmul(value).named("context"),
        weights,
    }
}
