//! A small Transformer that learns to copy, with the training step of real models.

use serde::Deserialize;
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::ops::Spread;
use transformer_tutor::params::{Param, Params};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::step::{Batch, Gradients, StepJob, StepOptions, derive_seed};
use transformer_tutor::transformer::{Config, Transformer};

/// Vocabulary, width of the residual stream, sentences per batch, tokens per sentence.
pub const VOCABULARY: usize = 24;
pub const WIDTH: usize = 32;
const BATCH: usize = 12;
const LENGTH: usize = 7;

/// Id of the start token; padding is 0.
const START: u32 = 1;

/// A table of the model whose step can be shown.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Table {
    Embedding,
    Generator,
}

/// Settings of a training, except for its learning rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Layers of the encoder, and of the decoder.
    pub layers: usize,
    /// Place of the LayerNorms.
    pub place: NormPlace,
    /// Decay rate of the mean square.
    pub beta2: f32,
    /// Whether the moments are corrected for starting at 0.
    pub corrected: bool,
    /// The seed.
    pub seed: u64,
}

/// A model in training.
pub struct Learner {
    model: Transformer,
    /// Current weights.
    pub params: Params,
    /// Current state of the optimizer.
    pub adam: Adam,
    /// Gradients for the next step.
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
            // After this many steps β^t is 0, and the corrections divide by 1.
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

    /// The table selected by the knob.
    pub fn table(&self, table: Table) -> Param {
        match table {
            Table::Generator => self.model.generator.weight,
            Table::Embedding => self.model.tgt_embed.table,
        }
    }

    /// Computes the gradients of the next batch; returns its loss, `−log p` of the right tokens in nats.
    pub fn look(&mut self) -> f64 {
        let batch = batch(self.seed, self.taken);
        let options = StepOptions {
            smoothing: 0.0,
            spread: Spread::NoPadding,
            shards: 1,
        };
        let job = StepJob {
            model: &self.model,
            params: &self.params,
            batch: &batch,
            tokens: batch.target_tokens(),
            seed: derive_seed(self.seed, self.taken),
            options,
        };
        self.gradients.clear();
        job.gradients(&mut self.gradients).nats
    }

    /// Takes the step.
    pub fn step(&mut self, rate: f64) {
        let (params, gradients) = (&mut self.params, &self.gradients);
        self.adam.apply(params, gradients, rate as f32, 1.0);
        self.taken += 1;
    }
}

/// Sentences to copy. Words with high ids are rare, like most words of a language.
fn batch(seed: u64, n: u64) -> Batch {
    let draw = random::uniform(&[BATCH, LENGTH], 0.5, derive_seed(seed, n), "words");
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

/// How far each step moves the weights (RMS over all that have a gradient), in learning rates.
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

/// Input of one step of a training: weights, gradient and moments of one table.
pub struct Before {
    pub x: Tensor,
    pub gradient: Tensor,
    pub m: Tensor,
    pub v: Tensor,
}

transformer_tutor::weigh!(Before: x, gradient, m, v);

/// State before step `step`, with a learning rate for each step.
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
