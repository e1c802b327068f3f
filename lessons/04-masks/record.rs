//! The recorded run: masks computed from padded ids, broadcast axis by axis over scores, in both forms.

use serde::Deserialize;

use crate::autograd::{Tape, Trace, Var};
use crate::lesson::Settings;
use crate::nn::masks::{self, PAD};
use crate::params::Params;
use crate::tensor::{Tensor, random};

use super::check::Mask;
use super::check::TASK;
use super::sentences::{self, Batch, Batching, Example, Mix, Pair};

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knobs {
    pub example: Example,
    pub mix: Mix,
    pub batching: Batching,
    pub heads: usize,
    pub sentence: usize,
    pub fill: f32,
    pub logits: f32,
    pub seed: u64,
}

/// One run, with what the pictures need from it.
pub struct Recorded {
    pub knobs: Knobs,
    pub trace: Trace,
    pub batch: Batch,
    /// All sentence pairs, in the order of their batches.
    pub pairs: Vec<Pair>,
    /// Masks of this run, each broadcasting to `[batch, queries, keys]`.
    pub encoder: Tensor,
    pub cross: Tensor,
    pub decoder: Tensor,
    /// The correct mask of the decoder.
    pub rules: Tensor,
    /// The future mask of the mistake that is switched on.
    pub past: Option<Mask>,
    /// Value written into blocked scores; `None` if scores were multiplied by the mask.
    fill: Option<f32>,
}

impl Recorded {
    /// Blocks scores as the run blocked its own.
    pub fn blocked(&self, scores: &Var, mask: &Var) -> Var {
        blocked(scores, mask, self.fill)
    }
}

fn blocked(scores: &Var, mask: &Var, fill: Option<f32>) -> Var {
    match fill {
        Some(fill) => scores.mask_fill(mask, fill),
        None => scores.mul(mask),
    }
}

/// Runs the lesson's component under `settings`.
pub fn record(settings: &Settings) -> Result<Recorded, String> {
    let knobs: Knobs = settings.knobs();
    let (seed, past) = (knobs.seed, TASK.broken(settings));
    let pairs = sentences::collection(knobs.mix, knobs.batching, seed);
    let batch = sentences::batch(knobs.example, &pairs);
    let added = if settings.broken("weak-fill") {
        -1e4
    } else {
        knobs.fill
    };
    let fill = (!settings.broken("times-zero")).then_some(added);
    let tape = Tape::eval(&Params::new(seed));

    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", batch.tgt.clone(), &["b", "t"]);
    let tgt_y = tape.ids("tgt_y", batch.tgt_y.clone(), &["b", "y"]);
    let _ = tgt_y.not_equal(PAD).named("counts");
    let src_mask = masks::src_mask(&src);
    // A number rather than a mask, because here 1 means "pad".
    let one = tape.constant("one", Tensor::ones(&[1, 1, 1]), &["", "", ""]);
    let minus = src_mask.scale(-1.0).named("minus_src_mask");
    let _ = minus.add(&one).named("padding");
    let tgt_mask = target_mask(&tgt, past, settings);
    let (encoder, cross) = padding_masks(&src, &tgt, &src_mask, &tgt_mask, settings);

    let (b, h) = (batch.src.shape()[0], knobs.heads);
    let (s, t) = (batch.src.last(), batch.tgt.last());
    if cross.shape()[2] != 1 && cross.value().last() != 1 && cross.value().last() != s {
        return Err(format!(
            "cross-attention has scores {:?}, one column for each of the {s} source tokens, but the target mask {:?} has one for each of the {t} target tokens: it cannot be broadcast to them. Source tokens are read, so the source mask belongs here.",
            [b, h, t, s],
            cross.shape()
        ));
    }
    let draw =
        |name: &str, columns: usize| random::normal(&[b, h, t, columns], knobs.logits, seed, name);

    let cross = cross.named("cross_mask");
    let heads = over_heads(&cross, h).named("cross_mask_heads");
    let cells = heads.expand(&[b, h, t, s], &["b", "h", "t", "s"]);
    let cells = cells.named("cross_mask_cells");
    let scores = tape.input("scores", draw("scores", s), &["b", "h", "t", "s"]);
    let (weights, other) = both_forms(&scores, &cross, &cells, fill, added);
    let minus = other.scale(-1.0).named("minus_weights_bias");
    let _ = weights.add(&minus).named("difference");

    tape.scoped("self", || {
        let mask = tgt_mask.unsqueeze(1).named("mask");
        let cells = mask.expand(&[b, h, t, t], &["b", "h", "t", "t"]);
        let cells = cells.named("mask_cells");
        let scores = tape.input("scores", draw("self.scores", t), &["b", "h", "t", "t"]);
        both_forms(&scores, &mask, &cells, fill, added);
    });
    tape.scoped("three", || three(&tape));

    let trace = tape
        .trace()
        .label("s", batch.src_words.clone())
        .label("t", batch.tgt_words.clone())
        .label("y", batch.tgt_y_words.clone());
    let quiet = Tape::eval(&Params::new(seed));
    let rules = masks::tgt_mask(&quiet.ids("tgt", batch.tgt.clone(), &["b", "t"])).value();
    let three_axes = |mask: &Var| {
        let shape = mask.shape();
        mask.value().reshape(&[shape[0], shape[2], shape[3]])
    };
    Ok(Recorded {
        trace,
        pairs,
        encoder: encoder.value(),
        cross: three_axes(&cross),
        decoder: tgt_mask.value(),
        rules,
        past,
        fill,
        batch,
        knobs,
    })
}

