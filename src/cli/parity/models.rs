//! Parity cases for whole models: the Annotated Transformer, trained for five steps, and the shared-weights variant in
//! TensorFlow's form.

use std::collections::BTreeMap;

use anyhow::Context as _;

use super::{CaseInput, Computed};
use crate::autograd::{Grads, Tape, Var};
use crate::data::{annotated, weights};
use crate::decode::greedy::greedy;
use crate::nn::masks::{self, PAD};
use crate::ops::{Layout, Spread};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::adam::Adam;
use crate::train::schedule::noam_rate;
use crate::transformer::{Config, Pass, Transformer};

const STEPS: usize = 5;

pub(super) fn encoder_decoder(case: &CaseInput) -> anyhow::Result<Computed> {
    let (model, mut params) = annotated::import(&case.under("param/"), case.size("h")?)?;
    let smoothing = case.number("smoothing")? as f32;
    let (src, tgt) = (case.get("in/src")?, masks::shift(&case.get("in/tgt")?));
    let step = |params: &Params| {
        let tape = Tape::eval(params);
        let ids = tape.ids("src", src.clone(), &["b", "s"]);
        let pass = model.forward(&ids, &tape.ids("tgt", tgt.tgt.clone(), &["b", "t"]));
        let wanted = tape.ids("tgt_y", tgt.tgt_y.clone(), &["b", "t"]);
        let loss = smoothed(
            &pass.log_probs,
            &wanted,
            smoothing,
            Spread::NoPadding,
            tgt.ntokens,
        );
        (pass, loss)
    };
    let mut computed = Computed::new();
    let mut losses = Vec::new();
    let mut adam = Adam::new(&params);
    for number in 0..STEPS {
        let (
            Pass {
                memory,
                hidden,
                log_probs,
            },
            loss,
        ) = step(&params);
        let grads = loss.backward();
        losses.push(loss.value().at(&[]));
        if number == 0 {
            let results = [
                ("memory", memory),
                ("hidden", hidden),
                ("log_probs", log_probs),
            ];
            computed.extend(results.map(|(name, var)| (format!("out/{name}"), var.value())));
            computed.extend(gradients(&params, &grads, annotated::name)?);
        }
        let rate = noam_rate(number, model.config.d_model, 1.0, case.size("warmup")?);
        adam.step(&mut params, &grads, rate as f32);
    }
    computed.insert("out/losses".to_owned(), Tensor::new(&[STEPS], losses));
    let after = params
        .iter()
        .map(|(_, ours, tensor)| (format!("after5/{}", annotated::name(ours)), tensor.clone()));
    computed.extend(after);
    // The file's sentences begin with the start symbol, which greedy decoding leaves out.
    let start = case.size("start_symbol")? as f32;
    let words = case.get("out/greedy")?.last().saturating_sub(1);
    let translation = greedy(&model, &params, &src, start, words);
    let whole = Tensor::from_fn(&[translation.shape()[0], words + 1], |i| match i[1] {
        0 => start,
        t => translation.at(&[i[0], t - 1]),
    });
    computed.insert("out/greedy".to_owned(), whole);
    Ok(computed)
}

/// Loss of a batch: KL divergence from the smoothed targets, per real token.
fn smoothed(log_probs: &Var, wanted: &Var, eps: f32, spread: Spread, tokens: usize) -> Var {
    let vocabulary = log_probs.value().last();
    let wanted = wanted.smooth_targets(vocabulary, eps, spread, PAD);
    log_probs.kl_divergence(&wanted).scale(1.0 / tokens as f32)
}

/// The gradients of all parameters, by the names that `theirs` gives them.
pub(super) fn gradients(
    params: &Params,
    grads: &Grads,
    theirs: impl Fn(&str) -> String,
) -> anyhow::Result<Vec<(String, Tensor)>> {
    let one = |(param, ours, _): (_, &str, _)| {
        let grad = grads
            .param(param)
            .with_context(|| format!("{ours} got no gradient"))?;
        Ok((format!("grad/{}", theirs(ours)), grad.clone()))
    };
    params.iter().map(one).collect()
}

