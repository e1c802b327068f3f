//! Training a lane of the race, and what it has learned at several steps.

use std::ops::ControlFlow;
use std::sync::Arc;

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::data::copy::{CopyBatch, START, copy_batch, copy_words};
use transformer_tutor::lesson::memo::{Memo, Weigh};
use transformer_tutor::ops::{Smoothing, Spread};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, alone};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::schedule::noam_rate;

use super::mistakes::{self, BatchFn};
use super::model::{Copier, Cut, LENGTH, VOCABULARY};

/// Sentences a batch, steps in all, steps of warm-up, and the schedule's factor.
pub const BATCH: usize = 16;
pub const STEPS: usize = 240;
pub const WARMUP: usize = 60;
pub const FACTOR: f64 = 0.5;

/// The steps at which the weights are kept.
pub const MARKS: [usize; 5] = [0, 60, 120, 180, 240];

/// One way to train: what the model lacks, how its batches are made, and whether it warms up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lane {
    pub cut: Cut,
    /// The name of a mistake in making batches; empty for none.
    pub batch: &'static str,
    /// The highest learning rate from the first step.
    pub cold: bool,
    pub seed: u64,
}

impl Lane {
    /// How this lane makes its batches.
    pub fn maker(&self) -> BatchFn {
        let known = mistakes::ALL.iter().find(|(name, _)| *name == self.batch);
        known.map_or(copy_batch as BatchFn, |(_, make)| *make)
    }

    /// The learning rate of `step`, from 1.
    pub fn rate(&self, step: usize) -> f64 {
        let step = if self.cold { step.max(WARMUP) } else { step };
        noam_rate(step, 32, FACTOR, WARMUP)
    }
}

/// A training as far as it has come.
#[derive(Clone)]
pub struct Trained {
    /// The loss of every step, nats a word.
    pub losses: Vec<f64>,
    /// The weights at the marks.
    pub kept: Vec<Params>,
    /// The weights and the optimizer now.
    now: (Params, Adam),
}

impl Trained {
    fn begin(lane: Lane) -> Self {
        let mut params = Params::new(lane.seed);
        Copier::new(&mut params, lane.cut);
        Self {
            losses: Vec::new(),
            kept: vec![params.clone()],
            now: (params.clone(), Adam::new(&params)),
        }
    }
}

/// The loss of `batch` on `tape`, nats a word; 0 where nothing counts.
pub fn loss(copier: &Copier, tape: &Tape, batch: &CopyBatch) -> Var {
    let hidden = copier.hidden(tape, batch);
    let targets = tape.ids("tgt_y", batch.tgt_y.clone(), &["b", "t"]);
    let generator = &copier.model.generator;
    let bias = generator.bias.map(|bias| tape.param(bias));
    let smoothing = Smoothing {
        epsilon: 0.0,
        spread: Spread::NoPadding,
        padding: 0,
        factor: 1.0 / batch.ntokens.max(1) as f32,
    };
    let weight = tape.param(generator.weight);
    hidden
        .smoothed_loss(&weight, bias.as_ref(), &targets, smoothing)
        .loss
}

/// Batch number `step` of a seed.
pub fn words(seed: u64, step: usize) -> Tensor {
    copy_words(BATCH, LENGTH, VOCABULARY, seed, &format!("batch {step}"))
}

/// Trains up to step `steps`; `seen` may stop it.
pub fn train(
    lane: Lane,
    steps: usize,
    seen: impl FnMut(usize, &[f64], &Params) -> ControlFlow<()>,
) -> Trained {
    go_on(Trained::begin(lane), lane, steps, seen)
}

fn go_on(
    mut trained: Trained,
    lane: Lane,
    steps: usize,
    mut seen: impl FnMut(usize, &[f64], &Params) -> ControlFlow<()>,
) -> Trained {
    let copier = Copier::new(&mut Params::layout(), lane.cut);
    for step in trained.losses.len() + 1..=steps {
        let batch = lane.maker()(&words(lane.seed, step));
        let (params, adam) = &mut trained.now;
        // Products this small are not worth a second thread.
        let (value, grads) = alone(|| {
            let tape = Tape::train(params, lane.seed).fused();
            let loss = loss(&copier, &tape, &batch);
            (f64::from(loss.value().at(&[])), loss.backward())
        });
        adam.step(params, &grads, lane.rate(step) as f32);
        trained.losses.push(value);
        if MARKS.contains(&step) {
            trained.kept.push(params.clone());
        }
        if seen(step, &trained.losses, params).is_break() {
            break;
        }
    }
    trained
}

