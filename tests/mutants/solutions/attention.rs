//# Leaves out the division by √d_k.
//= no-scale
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let scores = query.matmul_t(key);
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Divides by d_k instead of its root.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k);
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Divides by the root of the number of keys instead of the width of the keys.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let source = key.shape()[2] as f32;
    let scores = query.matmul_t(key).scale(1.0 / source.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Takes the width of the values for d_k.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = value.value().last() as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Takes the number of heads for d_k, because it counts the query's axes from the wrong end.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[1] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Normalises over the queries instead of the keys.
//= wrong-axis
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    // softmax works on the last axis, so transpose before and after it
    let weights = scores.transpose().softmax().transpose();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Adds the mask of ones and zeros to the scores instead of filling blocked scores.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::Attention;

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.add(mask),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Fills blocked scores with the smallest positive number, confusing it with the most negative one.
//= too-high classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::Attention;

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, f32::MIN_POSITIVE),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Fills blocked scores with −∞, which turns a row without a visible key into NaN.
//= minus-infinity
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::Attention;

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, f32::NEG_INFINITY),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Zeroes the blocked weights after the softmax without normalising again.
//= mask-after
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::Attention;

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let weights = scores.softmax();
    let weights = match mask {
        Some(mask) => weights.mul(mask),
        None => weights,
    };
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Inverts the mask: 1 means blocked, as in PyTorch's key_padding_mask.
//= reversed-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => {
            let visible = mask.not_equal(1.0);
            scores.mask_fill(&visible, BLOCKED)
        }
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Returns the weights after dropout.
//= dropped-returned
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax().dropout(dropout);
    let context = weights.matmul(value);
    Attention { context, weights }
}
//# Drops cells of the context instead of weights.
//= dropped-values
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.matmul(value).dropout(dropout);
    Attention { context, weights }
}
//# Drops scores before the softmax instead of weights after it.
//= early-dropout
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.dropout(dropout).softmax();
    let context = weights.matmul(value);
    Attention { context, weights }
}
//# Takes dropout for the probability of keeping a weight, as in TensorFlow 1.
//= each-weight
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let kept = match dropout > 0.0 {
        true => weights.dropout(1.0 - dropout),
        false => weights.clone(),
    };
    let context = kept.matmul(value);
    Attention { context, weights }
}
//# Applies the softmax twice, to the scores and again to the weights.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.softmax().dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Scales after the softmax instead of before it.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key);
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax().scale(1.0 / d_k.sqrt());
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Divides query and key each by the full √d_k.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let root = d_k.sqrt();
    let (query, key) = (query.scale(1.0 / root), key.scale(1.0 / root));
    let scores = query.matmul_t(&key);
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Uses the logarithm of the softmax for the weights.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.log_softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Mixes the keys instead of the values.
//= classic-9
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let _ = value;
    let context = weights.dropout(dropout).matmul(key);
    Attention { context, weights }
}
//# Returns the scores as the weights.
//= classic-8
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let context = scores.softmax().dropout(dropout).matmul(value);
    Attention { context, weights: scores }
}
//# Blocks with −10,000, as half-precision code does, which is too little against large scores.
//= too-high
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::Attention;

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, -10_000.0),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Adds the query to the context, as if the residual connection were part of attention.
//= classic-10
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = query.add(&weights.dropout(dropout).matmul(value));
    Attention { context, weights }
}
//# Normalises queries and keys to length 1, which compares them by cosine.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let unit = |x: &Var| {
        let d = x.value().last() as f32;
        let length = x.mul(x).row_mean().scale(d).sqrt();
        x.div(&length)
    };
    let scores = unit(query).matmul_t(&unit(key));
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Fills blocked scores with 1e-9, nearly 0, instead of −1e9.
//= classic-5 too-high
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::Attention;

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let mut scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    if let Some(mask) = mask {
        scores = scores.mask_fill(mask, 1e-9);
    }
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Reads d_k from axis 2, the number of queries, as if there were no heads axis.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[2] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}
//# Returns the weights after dropout, as the Annotated Transformer's p_attn does, not as they come out of the softmax.
//= dropped-returned
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let mut scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    if let Some(mask) = mask {
        scores = scores.mask_fill(mask, BLOCKED);
    }
    let p_attn = scores.softmax().dropout(dropout);
    let context = p_attn.matmul(value);
    Attention {
        context,
        weights: p_attn,
    }
}
