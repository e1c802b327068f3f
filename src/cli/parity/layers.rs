//! Parity cases for single layers, with the parameters of the Annotated Transformer.

use anyhow::Context as _;

use super::models::gradients;
use super::{CaseInput, Computed};
use crate::autograd::{Tape, Var};
use crate::data::{annotated, weights};
use crate::nn::activation::Activation;
use crate::nn::feed_forward::FeedForward;
use crate::nn::layer_norm::LayerNorm;
use crate::nn::linear::Bias;
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::ops::Deviation;
use crate::params::Params;
use crate::transformer::Config;
use crate::transformer::decoder::DecoderLayer;
use crate::transformer::encoder::EncoderLayer;

/// A layer's run: its result, and the inputs whose gradients are compared.
struct Ran {
    y: Var,
    inputs: Vec<(&'static str, Var)>,
    /// Results other than `y`.
    more: Vec<(&'static str, Var)>,
}

impl Ran {
    /// The run of a layer with one input and one result.
    fn of(y: Var, input: (&'static str, Var)) -> Self {
        Self {
            y,
            inputs: vec![input],
            more: Vec::new(),
        }
    }
}

/// Builds a layer, loads the file's parameters, runs it, and collects results and gradients. `scope` is the part of the
/// names that the file omits.
fn layer<L>(
    case: &CaseInput,
    scope: &str,
    build: impl FnOnce(&mut Params) -> L,
    run: impl FnOnce(&L, &Tape) -> anyhow::Result<Ran>,
) -> anyhow::Result<Computed> {
    let mut params = Params::layout();
    let layer = if scope.is_empty() {
        build(&mut params)
    } else {
        params.scoped(scope, build)
    };
    let theirs = |ours: &str| {
        let name = annotated::name(ours);
        let rest = name
            .strip_prefix(scope)
            .map(|n| n.trim_start_matches('.').to_owned());
        rest.unwrap_or(name)
    };
    weights::fill(&mut params, case.under("param/"), theirs)?;
    let tape = Tape::eval(&params);
    let Ran { y, inputs, more } = run(&layer, &tape)?;
    let grads = y.backward_from(&case.get("in/upstream")?);
    let mut computed = Computed::from([("out/y".to_owned(), y.value())]);
    for (name, var) in more {
        computed.insert(format!("out/{name}"), var.value());
    }
    for (name, var) in inputs {
        let grad = grads
            .get(&var)
            .with_context(|| format!("{name} got no gradient"))?;
        computed.insert(format!("grad/{name}"), grad.clone());
    }
    computed.extend(gradients(&params, &grads, theirs)?);
    Ok(computed)
}

fn config(case: &CaseInput) -> anyhow::Result<Config> {
    let (d_model, d_ff, heads) = (case.size("d_model")?, case.size("d_ff")?, case.size("h")?);
    Ok(Config::annotated(1, 1).sized(1, d_model, d_ff, heads))
}

pub(super) fn multi_headed_attention(case: &CaseInput) -> anyhow::Result<Computed> {
    let (heads, d_model) = (case.size("h")?, case.size("d_model")?);
    layer(
        case,
        "",
        |params| MultiHeadAttention::new(params, heads, d_model, Bias::Uniform, 0.0),
        |attention, tape| {
            let query = tape.input("query", case.get("in/query")?, &["b", "t", "d"]);
            let memory = tape.input("memory", case.get("in/memory")?, &["b", "s", "d"]);
            let mask = tape.mask("mask", case.get("in/mask")?, &["b", "", "s"]);
            let output = attention.forward(&query, &memory, &memory, Some(&mask));
            Ok(Ran {
                y: output.output,
                inputs: vec![("query", query), ("memory", memory)],
                more: vec![("attn", output.weights)],
            })
        },
    )
}

pub(super) fn feed_forward(case: &CaseInput) -> anyhow::Result<Computed> {
    let (d_model, d_ff) = (case.size("d_model")?, case.size("d_ff")?);
    layer(
        case,
        "",
        |params| FeedForward::new(params, d_model, d_ff, Bias::Uniform, Activation::Relu, 0.0),
        |ffn, tape| {
            let x = tape.input("x", case.get("in/x")?, &["b", "t", "d"]);
            Ok(Ran::of(ffn.forward(&x), ("x", x)))
        },
    )
}

pub(super) fn layer_norm(case: &CaseInput) -> anyhow::Result<Computed> {
    let (d_model, epsilon) = (case.size("d_model")?, case.number("eps")? as f32);
    layer(
        case,
        "norm",
        |params| LayerNorm::new(params, d_model, Deviation::Unbiased, epsilon),
        |norm, tape| {
            let x = tape.input("x", case.get("in/x")?, &["b", "t", "d"]);
            Ok(Ran::of(norm.forward(&x), ("x", x)))
        },
    )
}

pub(super) fn encoder_layer(case: &CaseInput) -> anyhow::Result<Computed> {
    let config = config(case)?;
    layer(
        case,
        "",
        |params| EncoderLayer::new(params, &config),
        |layer, tape| {
            let x = tape.input("x", case.get("in/x")?, &["b", "s", "d"]);
            let mask = tape.mask("mask", case.get("in/mask")?, &["b", "", "s"]);
            Ok(Ran::of(layer.forward(&x, &mask), ("x", x)))
        },
    )
}

pub(super) fn decoder_layer(case: &CaseInput) -> anyhow::Result<Computed> {
    let config = config(case)?;
    layer(
        case,
        "",
        |params| DecoderLayer::new(params, &config),
        |layer, tape| {
            let x = tape.input("x", case.get("in/x")?, &["b", "t", "d"]);
            let memory = tape.input("memory", case.get("in/memory")?, &["b", "s", "d"]);
            let src_mask = tape.mask("src_mask", case.get("in/src_mask")?, &["b", "", "s"]);
            let tgt_mask = tape.mask("tgt_mask", case.get("in/tgt_mask")?, &["b", "t", "t"]);
            let y = layer.forward(&x, &memory, &src_mask, &tgt_mask);
            Ok(Ran {
                y,
                inputs: vec![("x", x), ("memory", memory)],
                more: Vec::new(),
            })
        },
    )
}
