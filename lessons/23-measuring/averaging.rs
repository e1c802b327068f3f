//! A tiny model that learns to copy at too high a learning rate, and the mean of its last checkpoints.

use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::random;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::average::average;
use transformer_tutor::train::step::{Batch, StepJob, StepOptions, evaluate};
use transformer_tutor::transformer::{Config, Transformer};

const VOCABULARY: usize = 14;
const LENGTH: usize = 6;

/// Training steps, steps between two checkpoints, and number of checkpoints averaged.
pub const STEPS: usize = 240;
pub const EVERY: usize = 8;
pub const KEPT: usize = 8;

/// Nats per held-out token, for each of the last checkpoints, and for the mean of their weights.
pub struct Averaged {
    pub each: Vec<f64>,
    pub average: f64,
}

impl Averaged {
    /// Mean of the checkpoints' losses, which is not the loss of the mean.
    pub fn mean(&self) -> f64 {
        self.each.iter().sum::<f64>() / self.each.len() as f64
    }
}

fn batch(sentences: usize, site: &str) -> Batch {
    let draw = random::uniform(&[sentences, LENGTH], 0.5, 11, site);
    let words = (VOCABULARY - 3) as f32;
    let id = |x: f32| ((x + 0.5) * words).floor().min(words - 1.0) as u32 + 3;
    let src: Vec<u32> = draw.data().iter().map(|&x| id(x)).collect();
    let tgt = src
        .chunks(LENGTH)
        .flat_map(|row| [&[1], row, &[2]].concat());
    let tgt: Vec<u32> = tgt.collect();
    let pairs: Vec<(&[u32], &[u32])> = src.chunks(LENGTH).zip(tgt.chunks(LENGTH + 2)).collect();
    Batch::new(&pairs)
}

/// Trained once.
pub static AVERAGED: Lazy<Averaged> = Lazy::new(|| {
    let config = Config::annotated(VOCABULARY, VOCABULARY).sized(1, 32, 64, 2);
    let options = StepOptions {
        smoothing: 0.0,
        spread: transformer_tutor::ops::Spread::NoPadding,
        shards: 1,
    };
    let mut params = Params::new(3);
    let model = Transformer::new(&mut params, &config);
    let mut adam = Adam::new(&params);
    let held_out = batch(64, "held out");
    let mut last: Vec<Params> = Vec::new();
    for step in 1..=STEPS {
        let batch = batch(16, &format!("batch {step}"));
        let mut grads = Vec::new();
        let job = StepJob {
            model: &model,
            params: &params,
            batch: &batch,
            tokens: batch.target_tokens(),
            seed: step as u64,
            options,
        };
        job.gradients(&mut grads);
        adam.apply(&mut params, &grads, 0.01, 1.0);
        if step > STEPS - EVERY * KEPT && step.is_multiple_of(EVERY) {
            last.push(params.clone());
        }
    }
    let nats = |params: &Params| evaluate(&model, params, &held_out, &options).nats;
    Averaged {
        each: last.iter().map(nats).collect(),
        average: nats(&average(&last)),
    }
});
