//! Training on the copy task with a learner's parts: batches, shift, layers, targets and optimizer.

use std::collections::BTreeMap;

use super::parts::{Parts, TrainingStepFn, XavierFn};
use crate::autograd::{Grads, Tape};
use crate::data::batch::Batch;
use crate::data::copy::{CopyBatch, START, copy_batch, copy_words};
use crate::lesson::copying::{BATCH, LENGTH, VOCABULARY, words};
use crate::ops::{Deviation, Spread};
use crate::params::Params;
use crate::tensor::{Tensor, alone, random};
use crate::train::adam::{Adam, Rules};
use crate::train::loss::smoothed_mean;
use crate::transformer::{Config, Transformer};

/// Default number of updates, as in lesson 18.
pub const STEPS: usize = 240;
/// Default seed of weights and sentences, as in lesson 18.
pub const SEED: u64 = 7;

/// Factor and warm-up steps of the learning-rate schedule.
const FACTOR: f64 = 0.5;
const WARMUP: usize = 60;
/// Label smoothing.
const SMOOTHING: f32 = 0.1;
/// Number of updates by `training_step` after the training, and their learning rate.
pub(super) const MORE_STEPS: usize = 3;
const MORE_RATE: f32 = 1e-3;
/// Number of held-out sentences that the trained model copies.
const HELD_OUT: usize = 20;

/// A training run in progress.
pub struct TrainingRun {
    pub(super) parts: Parts,
    model: Transformer,
    state: State,
    /// All sentences, `[sentences, length]`.
    pool: Tensor,
    /// Sentence numbers of each batch.
    batches: Vec<Vec<usize>>,
    seed: u64,
    pub(super) without_gradient: Vec<String>,
    pub(super) calls: BTreeMap<String, usize>,
}

/// Everything that an update changes.
#[derive(Clone)]
pub(super) struct State {
    params: Params,
    /// The optimizer's first and second moments, with all parameters flattened into one row.
    moments: [Tensor; 2],
    /// Number of updates so far.
    pub(super) updates: usize,
}

impl TrainingRun {
    /// A model of lesson 18's size, with two layers, 32 channels and 4 heads, and its sentences, cut into batches.
    /// Panics if `parts` cuts no batches, or batches with sentences that do not exist.
    pub fn new(parts: Parts, steps: usize, seed: u64) -> Self {
        let mut config = Config::annotated(VOCABULARY, VOCABULARY).sized(2, 32, 64, 4);
        config.dropout = 0.0;
        // layer_norm_backward is for this form, and the learner's layer_norm serves both.
        config.deviation = Deviation::Population;
        let mut params = Params::new(seed);
        let model = Transformer::new(&mut params, &config);
        if let Some(xavier) = parts.xavier_uniform {
            initialise(&mut params, xavier, seed);
        }
        let all = (1..=steps).flat_map(|step| words(seed, step).data().to_vec());
        let pool = Tensor::new(&[steps * BATCH, LENGTH], all.collect());
        let lengths = vec![(LENGTH, LENGTH); steps * BATCH];
        let batches = (parts.cut_batches)(&lengths, BATCH * LENGTH);
        assert!(
            batches.iter().any(|batch| !batch.is_empty()),
            "cut_batches returned no batch"
        );
        let beyond = batches.iter().flatten().find(|&&n| n >= lengths.len());
        assert!(
            beyond.is_none(),
            "cut_batches returned the pair {beyond:?}; the last one is {}",
            lengths.len() - 1
        );
        let count = params.count();
        Self {
            parts,
            model,
            state: State {
                params,
                moments: [Tensor::zeros(&[count]), Tensor::zeros(&[count])],
                updates: 0,
            },
            pool,
            batches: batches.into_iter().filter(|b| !b.is_empty()).collect(),
            seed,
            without_gradient: vec![],
            calls: BTreeMap::new(),
        }
    }

