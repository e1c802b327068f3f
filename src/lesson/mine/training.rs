//! Training on the copy task with a learner's parts: batches, shift, layers, targets and optimizer.

use std::collections::BTreeMap;

use super::order::{Parting, Trained};
use super::parts::{Mine, Parts};
use crate::autograd::{Grads, Tape};
use crate::data::copy::{START, copy_batch, copy_words};
use crate::lesson::copying::{BATCH, LENGTH, VOCABULARY, words};
use crate::lesson::exercise::attempt;
use crate::ops::Spread;
use crate::params::Params;
use crate::tensor::{Tensor, alone};
use crate::train::adam::Rules;
use crate::train::loss::smoothed_mean;
use crate::train::schedule::noam_rate;
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
/// Number of held-out sentences that the trained model copies.
const HELD_OUT: usize = 20;

/// A training run in progress.
pub struct Training {
    parts: Parts,
    model: Transformer,
    params: Params,
    /// The optimizer's first and second moments, with all parameters flattened into one row.
    moments: [Tensor; 2],
    /// All sentences, `[sentences, length]`.
    pool: Tensor,
    /// Sentence numbers of each batch.
    batches: Vec<Vec<usize>>,
    seed: u64,
    done: usize,
    without_gradient: Vec<String>,
    calls: BTreeMap<String, usize>,
}

