//! A small Transformer that learns to copy, with the training step that real models take.

use serde::Deserialize;
use transformer_tutor::lesson::memo::Weigh;
use transformer_tutor::lesson::race::Tell;
use transformer_tutor::lesson::race::seeds::told;
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::ops::Spread;
use transformer_tutor::params::{Param, Params};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::step::{Batch, Gradients, StepOptions, gradients, mixed};
use transformer_tutor::transformer::{Config, Transformer};

/// Words, width of the stream, sentences a batch, words a sentence.
pub const VOCABULARY: usize = 24;
pub const WIDTH: usize = 32;
const BATCH: usize = 12;
const LENGTH: usize = 7;

/// The id of the start; padding is 0.
const START: u32 = 1;

/// A table of the model that is taken apart.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Table {
    Embedding,
    Generator,
}

/// What a training is like, but for its learning rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Layers of the encoder, and of the decoder.
    pub layers: usize,
    /// Where the norms stand.
    pub place: NormPlace,
    /// How much of the mean square is kept.
    pub beta2: f32,
    /// Whether the moments' beginning at 0 is corrected.
    pub corrected: bool,
    /// Which random numbers.
    pub seed: u64,
}

/// A model under training.
pub struct Learner {
    model: Transformer,
    /// The weights now.
    pub params: Params,
    /// The optimizer now.
    pub adam: Adam,
    /// The gradients of the step that is to be taken.
    pub gradients: Gradients,
    seed: u64,
    taken: u64,
}

impl Learner {
    pub fn new(rules: Rules) -> Self {
        let mut config =
            Config::annotated(VOCABULARY, VOCABULARY).sized(rules.layers, WIDTH, 64, 4);
        config.dropout = 0.0;
        config.norm_place = rules.place;
        let mut params = Params::new(rules.seed);
        let model = Transformer::new(&mut params, &config);
        let mut adam = Adam::new(&params);
        adam.beta2 = rules.beta2;
        if !rules.corrected {
            // So many steps on, β^t is 0 and the corrections divide by 1.
            adam.steps = 1 << 20;
        }
        Self {
            model,
            params,
            adam,
            gradients: Vec::new(),
            seed: rules.seed,
            taken: 0,
        }
    }

    /// The table that the knob names.
    pub fn table(&self, table: Table) -> Param {
        match table {
            Table::Generator => self.model.generator.weight,
            Table::Embedding => self.model.tgt_embed.table,
        }
    }

    /// Works out the gradients of the next batch; returns its loss, `−log p` of the right words in nats.
    pub fn look(&mut self) -> f64 {
        let batch = batch(self.seed, self.taken);
        let options = StepOptions {
            smoothing: 0.0,
            spread: Spread::NoPadding,
            shards: 1,
        };
        let (seed, tokens) = (mixed(self.seed, self.taken), batch.target_tokens());
        let (model, params, found) = (&self.model, &self.params, &mut self.gradients);
        found.clear();
        gradients(model, params, &batch, tokens, seed, &options, found).nats
    }

    /// Takes the step.
    pub fn step(&mut self, rate: f64) {
        let (params, gradients) = (&mut self.params, &self.gradients);
        self.adam.apply(params, gradients, rate as f32, 1.0);
        self.taken += 1;
    }
}

/// Sentences to be copied. Words with high ids are rare, as most words of a language are.
fn batch(seed: u64, n: u64) -> Batch {
    let draw = random::uniform(&[BATCH, LENGTH], 0.5, mixed(seed, n), "words");
    let words = (VOCABULARY - 2) as f32;
    let id = |x: &f32| 2 + ((x + 0.5).powi(3) * words).min(words - 1.0) as u32;
    let src: Vec<u32> = draw.data().iter().map(id).collect();
    let tgt: Vec<u32> = src
        .chunks(LENGTH)
        .flat_map(|row| [&[START], row].concat())
        .collect();
    let pairs: Vec<(&[u32], &[u32])> = src.chunks(LENGTH).zip(tgt.chunks(LENGTH + 1)).collect();
    Batch::new(&pairs)
}

/// The losses of `steps` steps with learning rates by step number, from 1; `tell` may stop it.
pub fn train(
    rules: Rules,
    steps: usize,
    rate: impl Fn(usize) -> f64,
    tell: Tell<'_, Vec<f64>>,
) -> Vec<f64> {
    let mut learner = Learner::new(rules);
    let mut losses = Vec::new();
    for step in 1..=steps {
        losses.push(learner.look());
        learner.step(rate(step));
        if told(&losses, steps, tell).is_break() {
            break;
        }
    }
    losses
}

/// How far each step moves the weights (rms over all that have a gradient), in learning rates.
pub fn moves(rules: Rules, steps: usize, rate: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut learner = Learner::new(rules);
    (1..=steps)
        .map(|step| {
            learner.look();
            let before = learner.params.clone();
            let rate = rate(step);
            learner.step(rate);
            let (mut squares, mut count) = (0.0, 0.0);
            for ((_, _, was), (param, _, is)) in before.iter().zip(learner.params.iter()) {
                let Some(gradient) = &learner.gradients[param.index()] else {
                    continue;
                };
                for ((a, b), g) in was.data().iter().zip(is.data()).zip(gradient.data()) {
                    if *g != 0.0 {
                        squares += (f64::from(b - a) / rate).powi(2);
                        count += 1.0;
                    }
                }
            }
            (squares / f64::max(count, 1.0)).sqrt()
        })
        .collect()
}

/// Everything that step `step` of a training reads: weights, gradient and moments of one table.
pub struct Before {
    pub x: Tensor,
    pub gradient: Tensor,
    pub m: Tensor,
    pub v: Tensor,
}

impl Weigh for Before {
    fn heap(&self) -> usize {
        [&self.x, &self.gradient, &self.m, &self.v]
            .map(Weigh::heap)
            .iter()
            .sum()
    }
}

/// The state before step `step`, with learning rates by step number.
pub fn before(rules: Rules, table: Table, step: usize, rate: impl Fn(usize) -> f64) -> Before {
    let mut learner = Learner::new(rules);
    for n in 1..step {
        learner.look();
        learner.step(rate(n));
    }
    learner.look();
    let param = learner.table(table);
    let (m, v) = learner.adam.moments[param.index()].clone();
    let x = learner.params.get(param).clone();
    let none = Tensor::zeros(x.shape());
    Before {
        gradient: learner.gradients[param.index()].clone().unwrap_or(none),
        x,
        m,
        v,
    }
}