    /// Continues from `state`, which may be that of a run with different parts.
    pub(super) fn continued(mut self, state: &State) -> Self {
        self.state = state.clone();
        self
    }

    /// A copy of what the updates have changed.
    pub(super) fn state(&self) -> State {
        self.state.clone()
    }

    /// Performs one update on the next batch and returns the loss before it, in nats per token.
    pub fn step(&mut self) -> f64 {
        self.step_on(self.state.updates)
    }

    /// Performs one update on batch number `batch` and returns the loss before it, in nats per token.
    pub(super) fn step_on(&mut self, batch: usize) -> f64 {
        // Matrices this small are not worth a second thread.
        alone(|| self.update(batch))
    }

    fn update(&mut self, batch: usize) -> f64 {
        let picked = &self.batches[batch % self.batches.len()];
        let cell = |i: &[usize]| self.pool.at(&[picked[i[0]], i[1]]);
        let batch = (self.parts.copy_batch)(&Tensor::from_fn(&[picked.len(), LENGTH], cell));
        let shifted = (self.parts.shift)(&batch.src);
        let tape = self
            .parts
            .on_training(Tape::train(&self.state.params, self.seed));
        let src = tape.ids("src", batch.src, &["b", "s"]);
        let src_mask = tape.mask("src_mask", batch.src_mask, &["b", "1", "s"]);
        let tgt = tape.ids("tgt", shifted.tgt, &["b", "t"]);
        let tgt_mask = tape.mask("tgt_mask", batch.tgt_mask, &["b", "t", "t"]);
        let memory = self.model.encode(&src, &src_mask);
        let hidden = self.model.decode(&memory, &src_mask, &tgt, &tgt_mask);
        let log_probs = self.model.generator.forward(&hidden);
        let targets = (self.parts.smoothed_targets)(&shifted.tgt_y, VOCABULARY, SMOOTHING, 0);
        let targets = tape.constant("targets", targets, &["b", "t", "v"]);
        let count = shifted.ntokens as f64;
        let loss = smoothed_mean(&log_probs, &targets, SMOOTHING, Spread::NoPadding, count);
        let value = f64::from(loss.value().at(&[]));
        let grads = loss.backward();
        if self.state.updates == 0 {
            self.look(&tape, &grads);
        }
        self.state.updates += 1;
        self.move_weights(&grads);
        value
    }

    /// Records, in the first step, which functions ran and which parameters got no gradient.
    fn look(&mut self, tape: &Tape, grads: &Grads) {
        let calls = tape.calls().into_iter();
        self.calls = calls.map(|(name, n)| (name.to_owned(), n)).collect();
        for name in [
            "copy_batch",
            "shift",
            "smoothed_targets",
            "adam_step",
            "noam_rate",
        ] {
            self.calls.insert(name.to_owned(), 1);
        }
        // Called for the whole run, before its first step.
        self.calls.insert("cut_batches".to_owned(), 1);
        if self.parts.xavier_uniform.is_some() {
            let matrices = self
                .state
                .params
                .iter()
                .filter(|(_, _, value)| value.rank() == 2);
            self.calls
                .insert("xavier_uniform".to_owned(), matrices.count());
        }
        for (param, name, _) in self.state.params.iter() {
            if !grads.param(param).is_some_and(Tensor::is_finite) {
                self.without_gradient.push(name.to_owned());
            }
        }
    }

