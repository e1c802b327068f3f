//! The classic mistakes in attention, each with the reference's signature. The stage has switches for them, and the
//! exercise recognises them.

use transformer_tutor::autograd::Var;
pub use transformer_tutor::nn::attention::AttentionFn as Attend;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

/// Every mistake, by the name of the switch that turns it on.
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

/// Scores divided by √d_k, the correct beginning of attention.
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

/// Dropout and mixing, the correct end of attention.
fn mix(weights: Var, value: &Var, dropout: f32) -> Attention {
    let weights = weights.named("weights");
    let context = weights.dropout(dropout).matmul(value).named("context");
    Attention { context, weights }
}

fn finish(scaled: &Var, value: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    mix(masked(scaled, mask).softmax(), value, dropout)
}

/// Does not divide the scores by √d_k.
pub fn no_scale(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    finish(&q.matmul_t(k).named("scores"), v, mask, dropout)
}

/// Divides by the root of the width of all heads instead of one head's.
pub fn scale_by_model(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let shape = q.shape();
    let d_model = (shape[1] * shape[3]) as f32;
    let scores = q.matmul_t(k).named("scores");
    let scaled = scores.scale(1.0 / d_model.sqrt()).named("scaled");
    finish(&scaled, v, mask, dropout)
}

/// Runs the softmax down the columns, over the queries instead of the keys.
pub fn wrong_axis(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let columns = masked(&scaled(q, k), mask).transpose();
    mix(columns.softmax().transpose(), v, dropout)
}

/// Multiplies the weights by the mask after the softmax, so that rows no longer sum to 1.
pub fn mask_after(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let shares = scaled(q, k).softmax();
    let kept = mask.map_or(shares.clone(), |mask| shares.mul(mask));
    mix(kept, v, dropout)
}

/// Multiplies rows of the queries by columns of the keys.
pub fn not_transposed(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let d_k = q.value().last() as f32;
    let scores = q.matmul(k).named("scores");
    let scaled = scores.scale(1.0 / d_k.sqrt()).named("scaled");
    finish(&scaled, v, mask, dropout)
}

/// Blocks what may be seen, and shows what is blocked.
pub fn reversed_mask(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let reversed = mask.map(|mask| mask.not_equal(1.0).named("reversed"));
    finish(&scaled(q, k), v, reversed.as_ref(), dropout)
}

/// Ignores the mask.
pub fn no_mask(q: &Var, k: &Var, v: &Var, _: Option<&Var>, dropout: f32) -> Attention {
    finish(&scaled(q, k), v, None, dropout)
}

/// Drops nothing, not even in training.
pub fn no_dropout(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, _: f32) -> Attention {
    finish(&scaled(q, k), v, mask, 0.0)
}

