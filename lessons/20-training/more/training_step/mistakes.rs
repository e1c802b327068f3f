//! The classic mistakes in a training step.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::vocabulary::EOS;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

/// The signature of the function to write.
pub type StepFn = fn(&Transformer, &mut Params, &mut Adam, &Batch, f32, u64) -> f32;

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, StepFn); 9] = [
    ("not-shifted", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Deviation::NotShifted])
    }),
    ("padding-counts", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Deviation::PaddingCounts])
    }),
    ("no-dropout", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Deviation::NoDropout])
    }),
    ("not-by-turn", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Deviation::NotByTurn])
    }),
    ("ascent", |m, p, a, b, r, s| step(m, p, a, b, (-r, s), &[])),
    ("sum", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Deviation::Sum])
    }),
    ("no-update", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Deviation::NoUpdate])
    }),
    ("two-updates", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Deviation::TwoUpdates])
    }),
    // Runs the model again after the update.
    ("loss-afterwards", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[]);
        step(m, p, &mut a.clone(), b, (0.0, s), &[])
    }),
];

#[derive(PartialEq)]
enum Deviation {
    NotShifted,
    PaddingCounts,
    NoDropout,
    NotByTurn,
    Sum,
    NoUpdate,
    TwoUpdates,
    ReadsTargets,
    Exchanged,
    OnlyPadding,
    SourceOpen,
    MemoryCut,
    SoftmaxTwice,
    WeightsOfRead,
    NoEnd,
    DividedByAll,
    Sentences,
}

fn step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    (rate, seed): (f32, u64),
    ways: &[Deviation],
) -> f32 {
    let on = |deviation: Deviation| ways.contains(&deviation);
    let (read, predict) = match batch.shifted() {
        (read, _) if on(Deviation::NotShifted) => (read.clone(), read),
        (_, predict) if on(Deviation::ReadsTargets) => (predict.clone(), predict),
        (read, predict) if on(Deviation::Exchanged) => (predict, read),
        shifted => shifted,
    };
    let counted = if on(Deviation::WeightsOfRead) {
        &read
    } else {
        &predict
    };
    let out = |id: usize| id == PAD || (on(Deviation::NoEnd) && id == EOS);
    let counts = |id: usize| out(id) == on(Deviation::OnlyPadding);
    let real = counted.map(|id| f32::from(u8::from(counts(id as usize))));
    let count = real.sum() as f32;
    let share = count / real.len() as f32;
    let real = if on(Deviation::Sentences) {
        Tensor::from_fn(real.shape(), |i| {
            real.at(i) / (0..real.last()).map(|t| real.at(&[i[0], t])).sum::<f32>()
        })
    } else {
        real
    };
    let tape = match (on(Deviation::NoDropout), on(Deviation::NotByTurn)) {
        (true, _) => Tape::eval(params),
        (_, true) => Tape::train(params, seed),
        _ => Tape::train(params, seed).dropping_by_turn(),
    };
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let real = tape.constant("real", real, &["b", "t"]);
    let hidden = hidden(model, &src, &tgt, ways);
    let logits = if on(Deviation::SoftmaxTwice) {
        model.generator.forward(&hidden).exp()
    } else {
        model.generator.logits(&hidden)
    };
    let weights = (!on(Deviation::PaddingCounts)).then_some(&real);
    let loss = cross_entropy(&logits, &targets, weights);
    let loss = match (on(Deviation::Sum), on(Deviation::DividedByAll)) {
        (true, _) => loss.scale(count),
        (_, true) => loss.scale(share),
        _ => loss,
    };
    let grads = loss.backward();
    let updates = match (on(Deviation::NoUpdate), on(Deviation::TwoUpdates)) {
        (true, _) => 0,
        (_, true) => 2,
        _ => 1,
    };
    for _ in 0..updates {
        adam.step(params, &grads, rate);
    }
    loss.value().at(&[])
}