impl Training {
    /// A model of lesson 18's size, with two layers, 32 channels and 4 heads, and its sentences, cut into batches.
    /// Panics if `parts` cuts no batches, or batches with sentences that do not exist.
    pub fn new(parts: Parts, steps: usize, seed: u64) -> Self {
        let mut config = Config::annotated(VOCABULARY, VOCABULARY).sized(2, 32, 64, 4);
        config.dropout = 0.0;
        let mut params = Params::new(seed);
        let model = Transformer::new(&mut params, &config);
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
            params,
            moments: [Tensor::zeros(&[count]), Tensor::zeros(&[count])],
            pool,
            batches: batches.into_iter().filter(|b| !b.is_empty()).collect(),
            seed,
            done: 0,
            without_gradient: vec![],
            calls: BTreeMap::new(),
        }
    }

    /// Performs one update and returns the loss before it, in nats per token.
    pub fn step(&mut self) -> f64 {
        // Matrices this small are not worth a second thread.
        alone(|| self.update())
    }

    fn update(&mut self) -> f64 {
        let picked = &self.batches[self.done % self.batches.len()];
        let cell = |i: &[usize]| self.pool.at(&[picked[i[0]], i[1]]);
        let batch = (self.parts.copy_batch)(&Tensor::from_fn(&[picked.len(), LENGTH], cell));
        let shifted = (self.parts.shift)(&batch.src);
        let tape = self.parts.on(Tape::train(&self.params, self.seed));
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
        if self.done == 0 {
            self.look(&tape, &grads);
        }
        self.done += 1;
        self.move_weights(&grads);
        value
    }

    /// Records, in the first step, which functions ran and which parameters got no gradient.
    fn look(&mut self, tape: &Tape, grads: &Grads) {
        let calls = tape.calls().into_iter();
        self.calls = calls.map(|(name, n)| (name.to_owned(), n)).collect();
        for name in ["copy_batch", "shift", "smoothed_targets", "adam_step"] {
            self.calls.insert(name.to_owned(), 1);
        }
        // Called once for the whole run, before its first step.
        self.calls.insert("cut_batches".to_owned(), 1);
        for (param, name, _) in self.params.iter() {
            if !grads.param(param).is_some_and(Tensor::is_finite) {
                self.without_gradient.push(name.to_owned());
            }
        }
    }

    /// Updates all parameters as one row, because the optimizer treats every scalar separately.
    fn move_weights(&mut self, grads: &Grads) {
        let (mut x, mut gradient) = (Vec::new(), Vec::new());
        for (param, _, value) in self.params.iter() {
            x.extend_from_slice(value.data());
            match grads.param(param) {
                Some(grad) => gradient.extend_from_slice(grad.data()),
                None => gradient.resize(x.len(), 0.0),
            }
        }
        let rules = Rules {
            rate: noam_rate(self.done, self.model.config.d_model, FACTOR, WARMUP) as f32,
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
            &row("m", self.moments[0].clone()),
            &row("v", self.moments[1].clone()),
            i32::try_from(self.done).unwrap_or(i32::MAX),
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
        let mut rest = x.data();
        for tensor in self.params.tensors_mut() {
            let (cells, others) = rest.split_at(tensor.len());
            tensor.data_mut().copy_from_slice(cells);
            rest = others;
        }
        self.moments = [m, v];
    }

    /// Share of tokens that the model copies correctly, over twenty held-out sentences, not counting the start token.
    pub fn right(&self) -> f64 {
        let src = copy_batch(&copy_words(
            HELD_OUT, LENGTH, VOCABULARY, self.seed, "held out",
        ))
        .src;
        let mut said = vec![vec![START]; HELD_OUT];
        for length in 1..LENGTH {
            let tape = self.parts.on(Tape::eval(&self.params));
            let read = tape.ids("src", src.clone(), &["b", "s"]);
            let tgt = Tensor::new(&[HELD_OUT, length], said.concat());
            let tgt = tape.ids("tgt", tgt, &["b", "t"]);
            let log_probs = alone(|| self.model.forward(&read, &tgt)).log_probs.value();
            assert!(
                log_probs.shape() == [HELD_OUT, length, VOCABULARY],
                "pass: the log-probabilities have the shape {:?}; it must be [batch, target, tgt_vocab], here {:?}",
                log_probs.shape(),
                [HELD_OUT, length, VOCABULARY]
            );
            let rows = log_probs.data().chunks(VOCABULARY);
            for (row, said) in rows.skip(length - 1).step_by(length).zip(&mut said) {
                said.push(crate::lesson::largest(row) as f32);
            }
        }
        let said = said.concat();
        let same = src.data().iter().zip(&said).filter(|(a, b)| a == b).count();
        (same - HELD_OUT) as f64 / (HELD_OUT * (LENGTH - 1)) as f64
    }

    /// Trains with the learner's functions and with the references, step by step; `seen` gets the step and both losses.
    pub fn beside_reference(
        mine: &Mine,
        steps: usize,
        seed: u64,
        mut seen: impl FnMut(usize, [f64; 2]),
    ) -> Trained {
        let mut own = Self::new(mine.parts, steps, seed);
        let mut reference = Self::new(Parts::default(), steps, seed);
        let mut out = Trained::default();
        for step in 1..=steps {
            let losses = [own.step(), reference.step()];
            seen(step, losses);
            out.reference.push(losses[1]);
            if !losses[0].is_finite() {
                break;
            }
            out.losses.push(losses[0]);
        }
        out.right = [own.right(), reference.right()];
        out.without_gradient = own.without_gradient;
        out.calls = own.calls;
        out.parting = out.parts_beyond_rounding_at().map(|step| {
            let alone = |name: &&str| {
                let parts = Parts::default().with(name, &mine.parts);
                let expected = out.reference[step - 1];
                let loss = attempt("", || Self::new(parts, steps, seed).loss_at(step)).ok();
                let far = loss.map(|loss| (loss - expected).abs());
                ((*name).to_owned(), far.filter(|far| far.is_finite()))
            };
            Parting {
                step,
                by_part: mine.own.iter().map(alone).collect(),
            }
        });
        out
    }

    /// Loss of step `step` of a run that begins.
    fn loss_at(mut self, step: usize) -> f64 {
        (1..step).for_each(|_| {
            self.step();
        });
        self.step()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::adam::Adam;

    #[test]
    fn the_references_train_as_the_engine_does_to_rounding() {
        let mut own = Training::new(Parts::default(), 6, SEED);
        // The same loop with the engine's own layers, softmax gradient and optimizer.
        let mut engine = Training::new(Parts::default(), 6, SEED);
        let mut adam = Adam::new(&engine.params);
        for step in 1..=6 {
            let loss = own.step();
            let batch = copy_batch(&words(SEED, step));
            let tape = Tape::train(&engine.params, SEED);
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
            adam.step(&mut engine.params, &expected.backward(), rate);
        }
        assert_eq!(own.without_gradient, Vec::<String>::new());
        assert!(own.calls.values().all(|&n| n > 0 || own.calls["pass"] == 0));
    }

    #[test]
    fn equal_functions_give_equal_bits_and_a_wrong_optimizer_parts_at_its_first_step() {
        let trained = |mine: &Mine| Training::beside_reference(mine, 3, SEED, |_, _| {});
        let same = trained(&Mine::default());
        assert_eq!(same.parts_at(), None);
        let mut mine = Mine::default();
        mine.parts.adam_step = |x, gradient, m, v, step, rules| {
            let ascent = gradient.scale(-1.0);
            crate::train::adam::adam_step(x, &ascent, m, v, step, rules)
        };
        // The first loss is computed before any update.
        assert_eq!(trained(&mine).parts_at(), Some(2));
    }

    #[test]
    fn the_function_that_makes_the_losses_part_is_named() {
        let mut mine = Mine {
            own: vec!["shift", "softmax_backward"],
            ..Mine::default()
        };
        mine.parts.softmax_backward = |y, dy| y.mul(dy).scale(-1.0);
        let found = Training::beside_reference(&mine, 8, SEED, |_, _| {});
        let parting = found.parting.expect("the gradient is wrong");
        assert_eq!(parting.culprits().collect::<Vec<_>>(), ["softmax_backward"]);
        assert_eq!(parting.by_part[0], ("shift".to_owned(), Some(0.0)));
        assert!(parting.step > 1, "the first loss is before any update");
    }
}