/// The decoder's mask with the mistakes that are switched on: `[b, t, t]`.
fn target_mask(tgt: &Var, past: Option<Mask>, settings: &Settings) -> Var {
    let by_rows = settings.broken("rows");
    if past.is_none() && !by_rows {
        return masks::tgt_mask(tgt);
    }
    let (tape, length) = (tgt.tape(), tgt.shape()[1]);
    let real = tgt.not_equal(PAD).named("tgt_real");
    let past = match past {
        None => tape.causal(length),
        Some(mask) => tape.mask("past", mask(length), &["", "t", "t"]),
    };
    let past = past.named("past");
    let side = if by_rows { 2 } else { 1 };
    let real = real.unsqueeze(side).named("tgt_padding_mask");
    real.and(&past)
        .named("tgt_mask")
        .with_axes(&["b", "t", "t"])
}

/// The masks of the encoder, `[b, ·, ·]`, and of cross-attention, `[b, 1, ·, ·]`.
fn padding_masks(
    src: &Var,
    tgt: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
    settings: &Settings,
) -> (Var, Var) {
    if settings.broken("rows") {
        // Marks the padding of the queries, along their own axis.
        let readers = tgt.not_equal(PAD).named("reader_real").unsqueeze(2);
        let encoder = src.not_equal(PAD).named("src_reader_real").unsqueeze(2);
        return (encoder, readers.unsqueeze(1));
    }
    if settings.broken("cross-target") {
        return (src_mask.clone(), tgt_mask.unsqueeze(1));
    }
    (src_mask.clone(), src_mask.unsqueeze(1))
}

/// Repeats `[b, 1, …]` for every head.
fn over_heads(mask: &Var, heads: usize) -> Var {
    let (mut shape, mut axes) = (mask.shape(), mask.axes());
    (shape[1], axes[1]) = (heads, "h");
    mask.expand(&shape, &axes)
}

/// Attention weights with blocked scores replaced by `fill`, and with `added` added to them.
fn both_forms(scores: &Var, mask: &Var, cells: &Var, fill: Option<f32>, added: f32) -> (Var, Var) {
    let masked = blocked(scores, cells, fill).named("masked");
    let weights = masked.softmax().named("weights");
    let biased = scores.add(&masks::bias(mask, added)).named("biased");
    (weights, biased.softmax().named("weights_bias"))
}

/// Records three scores, the last one blocked, in four ways.
fn three(tape: &Tape) {
    let scores = tape.input("scores", Tensor::new(&[3], vec![1.0, 2.0, 3.0]), &["i"]);
    let open = tape.mask("open", Tensor::new(&[3], vec![1.0, 1.0, 0.0]), &["i"]);
    let zeroed = scores.mul(&open).named("zeroed");
    let _ = zeroed.softmax().named("leaky");
    let unmasked = scores.softmax().named("unmasked");
    let _ = unmasked.mul(&open).named("late");
    let infinite = scores.mask_fill(&open, f32::NEG_INFINITY).named("infinite");
    let _ = infinite.softmax().named("exact");
    let filled = scores.mask_fill(&open, -1e9).named("filled");
    let _ = filled.softmax().named("blocked");
}