static DONE: Memo<Trained> = Memo::new("copy task: trainings");

impl Weigh for Trained {
    fn heap(&self) -> usize {
        self.losses.heap() + self.kept.heap() + self.now.heap()
    }
}

/// Keeps a whole training for later.
pub fn keep(lane: Lane, trained: Arc<Trained>) {
    DONE.keep(format!("{lane:?}"), trained);
}

/// The lane after at least `steps` steps. Each step is computed once.
pub fn trained(lane: Lane, steps: usize) -> Arc<Trained> {
    let found = DONE.find(format!("{lane:?}"));
    if let Some(found) = found.as_ref().filter(|t| t.losses.len() >= steps) {
        return found.clone();
    }
    let begun = found.map_or_else(|| Trained::begin(lane), |t| (*t).clone());
    let on = |_, _: &[f64], _: &Params| ControlFlow::Continue(());
    let made = Arc::new(go_on(begun, lane, steps, on));
    keep(lane, made.clone());
    made
}

/// Trains the sound lane ahead, from mark to mark, while the learner reads.
pub fn prepare() {
    static BEGUN: std::sync::Once = std::sync::Once::new();
    BEGUN.call_once(|| {
        std::thread::spawn(|| {
            let sound = super::race::lanes(7)[0].2;
            MARKS.iter().for_each(|&mark| drop(trained(sound, mark)));
        });
    });
}

/// The weights after `step` steps, which is one of the marks.
pub fn weights(lane: Lane, step: usize) -> Params {
    let at = MARKS.iter().position(|&mark| mark == step).unwrap_or(0);
    trained(lane, step).kept[at].clone()
}

/// What the model writes by itself after the start, for each sentence of `src [rows, length]`: the
/// likeliest word at every step, `[rows, length]`, the start among them.
pub fn write(copier: &Copier, params: &Params, lane: Lane, src: &Tensor) -> Tensor {
    let [rows, length] = [src.shape()[0], src.last()];
    let tape = Tape::eval(params).fused();
    let batch = copy_batch(src);
    let [ids, mask] = [
        tape.ids("src", src.clone(), &["b", "s"]),
        tape.mask("src_mask", batch.src_mask.clone(), &["b", "1", "s"]),
    ];
    let memory = copier.encode(&ids, &mask).value();
    let mut said = vec![vec![START]; rows];
    for n in 1..length {
        let tape = Tape::eval(params).fused();
        let memory = tape.constant("memory", memory.clone(), &["b", "s", "d"]);
        let mask = tape.mask("src_mask", batch.src_mask.clone(), &["b", "1", "s"]);
        // The mask with which it was trained: one more column, so that n words are read.
        let read = Tensor::from_fn(&[rows, n + 1], |i| {
            said[i[0]].get(i[1]).map_or(START, |w| *w)
        });
        let tgt_mask = lane.maker()(&read).tgt_mask;
        let tgt = Tensor::new(&[rows, n], said.concat());
        let tgt = tape.ids("tgt", tgt, &["b", "t"]);
        let tgt_mask = tape.mask("tgt_mask", tgt_mask, &["b", "t", "t"]);
        let hidden = copier.decode(&memory, &mask, &tgt, &tgt_mask);
        let logits = copier.model.generator.logits(&hidden.last_position());
        let logits = logits.value();
        for (row, scores) in said.iter_mut().zip(logits.data().chunks(VOCABULARY)) {
            let better = |best: usize, i: usize| if scores[i] > scores[best] { i } else { best };
            row.push((0..VOCABULARY).fold(0, better) as f32);
        }
    }
    Tensor::new(&[rows, length], said.concat())
}

/// The share of words that a lane after `step` steps writes rightly, of twenty sentences that it was
/// not trained on; the start does not count.
pub fn right(lane: Lane, step: usize) -> f64 {
    let params = weights(lane, step);
    let copier = Copier::new(&mut Params::layout(), lane.cut);
    let src = copy_batch(&copy_words(20, LENGTH, VOCABULARY, lane.seed, "held out")).src;
    let said = write(&copier, &params, lane, &src);
    let pairs = src.data().iter().zip(said.data());
    let right = pairs.filter(|(a, b)| a == b).count() - 20;
    right as f64 / (20 * (LENGTH - 1)) as f64
}

/// The sentence of the Annotated Transformer's test: 1 to 10.
pub fn counting() -> Tensor {
    Tensor::from_fn(&[1, LENGTH], |i| (i[1] + 1) as f32)
}
