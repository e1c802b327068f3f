//# Does not leave padding out of the loss.
//= padding-counts
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::Batch;
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, None);
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Takes the padding from what the decoder reads instead of what it must predict, so that one token of padding counts.
//= padding-counts classic-2
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = read.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Makes the decoder read the tokens that it must predict.
//= not-shifted classic-0
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (_, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", predict.clone(), &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Runs the model as for evaluation, without dropout.
//= no-dropout
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    _seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::eval(params);
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Passes probabilities to the loss, which expects logits, so that softmax is applied twice.
//= classic-1
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = pass.log_probs.exp();
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Measures the loss after the update instead of before it.
//= loss-afterwards
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    let tape = Tape::train(params, seed).dropping_by_turn();
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    cross_entropy(&logits, &targets, Some(&weights)).value().at(&[])
}

//# Leaves padding out of the sum of the loss, but divides by all positions.
//= padding-counts classic-3
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let log_probs = logits.log_softmax().pick(&targets);
    let loss = log_probs.mul(&weights).mean().scale(-1.0);
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Takes the mean per sentence first and then over the sentences, so that a token of a short sentence counts more.
//= classic-5
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let (rows, length) = (predict.shape()[0], predict.shape()[1]);
    let is_real = |row: usize, t: usize| predict.at(&[row, t]) as usize != PAD;
    let real = Tensor::from_fn(&[rows, length], |i| {
        if is_real(i[0], i[1]) {
            1.0 / (0..length).filter(|&t| is_real(i[0], t)).count() as f32
        } else {
            0.0
        }
    });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Leaves the end symbol out of the loss, like padding.
//= classic-4
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::text::vocabulary::EOS;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| {
        if id as usize == PAD || id as usize == EOS { 0.0 } else { 1.0 }
    });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Creates a new optimizer for every step, so that the moments and the number of steps are lost.
//= classic-6
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    *adam = Adam::new(params);
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Increments the optimizer's step, although the optimizer does too.
//= classic-7
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.steps += 1;
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Uses the same dropout mask in every step, from a fixed seed.
//=
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    _seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, 42).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Detaches the memory between encoder and decoder, as when decoding, so that no gradient reaches the encoder.
//= no-gradient
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let (src_mask, tgt_mask) = (model.src_mask(&src), model.tgt_mask(&tgt));
    let memory = model.encode(&src, &src_mask).value();
    let memory = tape.constant("memory", memory, &["b", "s", "d"]);
    let hidden = model.decode(&memory, &src_mask, &tgt, &tgt_mask);
    let logits = model.generator.logits(&hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Hides only the future from the decoder and forgets to hide the source's padding.
//=
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let tgt_mask = model.tgt_mask(&tgt);
    let everything = Tensor::ones(&[batch.src.shape()[0], 1, batch.src.shape()[1]]);
    let src_mask = tape.mask("src_mask", everything, &["b", "", "s"]);
    let pass = model.masked(&src, &tgt, &src_mask, &tgt_mask);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# Updates after every sentence instead of once for the batch.
//= two-updates
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let mut sum = 0.0;
    let mut tokens = 0;
    for n in 0..batch.sentences() {
    let batch = batch.part(n, batch.sentences());
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    sum += loss.value().at(&[]) * batch.target_tokens() as f32;
    tokens += batch.target_tokens();
    }
    sum / tokens as f32
}

//# Returns the sum of the loss over the tokens instead of the mean.
//= sum classic-8
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[]) * batch.target_tokens() as f32
}

//# Divides the rate by the number of target tokens, although the loss is already a mean over them.
//= classic-9
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate / batch.target_tokens() as f32);
    loss.value().at(&[])
}

//# Counts every position in the loss, including padding, because it passes no weights.
//= padding-counts
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::Batch;
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let tape = Tape::train(params, seed).dropping_by_turn();
    let (read, predict) = batch.shifted();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, None);
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}
//# Takes the weights of the loss from the tokens that the decoder reads instead of those that it must predict.
//= classic-2
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let tape = Tape::train(params, seed).dropping_by_turn();
    let (read, predict) = batch.shifted();
    let real = read.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}
//# Runs the model on an evaluation tape, so that dropout is off in training.
//= no-dropout
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let _ = seed;
    let tape = Tape::eval(params);
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}
