//! A training run that may have a fault. A small model learns to copy sentences of different lengths.

use std::sync::Arc;

use super::fault::{Defect, Kind, PARTS};
use crate::autograd::{Tape, Var};
use crate::data::copy::{CopyBatch, copy_batch, copy_words};
use crate::lesson::largest;
use crate::lesson::memo::{Memo, Weigh};
use crate::nn::masks::PAD;
use crate::ops::{Smoothing, Spread};
use crate::params::{Param, Params};
use crate::tensor::{Tensor, alone};
use crate::train::adam::Adam;
use crate::transformer::{Config, Transformer};

/// Number of ids that occur in sentences; 0 is padding and 1 the start token.
const WORDS: usize = 11;
/// An id that occurs in no sentence.
const UNUSED: usize = WORDS;
/// Vocabulary size of the model.
const VOCABULARY: usize = WORDS + 1;
/// Columns of a batch, which is the maximum sentence length.
const LENGTH: usize = 8;
/// Minimum sentence length.
const SHORTEST: usize = 4;
/// Sentences per batch.
const BATCH: usize = 12;
/// Total number of updates.
pub const STEPS: usize = 240;
/// Update after which the run was paused and resumed.
pub const PAUSE: usize = 120;
/// Peak learning rate, and the number of updates to reach it.
const PEAK: f64 = 4e-3;
const WARM_UP: usize = 60;
/// Updates whose gradients are kept.
pub const MARKS: [usize; 3] = [2, 30, 110];
/// Seed of weights and sentences.
const SEED: u64 = 5;

/// A finished run, with what it recorded on the way.
pub struct Record {
    /// Loss at each step, as reported by the run.
    pub losses: Vec<f64>,
    /// Learning rate at each step.
    pub rates: Vec<f64>,
    /// Weights at the start, after the first step, and at the end.
    pub weights: [Params; 3],
    /// State at each of the steps [`MARKS`].
    pub marks: Vec<Mark>,
    /// Optimizer state at the end.
    pub adam: Adam,
    /// Gradients given to the optimizer in the first step.
    pub first: Vec<Option<Tensor>>,
    defect: Option<Defect>,
}

/// State at one step: the weights before it, and the gradients given to the optimizer.
pub struct Mark {
    pub step: usize,
    pub params: Params,
    pub grads: Vec<Option<Tensor>>,
}

impl Weigh for Record {
    fn heap(&self) -> usize {
        let one = self.weights[0].heap();
        // Moments and gradients are as large as the weights.
        one * (6 + 2 * MARKS.len()) + self.losses.heap() + self.rates.heap()
    }
}

impl Record {
    /// The run with a defect, or the sound run; computed once and cached.
    pub fn of(defect: Option<&Defect>) -> Arc<Self> {
        static RUNS: Memo<Record> = Memo::new("the hunt: training runs");
        let key = defect.map_or("sound".to_owned(), ToString::to_string);
        RUNS.get(key, || Self::new(defect))
    }

