//! The classic mistakes of attention, each a function of the reference's signature: the switches of
//! the stage, and what the exercise recognises.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

/// The signature of attention.
pub type Attend = fn(&Var, &Var, &Var, Option<&Var>, f32) -> Attention;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, Attend); 9] = [
    ("no-scale", no_scale),
    ("scale-by-model", scale_by_model),
    ("wrong-axis", wrong_axis),
    ("mask-after", mask_after),
    ("not-transposed", not_transposed),
    ("reversed-mask", reversed_mask),
    ("no-mask", no_mask),
    ("no-dropout", no_dropout),
    ("early-dropout", early_dropout),
];

/// The scores, divided by √d_k: how attention begins where nothing is wrong with it.
fn scaled(query: &Var, key: &Var) -> Var {
    let d_k = query.value().last() as f32;
    let scores = query.matmul_t(key).named("scores");
    scores.scale(1.0 / d_k.sqrt()).named("scaled")
}

fn masked(scaled: &Var, mask: Option<&Var>) -> Var {
    match mask {
        Some(mask) => scaled.mask_fill(mask, BLOCKED).named("masked"),
        None => scaled.clone(),
    }
}

/// How it ends.
fn mix(weights: Var, value: &Var, dropout: f32) -> Attention {
    let weights = weights.named("weights");
    let context = weights.dropout(dropout).matmul(value).named("context");
    Attention { context, weights }
}

fn finish(scaled: &Var, value: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    mix(masked(scaled, mask).softmax(), value, dropout)
}

/// Scores as they are, not divided by √d_k.
pub fn no_scale(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    finish(&q.matmul_t(k).named("scores"), v, mask, dropout)
}

/// Divided by the root of all heads' width instead of one head's.
pub fn scale_by_model(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let shape = q.shape();
    let d_model = (shape[1] * shape[3]) as f32;
    let scores = q.matmul_t(k).named("scores");
    let scaled = scores.scale(1.0 / d_model.sqrt()).named("scaled");
    finish(&scaled, v, mask, dropout)
}

/// The softmax runs down the columns: over the queries instead of the keys.
pub fn wrong_axis(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let columns = masked(&scaled(q, k), mask).transpose();
    mix(columns.softmax().transpose(), v, dropout)
}

/// The mask multiplies the weights after the softmax has shared out the whole.
pub fn mask_after(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let shares = scaled(q, k).softmax();
    let kept = mask.map_or(shares.clone(), |mask| shares.mul(mask));
    mix(kept, v, dropout)
}

/// Rows of the queries meet columns of the keys.
pub fn not_transposed(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let d_k = q.value().last() as f32;
    let scores = q.matmul(k).named("scores");
    let scaled = scores.scale(1.0 / d_k.sqrt()).named("scaled");
    finish(&scaled, v, mask, dropout)
}

/// What may be seen is blocked, and what is blocked may be seen.
pub fn reversed_mask(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let reversed = mask.map(|mask| mask.not_equal(1.0).named("reversed"));
    finish(&scaled(q, k), v, reversed.as_ref(), dropout)
}

/// The mask is not used at all.
pub fn no_mask(q: &Var, k: &Var, v: &Var, _: Option<&Var>, dropout: f32) -> Attention {
    finish(&scaled(q, k), v, None, dropout)
}

/// Nothing is dropped, in training either.
pub fn no_dropout(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, _: f32) -> Attention {
    finish(&scaled(q, k), v, mask, 0.0)
}

/// Scores are dropped instead of weights: a score of 0 still gets its share.
pub fn early_dropout(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let dropped = scaled(q, k).dropout(dropout);
    finish(&dropped, v, mask, 0.0)
}

/// What else is got wrong, with what the check says of it.
pub static CLASSICS: [(&str, Attend); 3] = [
    (
        "You divide the scores by d_k. Divide them by its root, √d_k.",
        |q, k, v, mask, p| {
            let scaled = q.matmul_t(k).scale(1.0 / q.value().last() as f32);
            finish(&scaled, v, mask, p)
        },
    ),
    (
        "You divide the scores by √d_v, the width of a value. A score adds up d_k products: divide by √d_k.",
        |q, k, v, mask, p| {
            let scaled = q.matmul_t(k).scale(1.0 / (v.value().last() as f32).sqrt());
            finish(&scaled, v, mask, p)
        },
    ),
    (
        "You multiply the scores by √d_k. Divide them by it.",
        |q, k, v, mask, p| {
            let scaled = q.matmul_t(k).scale((q.value().last() as f32).sqrt());
            finish(&scaled, v, mask, p)
        },
    ),
];