    /// Updates all parameters as one row, because the optimizer treats every scalar separately.
    fn move_weights(&mut self, grads: &Grads) {
        let x = self.weights();
        let mut gradient = Vec::with_capacity(x.len());
        for (param, _, value) in self.state.params.iter() {
            match grads.param(param) {
                Some(grad) => gradient.extend_from_slice(grad.data()),
                None => gradient.resize(gradient.len() + value.len(), 0.0),
            }
        }
        let rules = Rules {
            rate: (self.parts.noam_rate)(
                self.state.updates,
                self.model.config.d_model,
                FACTOR,
                WARMUP,
            ) as f32,
            beta1: 0.9,
            beta2: 0.98,
            epsilon: 1e-9,
            decay: 0.0,
        };
        let tape = Tape::eval(&Params::default());
        let row = |name, value: Tensor| tape.input(name, value, &["w"]);
        let shape = [x.len()];
        let moved = (self.parts.adam_step)(
            &row("x", Tensor::new(&shape, x)),
            &row("gradient", Tensor::new(&shape, gradient)),
            &row("m", self.state.moments[0].clone()),
            &row("v", self.state.moments[1].clone()),
            i32::try_from(self.state.updates).unwrap_or(i32::MAX),
            &rules,
        );
        let [x, m, v] = [moved.x, moved.m, moved.v].map(|moved| moved.value());
        for (name, tensor) in [("x", &x), ("m", &m), ("v", &v)] {
            assert!(
                tensor.shape() == shape,
                "adam_step: {name} has the shape {:?}; it must be that of the weights, {shape:?}",
                tensor.shape()
            );
        }
        self.set_weights(x.data());
        self.state.moments = [m, v];
    }

    /// All parameters as one row.
    pub(super) fn weights(&self) -> Vec<f32> {
        let params = self.state.params.iter();
        params
            .flat_map(|(_, _, value)| value.data().iter().copied())
            .collect()
    }

    /// Replaces all parameters by those of a row. Panics if it is shorter or longer.
    pub(super) fn set_weights(&mut self, row: &[f32]) {
        let mut rest = row;
        for tensor in self.state.params.tensors_mut() {
            let (cells, others) = rest.split_at(tensor.len());
            tensor.data_mut().copy_from_slice(cells);
            rest = others;
        }
        assert!(rest.is_empty(), "{} weights are left over", rest.len());
    }

    /// Mean loss of held-out sentences, in nats per token.
    pub(super) fn held_out_loss(&self) -> f64 {
        let (log_probs, targets) = self.held_out();
        let rows = log_probs.data().chunks(VOCABULARY).zip(&targets);
        rows.map(|(row, &id)| -f64::from(row[id])).sum::<f64>() / targets.len() as f64
    }

    /// Share of tokens that the model copies correctly, over twenty held-out sentences, not counting the start token.
    pub fn right(&self) -> f64 {
        let src = self.held_out_batch().src;
        let mut outputs = vec![vec![START]; HELD_OUT];
        for length in 1..LENGTH {
            let tape = self.parts.on(Tape::eval(&self.state.params));
            let source = tape.ids("src", src.clone(), &["b", "s"]);
            let tgt = Tensor::new(&[HELD_OUT, length], outputs.concat());
            let tgt = tape.ids("tgt", tgt, &["b", "t"]);
            let log_probs = alone(|| self.model.forward(&source, &tgt))
                .log_probs
                .value();
            assert!(
                log_probs.shape() == [HELD_OUT, length, VOCABULARY],
                "pass: the log-probabilities have the shape {:?}; it must be [batch, target, tgt_vocab], here {:?}",
                log_probs.shape(),
                [HELD_OUT, length, VOCABULARY]
            );
            let rows = log_probs.data().chunks(VOCABULARY);
            for (row, output) in rows.skip(length - 1).step_by(length).zip(&mut outputs) {
                output.push(crate::lesson::largest(row) as f32);
            }
        }
        let outputs = outputs.concat();
        let same = src
            .data()
            .iter()
            .zip(&outputs)
            .filter(|(a, b)| a == b)
            .count();
        (same - HELD_OUT) as f64 / (HELD_OUT * (LENGTH - 1)) as f64
    }

