//# Reshapes [batch, length, d_model] directly to [batch, heads, length, d_k], without permuting the axes.
//= view-only classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, heads, length, d_model / heads], &["b", "h", "t", "k"])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Joins the heads without moving their axis back behind the positions.
//= no-return
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Gives each head every h-th channel instead of a contiguous block, in the split and in the join.
//= dealt-in-turn classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, d_model / heads, heads], &["b", "t", "k", "h"])
        .permute(&[0, 3, 1, 2])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 3, 1])
        .reshape(&[batch, length, d_k * heads], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Joins the heads by interleaving their channels instead of concatenating blocks.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 3, 1])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Leaves out W_O and returns the joined heads.
//= no-output
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = join(&found.context);
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Computes the values from the keys' input, as if the two were always the same tensor.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let _ = value;
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(key), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Uses one map, W_Q, for queries, keys and values.
//= one-map
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let project = |x: &Var| split(&maps.query.forward(x), maps.heads);
    let (q, k, v) = (project(query), project(key), project(value));
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Splits the values as they are, without W_V.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(value, maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Inserts the mask's heads axis before the batch instead of after it.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(0));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Does not pass the mask on.
//= no-mask
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let _ = mask;
    let found = attention(&q, &k, &v, None, maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Does not pass the dropout on.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), 0.0);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Applies dropout to the result instead of the weights.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), 0.0);
    let output = maps.output.forward(&join(&found.context)).dropout(maps.dropout);
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Returns the weights averaged over the heads, as PyTorch's MultiheadAttention does by default.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    let shape = found.weights.shape();
    // [batch, heads, target, source] -> [batch, target, source]
    let weights = found
        .weights
        .permute(&[0, 2, 3, 1])
        .row_mean()
        .reshape(&[shape[0], shape[2], shape[3]], &["b", "t", "s"]);
    MultiHead { output, weights }
}
//# Scales the queries by 1/√d_k, although attention already does.
//= classic-8
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let d_k = q.shape()[3] as f32;
    let q = q.scale(1.0 / d_k.sqrt());
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Adds the residual connection inside the layer instead of around it.
//= classic-9
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = query.add(&maps.output.forward(&join(&found.context)));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Leaves the heads axis behind the positions, so that the heads of one token attend to one another.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let shape = query.shape();
    let joined = found.context.reshape(&shape, &["b", "t", "d"]);
    let output = maps.output.forward(&joined);
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Applies W_O twice: to the values before the split and to the joined heads.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let values = maps.output.forward(&maps.value.forward(value));
    let v = split(&values, maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Runs one attention over all channels, without splitting heads.
//= one-head
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = maps.query.forward(query).unsqueeze(1);
    let k = maps.key.forward(key).unsqueeze(1);
    let v = maps.value.forward(value).unsqueeze(1);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let context = found.context.reshape(&query.shape(), &["b", "t", "d"]);
    let output = maps.output.forward(&context);
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Maps the queries with W_K and the keys with W_Q.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.key.forward(query), maps.heads);
    let k = split(&maps.query.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Compares the inputs as they are, without W_Q and W_K, and applies W_V after attention.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(query, maps.heads);
    let k = split(key, maps.heads);
    let v = split(value, maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let joined = join(&found.context);
    let output = maps.output.forward(&maps.value.forward(&joined));
    MultiHead {
        output,
        weights: found.weights,
    }
}
//# Joins the heads with only a reshape, without moving the heads axis back behind the positions.
//= no-return
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(
        &[batch, length, heads, d_model / heads],
        &["b", "t", "h", "k"],
    )
    .permute(&[0, 2, 1, 3])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let (batch, target, d_model) = (query.shape()[0], query.shape()[1], query.shape()[2]);
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|mask| mask.unsqueeze(1));
    let attended = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let joined = attended
        .context
        .reshape(&[batch, target, d_model], &["b", "t", "d"]);
    MultiHead {
        output: maps.output.forward(&joined),
        weights: attended.weights,
    }
}
//# Splits the channels into d_k groups of one channel per head, so that a head gets every h-th channel instead of a block.
//= dealt-in-turn classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let d_k = shape[2] / heads;
    x.reshape(&[shape[0], shape[1], d_k, heads], &["b", "t", "k", "h"])
        .permute(&[0, 3, 1, 2])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let shape = query.shape();
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|mask| mask.unsqueeze(1));
    let attended = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let joined = attended
        .context
        .permute(&[0, 2, 3, 1])
        .reshape(&shape, &["b", "t", "d"]);
    MultiHead {
        output: maps.output.forward(&joined),
        weights: attended.weights,
    }
}
//# Applies dropout to the output instead of passing it on to the attention weights.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let d_k = shape[2] / heads;
    x.reshape(&[shape[0], shape[1], heads, d_k], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let shape = query.shape();
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|mask| mask.unsqueeze(1));
    let attended = attention(&q, &k, &v, mask.as_ref(), 0.0);
    let joined = attended
        .context
        .permute(&[0, 2, 1, 3])
        .reshape(&shape, &["b", "t", "d"]);
    MultiHead {
        output: maps.output.forward(&joined).dropout(maps.dropout),
        weights: attended.weights,
    }
}