    fn new(defect: Option<&Defect>) -> Self {
        let mut params = Params::new(SEED);
        let model = model(&mut params);
        let (start, mut adam) = (params.clone(), Adam::new(&params));
        let is = |kind| defect.is_some_and(|d| d.kind == kind);
        let mut run = Self {
            losses: Vec::new(),
            rates: Vec::new(),
            weights: [start.clone(), start.clone(), start],
            marks: Vec::new(),
            adam: adam.clone(),
            first: Vec::new(),
            defect: defect.cloned(),
        };
        let mut before: Vec<Option<Tensor>> = vec![None; params.len()];
        for step in 1..=STEPS {
            let (loss, mut grads) = alone(|| run.gradients(&model, &params, step));
            if is(Kind::GradientsKept) {
                for (grad, kept) in grads.iter_mut().zip(&mut before) {
                    if let (Some(grad), Some(kept)) = (grad.as_mut(), kept.as_ref()) {
                        *grad = grad.zip(kept, |new, old| new + old);
                    }
                    kept.clone_from(grad);
                }
            }
            if let Some(defect) = defect.filter(|d| d.kind == Kind::FrozenPart) {
                let names = params.iter().map(|(_, name, _)| part(name) == defect.place);
                let frozen = grads.iter_mut().zip(names).filter(|(_, frozen)| *frozen);
                frozen.for_each(|(grad, _)| *grad = None);
            }
            if MARKS.contains(&step) {
                run.marks.push(Mark {
                    step,
                    params: params.clone(),
                    grads: grads.clone(),
                });
            }
            if is(Kind::NoBiasCorrection) {
                // After this many steps the corrections are 1.
                adam.steps = 1_000_000;
            }
            let rate = rate(step, !is(Kind::NoWarmUp));
            adam.apply(&mut params, &grads, rate as f32, 1.0);
            if step == 1 {
                (run.weights[1], run.first) = (params.clone(), grads);
            }
            if step == PAUSE && is(Kind::SwappedMoments) {
                adam.moments
                    .iter_mut()
                    .for_each(|(m, v)| std::mem::swap(m, v));
            }
            run.losses.push(loss);
            run.rates.push(rate);
        }
        run.weights[2] = params;
        run.adam = adam;
        run
    }

    fn has(&self, kind: Kind) -> bool {
        self.defect.as_ref().is_some_and(|d| d.kind == kind)
    }

    /// Batch of a step, as this run makes it.
    pub fn batch(&self, step: usize) -> CopyBatch {
        let mut batch = copy_batch(&words(&format!("batch {step}"), BATCH));
        if self.has(Kind::ShiftedTwice) {
            let targets = &batch.tgt_y;
            let width = targets.last();
            let again = |i: &[usize]| {
                if i[1] + 1 < width {
                    targets.at(&[i[0], i[1] + 1])
                } else {
                    PAD
                }
            };
            batch.tgt_y = Tensor::from_fn(targets.shape(), again);
        }
        batch.ntokens = batch
            .tgt_y
            .data()
            .iter()
            .filter(|&&id| self.counts(id))
            .count();
        batch
    }

    /// True if a target with this id counts towards the loss.
    pub fn counts(&self, id: f32) -> bool {
        id != PAD || self.has(Kind::PaddingInLoss)
    }

    /// Mean loss of `params` on a step's batch in nats per token, as this run computes it.
    pub fn loss(&self, model: &Transformer, tape: &Tape, step: usize) -> Var {
        let batch = self.batch(step);
        let src = tape.ids("src", batch.src, &["b", "s"]);
        let tgt = tape.ids("tgt", batch.tgt, &["b", "t"]);
        let targets = tape.ids("tgt_y", batch.tgt_y, &["b", "t"]);
        let (src_mask, tgt_mask) = (model.src_mask(&src), model.tgt_mask(&tgt));
        let memory = model.encode(&src, &src_mask);
        let hidden = model.decode(&memory, &src_mask, &tgt, &tgt_mask);
        let smoothing = Smoothing {
            epsilon: 0.0,
            spread: Spread::NoPadding,
            // With an id that no target has, nothing is left out.
            padding: if self.counts(PAD) {
                UNUSED
            } else {
                PAD as usize
            },
            factor: 1.0 / batch.ntokens.max(1) as f32,
        };
        let weight = tape.param(model.generator.weight);
        let bias = model.generator.bias.map(|bias| tape.param(bias));
        hidden
            .smoothed_loss(&weight, bias.as_ref(), &targets, smoothing)
            .loss
    }

    /// Loss on a step's batch and its gradients, one per parameter.
    fn gradients(
        &self,
        model: &Transformer,
        params: &Params,
        step: usize,
    ) -> (f64, Vec<Option<Tensor>>) {
        let tape = Tape::train(params, SEED).fused();
        let loss = self.loss(model, &tape, step);
        let grads = loss.backward();
        let each = params.iter().map(|(param, ..)| grads.param(param).cloned());
        (f64::from(loss.value().at(&[])), each.collect())
    }

