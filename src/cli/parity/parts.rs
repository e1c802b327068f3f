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

pub(super) fn embeddings(case: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let table = tape.input("table", case.get("param/lut.weight")?, &["v", "d"]);
    let ids = tape.ids("tokens", case.get("in/tokens")?, &["b", "s"]);
    let y = scale_embeddings(&table, &ids);
    let dtable = grad(&table, &y, &case.get("in/upstream")?)?;
    Ok(computed([
        ("out/y", y.value()),
        ("grad/lut.weight", dtable),
    ]))
}

pub(super) fn positional_encoding(case: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let (max_len, d_model) = (case.size("max_len")?, case.size("d_model")?);
    let layout = Layout::Interleaved;
    let table = tape.sinusoid(max_len, d_model, layout).value();
    let x = tape.input("x", case.get("in/x")?, &["b", "s", "d"]);
    let y = PositionalEncoding {
        max_len,
        d_model,
        layout,
        first: 0,
    }
    .forward(&x);
    Ok(computed([("out/pe", table), ("out/y", y.value())]))
}

pub(super) fn masks(case: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let src = tape.ids("src", case.get("in/src")?, &["b", "s"]);
    let shifted = mask::shift(&case.get("in/tgt")?);
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

pub(super) fn attention(case: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let query = tape.input("query", case.get("in/q")?, &["b", "h", "t", "k"]);
    let key = tape.input("key", case.get("in/k")?, &["b", "h", "s", "k"]);
    let value = tape.input("value", case.get("in/v")?, &["b", "h", "s", "k"]);
    let mask = tape.mask("mask", case.get("in/mask")?, &["b", "", "", "s"]);
    let attended = attend(&query, &key, &value, Some(&mask), 0.0);
    let upstream = case.get("in/upstream")?;
    let grads = attended.context.backward_from(&upstream);
    let of = |var: &Var| grads.get(var).cloned().context("a gradient did not arrive");
    Ok(computed([
        ("out/y", attended.context.value()),
        ("out/p_attn", attended.weights.value()),
        ("grad/q", of(&query)?),
        ("grad/k", of(&key)?),
        ("grad/v", of(&value)?),
    ]))
}

pub(super) fn label_smoothing(case: &CaseInput) -> anyhow::Result<Computed> {
    let tape = eval();
    let log_probs = tape.input("log_probs", case.get("in/log_probs")?, &["t", "v"]);
    let target = tape.ids("target", case.get("in/target")?, &["t"]);
    let smoothing = case.number("smoothing")? as f32;
    let padding = case.size("padding_idx")? as f32;
    let size = case.size("size")?;
    let wanted = target.smooth_targets(size, smoothing, Spread::NoPadding, padding);
    let loss = log_probs.kl_divergence(&wanted);
    let dlog_probs = grad(&log_probs, &loss, &Tensor::scalar(1.0))?;
    Ok(computed([
        ("out/true_dist", wanted.value()),
        ("out/loss", loss.value().reshape(&[1])),
        ("grad/log_probs", dlog_probs),
    ]))
}

pub(super) fn noam_rate(case: &CaseInput) -> anyhow::Result<Computed> {
    let (size, warmup) = (case.size("model_size")?, case.size("warmup")?);
    let factor = case.number("factor")?;
    let rate = |step| schedule::noam_rate(step as usize, size, factor, warmup) as f32;
    Ok(computed([("out/rate", case.get("in/step")?.map(rate))]))
}