/// The decoder's output for these ids.
fn hidden(model: &Transformer, src: &Var, tgt: &Var, ways: &[Deviation]) -> Var {
    let tape = src.tape();
    let src_mask = if ways.contains(&Deviation::SourceOpen) {
        let open = Tensor::ones(&[src.shape()[0], 1, src.shape()[1]]);
        tape.mask("src_mask", open, &["b", "", "s"])
    } else {
        model.src_mask(src)
    };
    let mut memory = model.encode(src, &src_mask);
    if ways.contains(&Deviation::MemoryCut) {
        memory = tape.constant("memory", memory.value(), &["b", "s", "d"]);
    }
    model.decode(&memory, &src_mask, tgt, &model.tgt_mask(tgt))
}

/// Message for a tape whose seed is always the same.
pub const SAME_DROPOUT: &str = "You seed the tape with the same number in every step, so the same cells are dropped each \
                                time. Use the seed that you are given.";

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, StepFn); 16] = [
    (
        "Your decoder reads the tokens that it must predict. It reads the first tensor of shifted(), which is one token behind.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::ReadsTargets]),
    ),
    (
        "You give cross_entropy probabilities, so softmax is taken twice. It takes logits: generator.logits of the hidden vectors.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::SoftmaxTwice]),
    ),
    (
        "Your weights are 0 where the decoder reads padding. They are 0 where it must predict padding, which begins one position earlier.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::WeightsOfRead]),
    ),
    (
        "You leave padding out of the sum and divide by all positions. Divide by those whose target is not padding.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::DividedByAll]),
    ),
    (
        "You leave EOS out of the loss. The model must learn where a sentence ends: only padding has the weight 0.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::NoEnd]),
    ),
    (
        "You take the mean of each sentence first, so a token of a short sentence counts more. Take one mean over all tokens of the batch.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::Sentences]),
    ),
    (
        "You make a new optimizer in every step, so its moments and its count of steps are lost. Use the one that you are given.",
        |m, p, a, b, r, s| {
            *a = Adam::new(p);
            step(m, p, a, b, (r, s), &[])
        },
    ),
    (
        "You count Adam's steps yourself. adam.step counts them, too, so each counts twice.",
        |m, p, a, b, r, s| {
            a.steps += 1;
            step(m, p, a, b, (r, s), &[])
        },
    ),
    (
        "You return the sum of the loss over the tokens. The weights move as they should; return the mean, too.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[]) * b.target_tokens() as f32,
    ),
    (
        "You divide the rate by the number of tokens. The loss is a mean over them already: take the rate as it is.",
        |m, p, a, b, r, s| step(m, p, a, b, (r / b.target_tokens() as f32, s), &[]),
    ),
    (
        "Your weights are turned around: only padding counts. A position has the weight 1 where a token must be predicted, and 0 where padding is.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::OnlyPadding]),
    ),
    (
        "You exchanged the two halves of shifted(): your decoder reads the next token and predicts the one before. It reads the first and predicts the second.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::Exchanged]),
    ),
    (SAME_DROPOUT, |m, p, a, b, r, _| {
        step(m, p, a, b, (r, 1), &[])
    }),
    (
        "Your encoder and decoder see the padding of the source. model.forward makes both masks; if you make your own, use model.src_mask.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::SourceOpen]),
    ),
    (
        "You take the memory off the tape, so no gradient reaches the encoder. Hand the Var itself to the decoder.",
        |m, p, a, b, r, s| step(m, p, a, b, (r, s), &[Deviation::MemoryCut]),
    ),
    (
        "You update after each sentence. Take one loss over the whole batch, and update once.",
        |m, p, a, b, r, s| {
            let mut sum = 0.0;
            for n in 0..b.sentences() {
                let one = b.part(n, b.sentences());
                sum += step(m, p, a, &one, (r, s), &[]) * one.target_tokens() as f32;
            }
            sum / b.target_tokens() as f32
        },
    ),
];
