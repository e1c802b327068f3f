//! The classic mistakes of attention, each a function of the reference's signature: the switches of
//! the stage, and what the exercise recognises.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

/// What follows the scores when nothing else is wrong.
fn finish(scores: &Var, value: &Var, mask: Option<&Var>) -> Attention {
    let masked = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED).named("masked"),
        None => scores.clone(),
    };
    mix(masked.softmax().named("weights"), value)
}

fn mix(weights: Var, value: &Var) -> Attention {
    let context = weights.matmul(value).named("context");
    Attention { context, weights }
}

fn scaled(query: &Var, key: &Var) -> Var {
    let d_k = query.value().last() as f32;
    query
        .matmul_t(key)
        .named("scores")
        .scale(1.0 / d_k.sqrt())
        .named("scaled")
}

/// Scores as they are, not divided by √d_k.
pub fn no_scale(query: &Var, key: &Var, value: &Var, mask: Option<&Var>, _: f32) -> Attention {
    finish(&query.matmul_t(key).named("scores"), value, mask)
}

/// Divided by the root of all heads' width instead of one head's.
pub fn scale_by_model(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    _: f32,
) -> Attention {
    let shape = query.shape();
    let d_model = (shape[1] * shape[3]) as f32;
    let scores = query.matmul_t(key).named("scores");
    finish(
        &scores.scale(1.0 / d_model.sqrt()).named("scaled"),
        value,
        mask,
    )
}

/// The softmax runs down the columns: over the queries instead of the keys.
pub fn wrong_axis(query: &Var, key: &Var, value: &Var, mask: Option<&Var>, _: f32) -> Attention {
    let scaled = scaled(query, key);
    let masked = mask.map_or(scaled.clone(), |m| {
        scaled.mask_fill(m, BLOCKED).named("masked")
    });
    mix(
        masked.transpose().softmax().transpose().named("weights"),
        value,
    )
}

/// The mask multiplies the weights after the softmax has shared out the whole.
pub fn mask_after(query: &Var, key: &Var, value: &Var, mask: Option<&Var>, _: f32) -> Attention {
    let weights = scaled(query, key).softmax();
    mix(
        mask.map_or(weights.clone(), |m| weights.mul(m))
            .named("weights"),
        value,
    )
}

/// Rows of the queries meet columns of the keys.
pub fn not_transposed(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    _: f32,
) -> Attention {
    let d_k = query.value().last() as f32;
    let scores = query.matmul(key).named("scores");
    finish(&scores.scale(1.0 / d_k.sqrt()).named("scaled"), value, mask)
}

/// What may be seen is blocked, and what is blocked may be seen.
pub fn reversed_mask(query: &Var, key: &Var, value: &Var, mask: Option<&Var>, _: f32) -> Attention {
    let blocked = mask.map(|m| m.not_equal(1.0).named("reversed"));
    finish(&scaled(query, key), value, blocked.as_ref())
}

/// The mask is not used at all.
pub fn no_mask(query: &Var, key: &Var, value: &Var, _: Option<&Var>, _: f32) -> Attention {
    finish(&scaled(query, key), value, None)
}
