//! Parity cases for single layers, with the parameters of the Annotated Transformer.

use anyhow::Context as _;

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

/// Builds a layer, loads the file's parameters, runs it, and collects results and gradients. `scope` is the part of the
/// names that the file omits.
fn layer<L>(
    given: &CaseInput,
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
    weights::fill(&mut params, given.under("param/"), theirs)?;
    let tape = Tape::eval(&params);
    let Ran { y, inputs, more } = run(&layer, &tape)?;
    let grads = y.backward_from(&given.get("in/upstream")?);
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
    for (param, ours, _) in params.iter() {
        let grad = grads
            .param(param)
            .with_context(|| format!("{ours} got no gradient"))?;
        computed.insert(format!("grad/{}", theirs(ours)), grad.clone());
    }
    Ok(computed)
}

fn config(given: &CaseInput) -> anyhow::Result<Config> {
    let (d_model, d_ff, heads) = (
        given.size("d_model")?,
        given.size("d_ff")?,
        given.size("h")?,
    );
    Ok(Config::annotated(1, 1).sized(1, d_model, d_ff, heads))
}

pub(super) fn multi_headed_attention(given: &CaseInput) -> anyhow::Result<Computed> {
    let (heads, d_model) = (given.size("h")?, given.size("d_model")?);
    layer(
        given,
        "",
        |params| MultiHeadAttention::new(params, heads, d_model, Bias::Uniform, 0.0),
        |attention, tape| {
            let query = tape.input("query", given.get("in/query")?, &["b", "t", "d"]);
            let memory = tape.input("memory", given.get("in/memory")?, &["b", "s", "d"]);
            let mask = tape.mask("mask", given.get("in/mask")?, &["b", "", "s"]);
            let found = attention.forward(&query, &memory, &memory, Some(&mask));
            Ok(Ran {
                y: found.output,
                inputs: vec![("query", query), ("memory", memory)],
                more: vec![("attn", found.weights)],
            })
        },
    )
}

pub(super) fn feed_forward(given: &CaseInput) -> anyhow::Result<Computed> {
    let (d_model, d_ff) = (given.size("d_model")?, given.size("d_ff")?);
    layer(
        given,
        "",
        |params| FeedForward::new(params, d_model, d_ff, Bias::Uniform, Activation::Relu, 0.0),
        |ffn, tape| {
            let x = tape.input("x", given.get("in/x")?, &["b", "t", "d"]);
            Ok(Ran {
                y: ffn.forward(&x),
                inputs: vec![("x", x)],
                more: Vec::new(),
            })
        },
    )
}

pub(super) fn layer_norm(given: &CaseInput) -> anyhow::Result<Computed> {
    let (d_model, epsilon) = (given.size("d_model")?, given.number("eps")? as f32);
    layer(
        given,
        "norm",
        |params| LayerNorm::new(params, d_model, Deviation::Unbiased, epsilon),
        |norm, tape| {
            let x = tape.input("x", given.get("in/x")?, &["b", "t", "d"]);
            Ok(Ran {
                y: norm.forward(&x),
                inputs: vec![("x", x)],
                more: Vec::new(),
            })
        },
    )
}

pub(super) fn encoder_layer(given: &CaseInput) -> anyhow::Result<Computed> {
    let config = config(given)?;
    layer(
        given,
        "",
        |params| EncoderLayer::new(params, &config),
        |layer, tape| {
            let x = tape.input("x", given.get("in/x")?, &["b", "s", "d"]);
            let mask = tape.mask("mask", given.get("in/mask")?, &["b", "", "s"]);
            Ok(Ran {
                y: layer.forward(&x, &mask),
                inputs: vec![("x", x)],
                more: Vec::new(),
            })
        },
    )
}

pub(super) fn decoder_layer(given: &CaseInput) -> anyhow::Result<Computed> {
    let config = config(given)?;
    layer(
        given,
        "",
        |params| DecoderLayer::new(params, &config),
        |layer, tape| {
            let x = tape.input("x", given.get("in/x")?, &["b", "t", "d"]);
            let memory = tape.input("memory", given.get("in/memory")?, &["b", "s", "d"]);
            let src_mask = tape.mask("src_mask", given.get("in/src_mask")?, &["b", "", "s"]);
            let tgt_mask = tape.mask("tgt_mask", given.get("in/tgt_mask")?, &["b", "t", "t"]);
            let y = layer.forward(&x, &memory, &src_mask, &tgt_mask);
            Ok(Ran {
                y,
                inputs: vec![("x", x), ("memory", memory)],
                more: Vec::new(),
            })
        },
    )
}