pub(super) fn shared_weights_variant(case: &CaseInput) -> anyhow::Result<Computed> {
    let (layers, d_model) = (case.size("N")?, case.size("d_model")?);
    let config = Config::tensorflow(case.size("vocab")?).sized(
        layers,
        d_model,
        case.size("d_ff")?,
        case.size("h")?,
    );
    let mut params = Params::layout();
    let model = Transformer::new(&mut params, &config);
    // TensorFlow computes x · W, this program x · Wᵀ.
    let turned = |(name, tensor): (String, Tensor)| {
        let turn = tensor.rank() == 2 && name != "embedding";
        (name, if turn { tensor.transpose() } else { tensor })
    };
    let given_params: BTreeMap<_, _> = case.under("param/").into_iter().map(turned).collect();
    weights::fill(&mut params, given_params, tensorflow_name)?;
    let tape = Tape::eval(&params);
    let src = tape.ids("src", case.get("in/src")?, &["b", "s"]);
    let targets = tape.ids("targets", case.get("in/targets")?, &["b", "t"]);
    let (src_mask, tgt_mask) = (model.src_mask(&src), model.tgt_mask(&targets));
    let memory = model.encode(&src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, &targets, &tgt_mask);
    let logits = model.generator.logits(&hidden);
    let real = targets
        .value()
        .data()
        .iter()
        .filter(|&&id| id != PAD)
        .count();
    let smoothing = case.number("smoothing")? as f32;
    // Cross-entropy minus its normalising constant is the KL divergence.
    let loss = smoothed(
        &logits.log_softmax(),
        &targets,
        smoothing,
        Spread::Others,
        real,
    );
    let grads = loss.backward();
    let length = src.shape()[1];
    let mut computed = super::parts::computed([
        ("out/memory", memory.value()),
        ("out/logits", logits.value()),
        ("out/loss", loss.value().reshape(&[1])),
        (
            "out/positions",
            tape.sinusoid(length, d_model, Layout::Halves).value(),
        ),
    ]);
    let grads = gradients(&params, &grads, tensorflow_name)?;
    computed.extend(grads.into_iter().map(|(name, grad)| {
        let turn = grad.rank() == 2 && name != "grad/embedding";
        (name, if turn { grad.transpose() } else { grad })
    }));
    Ok(computed)
}

/// TensorFlow's name of a parameter: `decoder.layers.0.src_attn.query.weight` becomes `decoder.0.encdec_attention.q`,
/// and each LayerNorm belongs to its sublayer.
fn tensorflow_name(ours: &str) -> String {
    if ours == "embed.table" {
        return "embedding".to_owned();
    }
    let name = ours.replace(".layers.", ".");
    let sublayers: &[&str] = if name.starts_with("decoder") {
        &["self_attention", "encdec_attention", "ffn"]
    } else {
        &["self_attention", "ffn"]
    };
    let name = sublayers
        .iter()
        .enumerate()
        .fold(name, |name, (n, sublayer)| {
            name.replace(&format!("sublayer.{n}.norm"), &format!("{sublayer}.norm"))
        });
    [
        ("self_attn", "self_attention"),
        ("src_attn", "encdec_attention"),
        ("query.weight", "q"),
        ("key.weight", "k"),
        ("value.weight", "v"),
        ("output.weight", "output"),
        ("feed_forward.w_1.weight", "ffn.filter.kernel"),
        ("feed_forward.w_2.weight", "ffn.output.kernel"),
        ("feed_forward.w_1", "ffn.filter"),
        ("feed_forward.w_2", "ffn.output"),
    ]
    .iter()
    .fold(name, |name, (from, to)| name.replace(from, to))
}
