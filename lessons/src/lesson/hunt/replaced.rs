//! Functions with a fault, which replace the engine's in the place where the fault sits.

use super::fault::{Defect, Kind, scope};
use crate::autograd::{Tape, Var};
use crate::nn::attention::{Attention, biased_attention};
use crate::nn::layer_norm::LayerNorm;
use crate::nn::masks;
use crate::nn::multi_head_attention::{
    MULTI_HEAD_ATTENTION, MultiHead, MultiHeadAttention, MultiHeadFn, combine_heads, split_heads,
};
use crate::nn::residual::{POST_NORM, ResidualFn};
use crate::tensor::Tensor;
use crate::transformer::{Config, POSITION_TABLE};

/// Makes the everyday model run with `defect` on `tape`, as far as that is a matter of functions: other faults are in its
/// options, weights, ids or masks.
pub fn functions(defect: Option<&Defect>, tape: &Tape) {
    // One step instead of six, so that models with and without positions record the same steps.
    tape.replace(&POSITION_TABLE, Config::position_table);
    let Some(defect) = defect else { return };
    let at = scope(&defect.place);
    let table = |function: fn(&Config, usize) -> Tensor| {
        tape.replace_in(&at, &POSITION_TABLE, function);
    };
    let attention = |function: MultiHeadFn| tape.replace_in(&at, &MULTI_HEAD_ATTENTION, function);
    let sublayer = |function: ResidualFn| tape.replace_in(&at, &POST_NORM, function);
    match defect.kind {
        Kind::PositionsOffByOne => table(counted_from_one),
        Kind::RestartedPositions => table(restarted),
        Kind::NoScale => attention(unscaled),
        Kind::HeadsOrder => attention(by_channel),
        Kind::MaskOffByOne => attention(one_ahead),
        Kind::NoResidual => sublayer(without_residual),
        Kind::NormWithoutScale => sublayer(without_scale),
        _ => {}
    }
}

fn counted_from_one(config: &Config, length: usize) -> Tensor {
    let table = config.position_table(length + 1);
    Tensor::from_fn(&[length, config.d_model], |i| table.at(&[i[0] + 1, i[1]]))
}

fn restarted(config: &Config, length: usize) -> Tensor {
    let table = config.position_table(1);
    Tensor::from_fn(&[length, config.d_model], |i| table.at(&[0, i[1]]))
}

/// Queries, keys and values, each split into heads.
fn heads(maps: &MultiHeadAttention, query: &Var, key: &Var, value: &Var) -> [Var; 3] {
    let query = split_heads(&maps.query.forward(query).named("query"), maps.heads);
    let key = split_heads(&maps.key.forward(key).named("key"), maps.heads);
    let value = split_heads(&maps.value.forward(value).named("value"), maps.heads);
    [
        query.named("query_heads"),
        key.named("key_heads"),
        value.named("value_heads"),
    ]
}

/// The model's bias, the same for all heads.
fn for_heads(bias: Option<&Var>) -> Var {
    bias.expect("every attention of the everyday model has a bias")
        .unsqueeze(1)
}

/// Attention without the division by √d_k.
fn unscaled(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    bias: Option<&Var>,
) -> MultiHead {
    let [query, key, value] = heads(maps, query, key, value);
    // A step that changes nothing, so that the run has the steps of the sound model.
    let query = query.scale(1.0).named("scaled_query");
    let scores = query.matmul_t(&key).named("scaled");
    let masked = scores.add(&for_heads(bias)).named("masked");
    let weights = masked.softmax().named("weights");
    let dropped = weights.dropout(maps.dropout);
    let context = dropped.matmul(&value).named("context");
    let output = maps.output.forward(&combine_heads(&context));
    MultiHead {
        output: output.named("attended"),
        weights,
    }
}

/// Attention whose heads are combined in the wrong order.
fn by_channel(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    bias: Option<&Var>,
) -> MultiHead {
    let [query, key, value] = heads(maps, query, key, value);
    let Attention { context, weights } =
        biased_attention(&query, &key, &value, &for_heads(bias), maps.dropout);
    // First the first channel of every head, then the second, and so on.
    let (shape, axes) = (context.shape(), context.axes());
    let channels = context.permute(&[0, 2, 3, 1]);
    let combined = channels.reshape(
        &[shape[0], shape[2], shape[1] * shape[3]],
        &[axes[0], axes[2], "d"],
    );
    let output = maps.output.forward(&combined.named("combined"));
    MultiHead {
        output: output.named("attended"),
        weights,
    }
}

/// Attention that also sees the next token.
fn one_ahead(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    _: Option<&Var>,
) -> MultiHead {
    let ahead = bias(query.tape(), query.shape()[1], |t, s| s <= t + 1);
    maps.forward(query, key, value, Some(&ahead))
}

/// Additive bias `[1, length, length]` that lets position `t` see position `s` if `may(t, s)`.
pub fn bias(tape: &Tape, length: usize, may: impl Fn(usize, usize) -> bool) -> Var {
    let bias = |i: &[usize]| if may(i[1], i[2]) { 0.0 } else { masks::BLOCKED };
    let bias = Tensor::from_fn(&[1, length, length], bias);
    tape.constant("tgt_bias", bias, &["", "t", "t"])
}

/// A sublayer whose input is not added to its output.
fn without_residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: &dyn Fn(&Var) -> Var,
) -> Var {
    let y = sublayer(x).dropout(dropout);
    // A step that changes nothing, so that the run has the steps of the sound model.
    norm.forward(&y.scale(1.0).named("residual"))
}

/// A sublayer whose LayerNorm does not multiply by its scale.
fn without_scale(x: &Var, norm: &LayerNorm, dropout: f32, sublayer: &dyn Fn(&Var) -> Var) -> Var {
    let y = sublayer(x).dropout(dropout);
    let sum = x.add(&y).named("residual");
    let normal = sum.normalize(norm.deviation, norm.epsilon).named("normal");
    let unscaled = normal.scale(1.0).named("scaled_normal");
    unscaled.add(&x.tape().param(norm.bias)).named("norm")
}
