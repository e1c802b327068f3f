//! Training, on the smallest task that needs every part of the model: copying a sentence.

use crate::autograd::{Grads, Tape, Var};
use crate::data::copy::CopyBatch;
use crate::data::{LENGTH, VOCABULARY, sentences};
use crate::functions::{adam_step, copy_batch, noam_rate, shift, smoothed_targets};
use crate::params::{Params, Source};
use crate::random::Random;
use crate::tensor::Tensor;
use crate::transformer::{Config, Transformer};
use adam::Rules;

/// Sentences per batch.
const BATCH: usize = 16;
/// Factor and warm-up of the learning rate.
const FACTOR: f64 = 0.5;
const WARMUP: usize = 60;
/// Share of the probability that label smoothing gives to the wrong tokens.
const SMOOTHING: f32 = 0.1;

pub mod adam {
    use crate::autograd::Var;

    /// The settings of a step of Adam.
    #[derive(Clone, Copy, Debug)]
    pub struct Rules {
        /// The learning rate.
        pub rate: f32,
        /// Share of the mean gradient that is kept.
        pub beta1: f32,
        /// Share of the mean square that is kept.
        pub beta2: f32,
        /// Prevents a division by 0.
        pub epsilon: f32,
        /// Weight decay.
        pub decay: f32,
    }

    /// Weights and moments after a step.
    pub struct Moved {
        pub x: Var,
        /// The mean gradient.
        pub m: Var,
        /// The mean square of the gradient.
        pub v: Var,
    }
}

/// A training run.
pub struct Training {
    pub model: Transformer,
    pub params: Params,
    /// The optimizer's mean gradient and mean square, of all parameters in one row.
    moments: [Tensor; 2],
    /// Draws the sentences of each batch.
    random: Random,
    steps: usize,
}

impl Training {
    /// A new model. The seed determines its first weights and its sentences.
    pub fn new(seed: u64) -> Self {
        let config = Config::copying(VOCABULARY);
        let (model, params) = Transformer::new(&config, Source::Drawn(Random::new(seed)));
        let zeros = Tensor::zeros(&[params.count()]);
        Self {
            model,
            params,
            moments: [zeros.clone(), zeros],
            random: Random::new(seed + 1),
            steps: 0,
        }
    }

    /// One update on new sentences, as [`Training::step_on`].
    pub fn step(&mut self) -> Result<f32, String> {
        let words = sentences(BATCH, &mut self.random);
        self.step_on(&words)
    }

    /// One update on `words [batch, length]`. Returns the loss before it, in nats per token; `Err` names the first tensor
    /// that is not finite.
    pub fn step_on(&mut self, words: &Tensor) -> Result<f32, String> {
        let batch = copy_batch(words);
        let tape = Tape::train(&self.params, self.steps as u64);
        let loss = self.loss(&tape, batch);
        if let Some(name) = tape.first_not_finite() {
            return Err(format!(
                "the numbers of {name} became infinite or NaN in step {}",
                self.steps + 1
            ));
        }
        self.steps += 1;
        self.update(&loss.backward());
        Ok(loss.value().at(&[]))
    }

    /// The divergence of the predictions from the smoothed targets, per token.
    pub fn loss(&self, tape: &Tape, batch: CopyBatch) -> Var {
        let shifted = shift(&batch.src);
        let src = tape.ids("src", batch.src, &["b", "s"]);
        let src_mask = tape.mask("src_mask", batch.src_mask, &["b", "1", "s"]);
        let tgt = tape.ids("tgt", shifted.tgt, &["b", "t"]);
        let tgt_mask = tape.mask("tgt_mask", batch.tgt_mask, &["b", "t", "t"]);
        let memory = self.model.encode(&src, &src_mask);
        let hidden = self.model.decode(&memory, &src_mask, &tgt, &tgt_mask);
        let log_probs = self.model.generator.forward(&hidden);
        let targets = smoothed_targets(&shifted.tgt_y, VOCABULARY, SMOOTHING, 0);
        let targets = tape.constant("targets", targets, &["b", "t", "v"]);
        let loss = log_probs.kl_divergence(&targets);
        loss.scale(1.0 / shifted.ntokens as f32).named("loss")
    }

    /// Moves all parameters, as one row: the optimizer treats every number on its own.
    fn update(&mut self, grads: &Grads) {
        let (mut weights, mut gradient) = (vec![], vec![]);
        for param in self.params.all() {
            let weight = self.params.get(param);
            weights.extend_from_slice(weight.data());
            match grads.param(param) {
                Some(grad) => gradient.extend_from_slice(grad.data()),
                None => gradient.resize(weights.len(), 0.0),
            }
        }
        let d_model = self.model.config.d_model;
        let rules = Rules {
            rate: noam_rate(self.steps, d_model, FACTOR, WARMUP) as f32,
            beta1: 0.9,
            beta2: 0.98,
            epsilon: 1e-9,
            decay: 0.0,
        };
        let tape = Tape::eval(&Params::default());
        let row =
            |cells: Vec<f32>| tape.constant("row", Tensor::new(&[cells.len()], cells), &["p"]);
        let [m, v] = self
            .moments
            .clone()
            .map(|moment| tape.constant("moment", moment, &["p"]));
        let step = self.steps as i32;
        let moved = adam_step(&row(weights), &row(gradient), &m, &v, step, &rules);
        self.moments = [moved.m.value(), moved.v.value()];
        let (moved, mut at) = (moved.x.value(), 0);
        for param in self.params.all() {
            let shape = self.params.get(param).shape().to_vec();
            let end = at + shape.iter().product::<usize>();
            self.params
                .set(param, Tensor::new(&shape, moved.data()[at..end].to_vec()));
            at = end;
        }
    }

    /// Lets the model copy new sentences. Returns the share of tokens that it gets right.
    pub fn copies(&self, count: usize, seed: u64) -> f64 {
        let src = copy_batch(&sentences(count, &mut Random::new(seed))).src;
        let same = src.zip(&self.copy(&src), |a, b| if a == b { 1.0 } else { 0.0 });
        // The first token of every sentence is given.
        (same.sum() - count as f64) / (count * (LENGTH - 1)) as f64
    }

    /// The sentences of `src [batch, LENGTH]` as the model writes them, token by token.
    pub fn copy(&self, src: &Tensor) -> Tensor {
        let count = src.shape()[0];
        let mut written = Tensor::from_fn(&[count, 1], |i| src.at(&[i[0], 0]));
        for length in 1..LENGTH {
            let tape = Tape::eval(&self.params);
            let [src, tgt] = [src, &written].map(|ids| tape.ids("ids", ids.clone(), &["b", "t"]));
            let log_probs = self.model.forward(&src, &tgt).log_probs.value();
            let likeliest = |row: usize| {
                let score = |&id: &usize| log_probs.at(&[row, length - 1, id]);
                let best = (0..VOCABULARY).max_by(|a, b| score(a).total_cmp(&score(b)));
                best.unwrap_or_default() as f32
            };
            written = Tensor::from_fn(&[count, length + 1], |i| match i[1] {
                column if column < length => written.at(i),
                _ => likeliest(i[0]),
            });
        }
        written
    }
}
