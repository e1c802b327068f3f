//! The classic mistakes of a training step.

use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

/// The signature of what is to be written.
pub type StepFn = fn(&Transformer, &mut Params, &mut Adam, &Batch, f32, u64) -> f32;

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, StepFn); 8] = [
    ("not-shifted", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Way::NotShifted])
    }),
    ("padding-counts", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Way::PaddingCounts])
    }),
    ("no-dropout", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Way::NoDropout])
    }),
    ("ascent", |m, p, a, b, r, s| step(m, p, a, b, (-r, s), &[])),
    ("sum", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Way::Sum])
    }),
    ("no-update", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Way::NoUpdate])
    }),
    ("two-updates", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[Way::TwoUpdates])
    }),
    // Runs the model once more, after the update.
    ("loss-afterwards", |m, p, a, b, r, s| {
        step(m, p, a, b, (r, s), &[]);
        step(m, p, &mut a.clone(), b, (0.0, s), &[])
    }),
];

#[derive(PartialEq)]
enum Way {
    NotShifted,
    PaddingCounts,
    NoDropout,
    Sum,
    NoUpdate,
    TwoUpdates,
}

fn step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    (rate, seed): (f32, u64),
    ways: &[Way],
) -> f32 {
    let on = |way: Way| ways.contains(&way);
    let (read, shifted) = batch.shifted();
    let predict = if on(Way::NotShifted) {
        read.clone()
    } else {
        shifted
    };
    let real = predict.map(|id| f32::from(u8::from(id != PAD as f32)));
    let count = real.sum() as f32;
    let tape = match on(Way::NoDropout) {
        true => Tape::eval(params),
        false => Tape::train(params, seed).dropping_by_turn(),
    };
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let real = tape.constant("real", real, &["b", "t"]);
    let hidden = model.forward(&src, &tgt).hidden;
    let weights = (!on(Way::PaddingCounts)).then_some(&real);
    let loss = cross_entropy(&model.generator.logits(&hidden), &targets, weights);
    let loss = if on(Way::Sum) {
        loss.scale(count)
    } else {
        loss
    };
    let grads = loss.backward();
    let updates = match (on(Way::NoUpdate), on(Way::TwoUpdates)) {
        (true, _) => 0,
        (_, true) => 2,
        _ => 1,
    };
    for _ in 0..updates {
        adam.step(params, &grads, rate);
    }
    loss.value().at(&[])
}