    /// Log-probabilities `[tokens, vocabulary]` of held-out sentences, and the tokens to predict.
    pub(super) fn held_out(&self) -> (Tensor, Vec<usize>) {
        let batch = self.held_out_batch();
        let tape = self.parts.on(Tape::eval(&self.state.params));
        let src = tape.ids("src", batch.src, &["b", "s"]);
        let tgt = tape.ids("tgt", batch.tgt, &["b", "t"]);
        let log_probs = alone(|| self.model.forward(&src, &tgt)).log_probs.value();
        let targets = batch.tgt_y.data().iter().map(|&id| id as usize);
        let tokens = log_probs.len() / VOCABULARY;
        (log_probs.reshape(&[tokens, VOCABULARY]), targets.collect())
    }

    fn held_out_batch(&self) -> CopyBatch {
        let words = copy_words(HELD_OUT, LENGTH, VOCABULARY, self.seed, "held out");
        copy_batch(&words)
    }

    /// Loss of the last of some further updates by `step` on a copy of the model's weights. The layers are the engine's,
    /// because `step` makes its own tape.
    pub(super) fn loss_after_more(&self, step: TrainingStepFn) -> f64 {
        let mut params = self.state.params.clone();
        let mut adam = Adam::new(&params);
        let src = self.held_out_batch().src;
        let batch = Batch {
            tgt: src.clone(),
            src,
        };
        let mut update = |_| {
            step(
                &self.model,
                &mut params,
                &mut adam,
                &batch,
                MORE_RATE,
                self.seed,
            )
        };
        let losses = alone(|| (0..MORE_STEPS).map(&mut update).last());
        losses.map_or(f64::NAN, f64::from)
    }
}

/// Gives all matrices the numbers of `xavier`, from the random numbers that the engine draws for them.
fn initialise(params: &mut Params, xavier: XavierFn, seed: u64) {
    let matrices: Vec<_> = params
        .iter()
        .filter(|(_, _, value)| value.rank() == 2)
        .map(|(param, name, value)| (param, name.to_owned(), value.shape().to_vec()))
        .collect();
    for (param, name, shape) in matrices {
        // Uniform between −½ and ½.
        let drawn = random::uniform(&shape, 0.5, seed, &name);
        let mut numbers = drawn.data().iter().map(|x| x + 0.5).cycle();
        let mut uniform = || numbers.next().unwrap_or(0.0);
        let weight = xavier(shape[1], shape[0], &mut uniform);
        assert!(
            weight.shape() == shape,
            "xavier_uniform: the weight has the shape {:?}; it must be [fan_out, fan_in], here {shape:?}",
            weight.shape()
        );
        params.set(param, weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::schedule::noam_rate;

    #[test]
    fn the_references_train_as_the_engine_does_to_rounding() {
        let mut own = TrainingRun::new(Parts::default(), 6, SEED);
        // The same loop with the engine's own layers, softmax gradient and optimizer.
        let mut engine = TrainingRun::new(Parts::default(), 6, SEED);
        let mut adam = Adam::new(&engine.state.params);
        for step in 1..=6 {
            let loss = own.step();
            let batch = copy_batch(&words(SEED, step));
            let tape = Tape::train(&engine.state.params, SEED);
            let src = tape.ids("src", batch.src, &["b", "s"]);
            let tgt = tape.ids("tgt", batch.tgt, &["b", "t"]);
            let log_probs = engine.model.forward(&src, &tgt).log_probs;
            let targets = tape.ids("tgt_y", batch.tgt_y, &["b", "t"]);
            let targets = targets.smooth_targets(VOCABULARY, SMOOTHING, Spread::NoPadding, 0.0);
            let words = batch.ntokens as f64;
            let expected = smoothed_mean(&log_probs, &targets, SMOOTHING, Spread::NoPadding, words);
            let value = f64::from(expected.value().at(&[]));
            assert!((loss - value).abs() < 1e-4, "step {step}: {loss} {value}");
            let rate = noam_rate(step, 32, FACTOR, WARMUP) as f32;
            adam.step(&mut engine.state.params, &expected.backward(), rate);
        }
        assert_eq!(own.without_gradient, Vec::<String>::new());
        assert!(own.calls.values().all(|&n| n > 0 || own.calls["pass"] == 0));
    }
}
