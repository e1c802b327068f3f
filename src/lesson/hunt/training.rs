//! A training run that may have a fault: a small model learns to copy sentences of different lengths.

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

/// Ids that sentences are made of, of which 0 pads and 1 starts.
const WORDS: usize = 11;
/// An id that no sentence has.
const UNUSED: usize = WORDS;
/// Ids of the model.
const VOCABULARY: usize = WORDS + 1;
/// Columns of a batch: the longest sentence.
const LENGTH: usize = 8;
/// The shortest sentence.
const SHORTEST: usize = 4;
/// Sentences of a batch.
const BATCH: usize = 12;
/// Updates in all.
pub const STEPS: usize = 240;
/// After this update the run was paused and resumed.
pub const PAUSE: usize = 120;
/// The highest learning rate, and the updates until it is reached.
const PEAK: f64 = 4e-3;
const WARM_UP: usize = 60;
/// The updates whose gradients are kept.
pub const MARKS: [usize; 3] = [2, 30, 110];
/// Of weights and sentences.
const SEED: u64 = 5;

/// A run that has ended, with what it kept on the way.
pub struct Record {
    /// The loss of each step as the run reports it.
    pub losses: Vec<f64>,
    /// The learning rate of each step.
    pub rates: Vec<f64>,
    /// The weights at the start, after the first step, and at the end.
    pub weights: [Params; 3],
    /// What the steps of [`MARKS`] began with.
    pub marks: Vec<Mark>,
    /// The optimizer at the end.
    pub adam: Adam,
    /// The gradients of the first step that the optimizer was given.
    pub first: Vec<Option<Tensor>>,
    defect: Option<Defect>,
}

/// One step: its weights, its batch, and the gradients that the optimizer was given.
pub struct Mark {
    pub step: usize,
    pub params: Params,
    pub grads: Vec<Option<Tensor>>,
}

impl Weigh for Record {
    fn heap(&self) -> usize {
        let one = self.weights[0].heap();
        // The moments and the gradients are as large as the weights.
        one * (6 + 2 * MARKS.len()) + self.losses.heap() + self.rates.heap()
    }
}

impl Record {
    /// The run with a defect, or the sound one: computed once and kept.
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
                // After so many steps the corrections are 1.
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

    /// The batch of a step as this run makes it.
    pub fn batch(&self, step: usize) -> CopyBatch {
        let mut batch = copy_batch(&words(&format!("batch {step}"), BATCH));
        if self.has(Kind::ShiftedTwice) {
            let said = &batch.tgt_y;
            let width = said.last();
            let again = |i: &[usize]| match i[1] + 1 < width {
                true => said.at(&[i[0], i[1] + 1]),
                false => PAD,
            };
            batch.tgt_y = Tensor::from_fn(said.shape(), again);
        }
        batch.ntokens = batch
            .tgt_y
            .data()
            .iter()
            .filter(|&&id| self.counts(id))
            .count();
        batch
    }

    /// Whether a target with this id counts in the loss.
    pub fn counts(&self, id: f32) -> bool {
        id != PAD || self.has(Kind::PaddingInLoss)
    }

    /// The mean loss of a step's batch by `params`, nats a token, as this run computes it.
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
            // An id that no target has leaves nothing out.
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

    /// The loss of a step's batch and its gradients, one for each parameter.
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

    /// The gradients of the loss at a mark, whatever the optimizer was given.
    pub fn slope(&self, mark: &Mark) -> Vec<Option<Tensor>> {
        let model = model(&mut Params::layout());
        self.gradients(&model, &mark.params, mark.step).1
    }

    /// The loss of a step's batch with `by` added to one cell of a parameter.
    pub fn nudged(&self, mark: &Mark, param: Param, cell: usize, by: f32) -> f64 {
        let mut params = mark.params.clone();
        params.get_mut(param).data_mut()[cell] += by;
        let model = model(&mut Params::layout());
        let tape = Tape::train(&params, SEED).fused();
        f64::from(self.loss(&model, &tape, mark.step).value().at(&[]))
    }

    /// What the model writes at the end for `rows` sentences that it has not seen: each with its source, both without
    /// the start, the source without padding.
    pub fn written(&self, rows: usize) -> Vec<(Vec<u32>, Vec<u32>)> {
        let src = copy_batch(&words("held out", rows)).src;
        let model = model(&mut Params::layout());
        let params = &self.weights[2];
        let mut said = src.clone();
        for at in 1..LENGTH {
            let tape = Tape::eval(params).fused();
            let read = Tensor::from_fn(&[rows, at], |i| said.at(i));
            let (src, tgt) = (
                tape.ids("src", src.clone(), &["b", "s"]),
                tape.ids("tgt", read, &["b", "t"]),
            );
            let log_probs = model.forward(&src, &tgt).log_probs.value();
            for row in 0..rows {
                let last = log_probs.offset(&[row, at - 1, 0]);
                let next = largest(&log_probs.data()[last..last + VOCABULARY]);
                let cell = said.offset(&[row, at]);
                said.data_mut()[cell] = next as f32;
            }
        }
        let row = |x: &Tensor, row: usize, length: usize| -> Vec<u32> {
            (1..length).map(|at| x.at(&[row, at]) as u32).collect()
        };
        let length = |n: usize| (0..LENGTH).filter(|&at| src.at(&[n, at]) != PAD).count();
        (0..rows)
            .map(|n| (row(&src, n, length(n)), row(&said, n, length(n))))
            .collect()
    }
}

/// The model that is trained.
pub fn model(params: &mut Params) -> Transformer {
    let config = Config {
        dropout: 0.0,
        ..Config::annotated(VOCABULARY, VOCABULARY).sized(2, 32, 64, 4)
    };
    Transformer::new(params, &config)
}

/// The part that a parameter belongs to: one of [`PARTS`], or `generator`, or the last norm of a stack.
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
    // A word of the sentence itself decides how long it is, so that nothing else needs to be drawn.
    let length = |row: usize| SHORTEST + words.at(&[row, 0]) as usize % (LENGTH + 1 - SHORTEST);
    Tensor::from_fn(words.shape(), |i| match i[1] < length(i[0]) {
        true => words.at(i),
        false => PAD,
    })
}

/// The learning rate of a step, from 1: up in a straight line, then down with the root of the steps.
pub fn rate(step: usize, warm_up: bool) -> f64 {
    let (t, warm) = (step as f64, WARM_UP as f64);
    match step < WARM_UP {
        true if warm_up => PEAK * t / warm,
        true => PEAK,
        false => PEAK * (warm / t).sqrt(),
    }
}
