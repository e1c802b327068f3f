//! The recorded run: masks from padded ids, stretched axis by axis over scores, in both forms.

use crate::autograd::{Tape, Trace, Var};
use crate::lesson::Settings;
use crate::nn::masks::{self, PAD};
use crate::params::Params;
use crate::tensor::{Tensor, random};

use super::mistakes::{self, Mask};
use super::sentences::{self, Batch, Pair};

/// One run, with what the pictures need of it.
pub struct Recorded {
    pub trace: Trace,
    pub batch: Batch,
    /// All sentences, in the order of their batches.
    pub pairs: Vec<Pair>,
    /// The masks that ran, each stretching to `[batch, readers, read]`.
    pub encoder: Tensor,
    pub cross: Tensor,
    pub decoder: Tensor,
    /// The decoder's mask as it should be.
    pub rules: Tensor,
    /// What blocked scores became.
    pub fill: f32,
}

/// Runs the lesson's component under `settings`.
pub fn record(settings: &Settings) -> Result<Recorded, String> {
    let seed = settings.whole("seed") as u64;
    let by_length = settings.text("batching") == "by-length";
    let pairs = sentences::collection(settings.text("mix"), by_length, seed);
    let batch = sentences::batch(settings.text("example"), &pairs);
    let fill = fill(settings);
    let tape = Tape::eval(&Params::new(seed));

    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", batch.tgt.clone(), &["b", "t"]);
    let tgt_y = tape.ids("tgt_y", batch.tgt_y.clone(), &["b", "y"]);
    let _ = tgt_y.not_equal(PAD).named("counts");
    let src_mask = masks::src_mask(&src);
    let _ = src_mask.not_equal(1.0).named("padding");
    let tgt_mask = target_mask(&tgt, settings);
    let (encoder, cross) = padding_masks(&src, &tgt, &src_mask, &tgt_mask, settings);

    let (b, h) = (batch.src.shape()[0], settings.whole("heads"));
    let (s, t) = (batch.src.last(), batch.tgt.last());
    if cross.shape()[2] != 1 && cross.value().last() != 1 && cross.value().last() != s {
        return Err(format!(
            "cross-attention has scores {:?}, one column for each of the {s} source words, but the target mask {:?} has one for each of the {t} target words: it can't stretch over them. What is read are source words, so the source mask belongs here.",
            [b, h, t, s],
            cross.shape()
        ));
    }
    let size = settings.real("logits") as f32;
    let draw = |name: &str, columns: usize| random::normal(&[b, h, t, columns], size, seed, name);

    let cross = cross.named("cross_mask");
    let heads = over_heads(&cross, h).named("cross_mask_heads");
    let cells = heads.expand(&[b, h, t, s], &["b", "h", "t", "s"]);
    let cells = cells.named("cross_mask_cells");
    let scores = tape.input("scores", draw("scores", s), &["b", "h", "t", "s"]);
    let (weights, other) = both_forms(&scores, &cross, &cells, fill, settings);
    let minus = other.scale(-1.0).named("minus_weights_bias");
    let _ = weights.add(&minus).named("difference");

    tape.scoped("self", || {
        let mask = tgt_mask.unsqueeze(1).named("mask");
        let cells = mask.expand(&[b, h, t, t], &["b", "h", "t", "t"]);
        let cells = cells.named("mask_cells");
        let scores = tape.input("scores", draw("self.scores", t), &["b", "h", "t", "t"]);
        both_forms(&scores, &mask, &cells, fill, settings);
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
        fill,
        batch,
    })
}

/// What blocked scores become.
fn fill(settings: &Settings) -> f32 {
    if settings.broken("weak-fill") {
        -1e4
    } else {
        settings.real("fill") as f32
    }
}

/// The future mask that the settings ask for: the reference's, or that of the mistake which is on.
pub fn future(settings: &Settings) -> Option<Mask> {
    let all: [(&str, Mask); 5] = [
        ("no-future", mistakes::no_future),
        ("reversed", mistakes::reversed),
        ("strict", mistakes::strict),
        ("upper", mistakes::upper),
        ("anti-diagonal", mistakes::anti_diagonal),
    ];
    let broken = all.into_iter().find(|(name, _)| settings.broken(name));
    broken.map(|(_, mask)| mask)
}

/// `[b, t, t]`: the decoder's mask, with the mistakes that are on.
fn target_mask(tgt: &Var, settings: &Settings) -> Var {
    let by_rows = settings.broken("rows");
    if future(settings).is_none() && !by_rows {
        return masks::tgt_mask(tgt);
    }
    let length = tgt.shape()[1];
    let real = tgt.not_equal(PAD).named("tgt_real");
    let tape = tgt.tape();
    let past = match future(settings) {
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

/// The encoder's mask `[b, ·, ·]` and that of cross-attention `[b, 1, ·, ·]`.
fn padding_masks(
    src: &Var,
    tgt: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
    settings: &Settings,
) -> (Var, Var) {
    if settings.broken("rows") {
        // The padding of the readers, along their own axis.
        let readers = tgt.not_equal(PAD).named("reader_real").unsqueeze(2);
        let encoder = src.not_equal(PAD).named("src_reader_real").unsqueeze(2);
        return (encoder, readers.unsqueeze(1));
    }
    if settings.broken("cross-target") {
        return (src_mask.clone(), tgt_mask.unsqueeze(1));
    }
    (src_mask.clone(), src_mask.unsqueeze(1))
}

/// `[b, 1, …]` repeated for every head.
fn over_heads(mask: &Var, heads: usize) -> Var {
    let (mut shape, mut axes) = (mask.shape(), mask.axes());
    (shape[1], axes[1]) = (heads, "h");
    mask.expand(&shape, &axes)
}

/// Attention weights with blocked scores replaced by `fill`, and with `fill` added to them.
fn both_forms(scores: &Var, mask: &Var, cells: &Var, fill: f32, settings: &Settings) -> (Var, Var) {
    let masked = if settings.broken("times-zero") {
        scores.mul(cells)
    } else {
        scores.mask_fill(cells, fill)
    };
    let weights = masked.named("masked").softmax().named("weights");
    let biased = scores.add(&masks::bias(mask, fill)).named("biased");
    (weights, biased.softmax().named("weights_bias"))
}

/// Three scores, the last one blocked, in four ways.
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