    /// True gradients of the loss at a mark, regardless of what the optimizer was given.
    pub fn slope(&self, mark: &Mark) -> Vec<Option<Tensor>> {
        let model = model(&mut Params::layout());
        self.gradients(&model, &mark.params, mark.step).1
    }

    /// Loss on a mark's batch after adding `by` to one cell of a parameter.
    pub fn nudged(&self, mark: &Mark, param: Param, cell: usize, by: f32) -> f64 {
        let mut params = mark.params.clone();
        params.get_mut(param).data_mut()[cell] += by;
        let model = model(&mut Params::layout());
        let tape = Tape::train(&params, SEED).fused();
        f64::from(self.loss(&model, &tape, mark.step).value().at(&[]))
    }

    /// Output of the final model for `rows` held-out sentences, as pairs of source and output. Both omit the start
    /// token and end where the source's padding begins.
    pub fn written(&self, rows: usize) -> Vec<(Vec<u32>, Vec<u32>)> {
        let src = copy_batch(&words("held out", rows)).src;
        let model = model(&mut Params::layout());
        let params = &self.weights[2];
        let mut output = src.clone();
        for at in 1..LENGTH {
            let tape = Tape::eval(params).fused();
            let prefix = Tensor::from_fn(&[rows, at], |i| output.at(i));
            let (src, tgt) = (
                tape.ids("src", src.clone(), &["b", "s"]),
                tape.ids("tgt", prefix, &["b", "t"]),
            );
            let log_probs = model.forward(&src, &tgt).log_probs.value();
            for row in 0..rows {
                let last = log_probs.offset(&[row, at - 1, 0]);
                let next = largest(&log_probs.data()[last..last + VOCABULARY]);
                let cell = output.offset(&[row, at]);
                output.data_mut()[cell] = next as f32;
            }
        }
        let row = |x: &Tensor, row: usize, length: usize| -> Vec<u32> {
            (1..length).map(|at| x.at(&[row, at]) as u32).collect()
        };
        let length = |n: usize| (0..LENGTH).filter(|&at| src.at(&[n, at]) != PAD).count();
        (0..rows)
            .map(|n| (row(&src, n, length(n)), row(&output, n, length(n))))
            .collect()
    }
}

/// The model to train.
pub fn model(params: &mut Params) -> Transformer {
    let config = Config {
        dropout: 0.0,
        ..Config::annotated(VOCABULARY, VOCABULARY).sized(2, 32, 64, 4)
    };
    Transformer::new(params, &config)
}

/// Part that a parameter belongs to: one of [`PARTS`], `generator`, or the stack whose last LayerNorm it is in.
pub fn part(name: &str) -> String {
    let place = super::fault::place(name);
    let of = |part: &&str| place.starts_with(&format!("{part}."));
    match PARTS.into_iter().find(of) {
        Some(part) => part.to_owned(),
        None => place.split('.').next().unwrap_or_default().to_owned(),
    }
}

/// Random sentences of different lengths, `[rows, LENGTH]`, padded with 0.
fn words(site: &str, rows: usize) -> Tensor {
    let words = copy_words(rows, LENGTH, WORDS, SEED, site);
    // The sentence's own first token determines its length, so that nothing else needs to be drawn.
    let length = |row: usize| SHORTEST + words.at(&[row, 0]) as usize % (LENGTH + 1 - SHORTEST);
    Tensor::from_fn(words.shape(), |i| {
        if i[1] < length(i[0]) {
            words.at(i)
        } else {
            PAD
        }
    })
}

/// Learning rate of a step, from 1: linear warm-up, then proportional to the inverse square root of the step.
pub fn rate(step: usize, warm_up: bool) -> f64 {
    let (t, warm) = (step as f64, WARM_UP as f64);
    if step >= WARM_UP {
        PEAK * (warm / t).sqrt()
    } else if warm_up {
        PEAK * t / warm
    } else {
        PEAK
    }
}
