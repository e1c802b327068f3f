//! Parity cases without parameters: tables, masks, attention, the loss, the learning-rate schedule.

use anyhow::Context as _;

use super::{CaseInput, Computed};
use crate::autograd::{Tape, Var};
use crate::nn::attention::attention as attend;
use crate::nn::embeddings::scale_embeddings;
use crate::nn::masks as mask;
use crate::nn::positional_encoding::PositionalEncoding;
use crate::ops::{Layout, Spread};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::schedule;

/// Collects tensors under owned names.
pub(super) fn computed<const N: usize>(tensors: [(&str, Tensor); N]) -> Computed {
    tensors
        .map(|(name, tensor)| (name.to_owned(), tensor))
        .into()
}

fn eval() -> Tape {
    Tape::eval(&Params::default())
}

fn grad(of: &Var, output: &Var, upstream: &Tensor) -> anyhow::Result<Tensor> {
    let grads = output.backward_from(upstream);
    grads.get(of).cloned().context("a gradient did not arrive")
}

pub(super) fn embeddings(given: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let table = tape.input("table", given.get("param/lut.weight")?, &["v", "d"]);
    let ids = tape.ids("tokens", given.get("in/tokens")?, &["b", "s"]);
    let y = scale_embeddings(&table, &ids);
    let dtable = grad(&table, &y, &given.get("in/upstream")?)?;
    Ok(computed([
        ("out/y", y.value()),
        ("grad/lut.weight", dtable),
    ]))
}

pub(super) fn positional_encoding(given: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let (max_len, d_model) = (given.size("max_len")?, given.size("d_model")?);
    let layout = Layout::Interleaved;
    let table = tape.sinusoid(max_len, d_model, layout).value();
    let x = tape.input("x", given.get("in/x")?, &["b", "s", "d"]);
    let y = PositionalEncoding {
        max_len,
        d_model,
        layout,
        first: 0,
    }
    .forward(&x);
    Ok(computed([("out/pe", table), ("out/y", y.value())]))
}

pub(super) fn masks(given: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let src = tape.ids("src", given.get("in/src")?, &["b", "s"]);
    let shifted = mask::shift(&given.get("in/tgt")?);
    let tgt = tape.ids("tgt", shifted.tgt.clone(), &["b", "t"]);
    let length = shifted.tgt.last();
    Ok(computed([
        ("out/src_mask", mask::src_mask(&src).value()),
        ("out/tgt_mask", mask::tgt_mask(&tgt).value()),
        ("out/subsequent_mask", mask::subsequent_mask(length)),
        ("out/tgt", shifted.tgt),
        ("out/tgt_y", shifted.tgt_y),
        (
            "out/ntokens",
            Tensor::new(&[1], vec![shifted.ntokens as f32]),
        ),
    ]))
}

pub(super) fn attention(given: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let query = tape.input("query", given.get("in/q")?, &["b", "h", "t", "k"]);
    let key = tape.input("key", given.get("in/k")?, &["b", "h", "s", "k"]);
    let value = tape.input("value", given.get("in/v")?, &["b", "h", "s", "k"]);
    let mask = tape.mask("mask", given.get("in/mask")?, &["b", "", "", "s"]);
    let found = attend(&query, &key, &value, Some(&mask), 0.0);
    let upstream = given.get("in/upstream")?;
    let grads = found.context.backward_from(&upstream);
    let of = |var: &Var| grads.get(var).cloned().context("a gradient did not arrive");
    Ok(computed([
        ("out/y", found.context.value()),
        ("out/p_attn", found.weights.value()),
        ("grad/q", of(&query)?),
        ("grad/k", of(&key)?),
        ("grad/v", of(&value)?),
    ]))
}

pub(super) fn label_smoothing(given: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let log_probs = tape.input("log_probs", given.get("in/log_probs")?, &["t", "v"]);
    let target = tape.ids("target", given.get("in/target")?, &["t"]);
    let smoothing = given.number("smoothing")? as f32;
    let padding = given.size("padding_idx")? as f32;
    let size = given.size("size")?;
    let wanted = target.smooth_targets(size, smoothing, Spread::NoPadding, padding);
    let loss = log_probs.kl_divergence(&wanted);
    let dlog_probs = grad(&log_probs, &loss, &Tensor::scalar(1.0))?;
    Ok(computed([
        ("out/true_dist", wanted.value()),
        ("out/loss", loss.value().reshape(&[1])),
        ("grad/log_probs", dlog_probs),
    ]))
}

pub(super) fn noam_rate(given: &CaseInput) -> anyhow::Result<Computed> {
    let (size, warmup) = (given.size("model_size")?, given.size("warmup")?);
    let factor = given.number("factor")?;
    let rate = |step| schedule::noam_rate(step as usize, size, factor, warmup) as f32;
    Ok(computed([("out/rate", given.get("in/step")?.map(rate))]))
}