/// Drops scores instead of weights: a score of 0 still gets some weight.
pub fn early_dropout(q: &Var, k: &Var, v: &Var, mask: Option<&Var>, dropout: f32) -> Attention {
    let dropped = scaled(q, k).dropout(dropout);
    finish(&dropped, v, mask, 0.0)
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, Attend); 19] = [
    (
        "You divide the scores by d_k. Divide them by its root, √d_k.",
        |q, k, v, mask, p| {
            let scaled = q.matmul_t(k).scale(1.0 / q.value().last() as f32);
            finish(&scaled, v, mask, p)
        },
    ),
    (
        "You divide the scores by √d_v, the width of a value. A score is a sum of d_k products: divide by √d_k.",
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
    (
        "You divide the scores by the root of the number of keys. Divide by √d_k, the root of the width of a key.",
        |q, k, v, mask, p| {
            let scaled = q.matmul_t(k).scale(1.0 / (k.shape()[2] as f32).sqrt());
            finish(&scaled, v, mask, p)
        },
    ),
    (
        "You add the mask of ones and zeros to the scores. Wherever it is 0, fill the scores with BLOCKED instead.",
        |q, k, v, mask, p| {
            let scores = scaled(q, k);
            let added = mask.map_or(scores.clone(), |mask| scores.add(mask));
            finish(&added, v, None, p)
        },
    ),
    (
        "You fill blocked scores with 0 or a number close to it. e^0 is 1, so blocked keys get weight. Fill them with BLOCKED.",
        |q, k, v, mask, p| {
            let scores = scaled(q, k);
            let filled = mask.map_or(scores.clone(), |mask| scores.mask_fill(mask, 0.0));
            finish(&filled, v, None, p)
        },
    ),
    (
        "You apply softmax twice: the weights go through it again before they mix the values. Once is enough.",
        |q, k, v, mask, p| {
            let weights = masked(&scaled(q, k), mask).softmax();
            let context = mix(weights.softmax(), v, p).context;
            Attention { context, weights }
        },
    ),
    (
        "You divide the weights by √d_k, so they no longer sum to 1. Divide the scores, before softmax.",
        |q, k, v, mask, p| {
            let root = (q.value().last() as f32).sqrt();
            let weights = masked(&q.matmul_t(k), mask).softmax().scale(1.0 / root);
            mix(weights, v, p)
        },
    ),
    (
        "You return the scores as the weights. The weights are the softmax of the scores.",
        |q, k, v, mask, p| {
            let weights = masked(&scaled(q, k), mask);
            let context = mix(weights.softmax(), v, p).context;
            Attention { context, weights }
        },
    ),
    (
        "Your weights mix the keys. Keys are only compared with queries: mix the values.",
        |q, k, _, mask, p| finish(&scaled(q, k), k, mask, p),
    ),
    (
        "You add the query to the context. The residual connection belongs to the layer around attention.",
        |q, k, v, mask, p| {
            let Attention { context, weights } = finish(&scaled(q, k), v, mask, p);
            let context = q.add(&context);
            Attention { context, weights }
        },
    ),
    (
        "You take the root of the query's axis 2, the number of tokens. d_k is the size of its last axis.",
        |q, k, v, mask, p| {
            let root = (q.shape()[2] as f32).sqrt();
            finish(&q.matmul_t(k).scale(1.0 / root), v, mask, p)
        },
    ),
    (
        "You take the root of the query's axis 1, the number of heads. d_k is the size of its last axis.",
        |q, k, v, mask, p| {
            let root = (q.shape()[1] as f32).sqrt();
            finish(&q.matmul_t(k).scale(1.0 / root), v, mask, p)
        },
    ),
    (
        "Two mistakes at once: you do not divide the scores by √d_k, and you ignore the mask.",
        |q, k, v, _, p| finish(&q.matmul_t(k), v, None, p),
    ),
    (
        "Two mistakes at once: you do not divide the scores by √d_k, and your softmax runs over the queries instead of the keys.",
        |q, k, v, mask, p| {
            let columns = masked(&q.matmul_t(k), mask).transpose();
            mix(columns.softmax().transpose(), v, p)
        },
    ),
    (
        "Two mistakes at once: you do not divide the scores by √d_k, and you apply the mask after softmax, so the rows no longer sum to 1.",
        |q, k, v, mask, p| {
            let weights = q.matmul_t(k).softmax();
            let kept = mask.map_or(weights.clone(), |mask| weights.mul(mask));
            mix(kept, v, p)
        },
    ),
    (
        "Two mistakes at once: you divide the scores by d_k instead of √d_k, and you ignore the mask.",
        |q, k, v, _, p| {
            let d_k = q.value().last() as f32;
            finish(&q.matmul_t(k).scale(1.0 / d_k), v, None, p)
        },
    ),
    (
        "Your weights are logarithms: log_softmax. Use softmax, whose rows sum to 1.",
        |q, k, v, mask, p| {
            let scaled = q.matmul_t(k).scale(1.0 / (q.value().last() as f32).sqrt());
            mix(masked(&scaled, mask).log_softmax(), v, p)
        },
    ),
    (
        "You compare by the cosine, so the lengths of queries and keys don't count. A score is q · k / √d_k.",
        |q, k, v, mask, p| {
            let unit = |x: &Var| {
                let d = x.value().last() as f32;
                x.div(&x.mul(x).row_mean().scale(d).sqrt())
            };
            finish(&unit(q).matmul_t(&unit(k)), v, mask, p)
        },
    ),
];
