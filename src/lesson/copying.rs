//! Small models that learn to copy: their trainings, kept as far as they have come, what they then write, and races of
//! several side by side.

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use super::memo::{Memo, Weigh};
use super::picture::{Progress, Report};
use super::race::{Tell, last, side_by_side, smooth};
use super::work::{Expected, expect};
use super::{Body, Picture, Series};
use crate::autograd::{Tape, Var};
use crate::data::copy::{CopyBatch, START, copy_batch, copy_words};
use crate::ops::{Smoothing, Spread};
use crate::params::{Param, Params};
use crate::tensor::threads::wait_for;
use crate::tensor::{Tensor, alone, shared};
use crate::train::adam::Adam;

pub mod record;

/// Ids, of which 0 pads and 1 starts.
pub const VOCABULARY: usize = 11;
/// Words a sentence.
pub const LENGTH: usize = 10;
/// Sentences a batch.
pub const BATCH: usize = 16;

/// A way to train: its `Debug` form spells out everything that the training depends on.
pub trait Lane: Copy + Debug + Send + Sync + 'static {
    /// Steps in all.
    const STEPS: usize;
    /// The steps at which the weights are kept, from 0 on.
    const MARKS: &'static [usize];
    /// Its trainings.
    const DONE: Memo<Trained>;
    /// What is trained.
    type Model;

    /// Which weights and sentences.
    fn seed(&self) -> u64;

    /// The learning rate of `step`, from 1.
    fn rate(&self, step: usize) -> f64;

    /// The model, built into `params`.
    fn model(&self, params: &mut Params) -> Self::Model;

    /// How a batch is made of `words [batch, length]`.
    fn batch(&self, words: &Tensor) -> CopyBatch {
        copy_batch(words)
    }

    /// The loss of `batch` on `tape`, nats a word: see [`loss`].
    fn loss(&self, model: &Self::Model, tape: &Tape, batch: &CopyBatch) -> Var;

    /// Scores of the word that comes next in each row, `[rows, …, words]`, by what has been said in it.
    fn writer(&self, params: &Params, src: &Tensor) -> impl Fn(&[Vec<f32>]) -> Tensor;
}

/// A training as far as it has come.
#[derive(Clone)]
pub struct Trained {
    /// The loss of every step, nats a word.
    pub losses: Vec<f64>,
    /// The weights at the marks.
    kept: Vec<Params>,
    /// The weights and the optimizer now.
    now: (Params, Adam),
}

impl Weigh for Trained {
    fn heap(&self) -> usize {
        self.losses.heap() + self.kept.heap() + self.now.heap()
    }
}

impl Trained {
    fn begin<L: Lane>(lane: L) -> Self {
        let mut params = Params::new(lane.seed());
        lane.model(&mut params);
        Self {
            losses: Vec::new(),
            kept: vec![params.clone()],
            now: (params.clone(), Adam::new(&params)),
        }
    }

    /// Trains on up to step `steps`; `seen` is told the step, the losses and the weights, and may stop it.
    fn go_on<L: Lane>(
        mut self,
        lane: L,
        steps: usize,
        mut seen: impl FnMut(usize, &[f64], &Params) -> ControlFlow<()>,
    ) -> Self {
        let model = lane.model(&mut Params::layout());
        for step in self.losses.len() + 1..=steps {
            let batch = lane.batch(&words(lane.seed(), step));
            let (params, adam) = &mut self.now;
            // Products this small are not worth a second thread.
            let (value, grads) = alone(|| {
                let tape = Tape::train(params, lane.seed()).fused();
                let loss = lane.loss(&model, &tape, &batch);
                (f64::from(loss.value().at(&[])), loss.backward())
            });
            adam.step(params, &grads, lane.rate(step) as f32);
            self.losses.push(value);
            if L::MARKS.contains(&step) {
                self.kept.push(params.clone());
            }
            if seen(step, &self.losses, params).is_break() {
                break;
            }
        }
        self
    }
}

/// The mean −log p of `targets` from `hidden` vectors by a generator's `weight` and `bias`, over `ntokens` words; 0
/// where nothing counts.
pub fn loss(
    hidden: &Var,
    (weight, bias): (Param, Option<Param>),
    targets: Tensor,
    ntokens: usize,
) -> Var {
    let tape = hidden.tape();
    let targets = tape.ids("tgt_y", targets, &["b", "t"]);
    let bias = bias.map(|bias| tape.param(bias));
    let smoothing = Smoothing {
        epsilon: 0.0,
        spread: Spread::NoPadding,
        padding: 0,
        factor: 1.0 / ntokens.max(1) as f32,
    };
    let weight = tape.param(weight);
    let found = hidden.smoothed_loss(&weight, bias.as_ref(), &targets, smoothing);
    found.loss
}

/// The words of batch number `step` of a seed.
pub fn words(seed: u64, step: usize) -> Tensor {
    copy_words(BATCH, LENGTH, VOCABULARY, seed, &format!("batch {step}"))
}

/// Trains up to step `steps`; `seen` is told the step, the losses and the weights, and may stop it. A whole training
/// is kept.
pub fn train<L: Lane>(
    lane: L,
    steps: usize,
    seen: impl FnMut(usize, &[f64], &Params) -> ControlFlow<()>,
) -> Arc<Trained> {
    let made = Arc::new(Trained::begin(lane).go_on(lane, steps, seen));
    if made.losses.len() == L::STEPS {
        keep(lane, made.clone());
    }
    made
}

/// Keeps a training for later.
pub fn keep<L: Lane>(lane: L, trained: Arc<Trained>) {
    L::DONE.keep(format!("{lane:?}"), trained);
}

/// The lane after at least `steps` steps. Each step is computed once.
pub fn trained<L: Lane>(lane: L, steps: usize) -> Arc<Trained> {
    let told = expect(left(lane, steps));
    trained_telling(lane, steps, &told)
}

/// The steps that the lane still has to take until it has taken `steps`.
fn left<L: Lane>(lane: L, steps: usize) -> usize {
    let found = L::DONE.find(format!("{lane:?}"));
    steps.saturating_sub(found.map_or(0, |trained| trained.losses.len()))
}

fn trained_telling<L: Lane>(lane: L, steps: usize, told: &Expected) -> Arc<Trained> {
    let found = L::DONE.find(format!("{lane:?}"));
    if let Some(found) = found.as_ref().filter(|t| t.losses.len() >= steps) {
        return found.clone();
    }
    let begun = found.map_or_else(|| Trained::begin(lane), |t| (*t).clone());
    let made = Arc::new(begun.go_on(lane, steps, |_, _, _| {
        told.tell();
        ControlFlow::Continue(())
    }));
    keep(lane, made.clone());
    made
}

/// All of `lanes` to their end, side by side. Each is computed once.
pub fn all<L: Lane>(lanes: &[L]) -> Vec<Arc<Trained>> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = wait_for(&TURN);
    let told = expect(lanes.iter().map(|&lane| left(lane, L::STEPS)).sum());
    shared(lanes.to_vec(), |lane| {
        drop(trained_telling(lane, L::STEPS, &told));
    });
    drop((told, turn));
    let ends = lanes.iter().map(|&lane| trained(lane, L::STEPS));
    ends.collect()
}

/// The weights after `step` steps, which is one of the marks.
pub fn weights<L: Lane>(lane: L, step: usize) -> Params {
    let at = L::MARKS.iter().position(|&mark| mark == step).unwrap_or(0);
    trained(lane, step).kept[at].clone()
}

/// What the model writes by itself after the start, for each sentence of `src [rows, length]`: the likeliest word at
/// every step, `[rows, length]`, the start among them.
pub fn write<L: Lane>(lane: L, params: &Params, src: &Tensor) -> Tensor {
    let [rows, length] = [src.shape()[0], src.last()];
    let next = lane.writer(params, src);
    let mut said = vec![vec![START]; rows];
    for _ in 1..length {
        let scores = next(&said);
        for (row, scores) in said.iter_mut().zip(scores.data().chunks(scores.last())) {
            row.push(super::largest(scores) as f32);
        }
    }
    Tensor::new(&[rows, length], said.concat())
}

/// The share of words that a lane after `step` steps writes rightly, of twenty sentences that it was not trained on;
/// the start does not count.
pub fn right<L: Lane>(lane: L, step: usize) -> f64 {
    let words = copy_words(20, LENGTH, VOCABULARY, lane.seed(), "held out");
    let src = copy_batch(&words).src;
    let said = write(lane, &weights(lane, step), &src);
    let pairs = src.data().iter().zip(said.data());
    let right = pairs.filter(|(a, b)| a == b).count() - 20;
    right as f64 / (20 * (LENGTH - 1)) as f64
}

/// A race of small models, four at a time, which is run when the learner starts it.
pub struct Race<L> {
    /// On the screen.
    pub title: String,
    /// What to see.
    pub says: &'static str,
    /// How many lanes there are, in a word.
    pub many: &'static str,
    /// Each lane and its name in the chart.
    pub lanes: Vec<(&'static str, L)>,
    /// Steps that a point of a curve is the mean of.
    pub each: usize,
    /// What is said until all have come to their end.
    pub before: String,
}

impl<L: Lane> Race<L> {
    /// Its picture.
    pub fn picture(self) -> Picture {
        let about = format!(
            "Trains {} small models for {} steps, four at a time, and lets each write twenty sentences; some seconds.",
            self.many,
            L::STEPS
        );
        let (title, says) = (self.title.clone(), self.says);
        let race = Arc::new(self);
        let watched = race.clone();
        let job = Picture::job("race", title, says, about, move |report| {
            watched.run(report)
        });
        job.ending(move || race.end())
    }

    /// The end, of trainings that are kept where they have been run before.
    fn end(&self) -> Progress {
        let lanes: Vec<L> = self.lanes.iter().map(|(_, lane)| *lane).collect();
        let losses: Vec<_> = all(&lanes).iter().map(|t| t.losses.clone()).collect();
        self.ended(&losses)
    }

    fn run(&self, report: Report<'_>) -> Progress {
        let train = |n: usize, tell: Tell<'_, Vec<f64>>| {
            train(self.lanes[n].1, L::STEPS, |_, so_far, _| {
                tell(so_far.to_vec())
            });
        };
        let none = vec![Vec::new(); self.lanes.len()];
        let losses = side_by_side(none, 4, train, &mut |now, told| {
            if !told.is_multiple_of(20) {
                return ControlFlow::Continue(());
            }
            let share = told as f32 / (L::STEPS * self.lanes.len()) as f32;
            report(Progress::new(share * 0.95, &*self.before, self.chart(now)))
        });
        self.ended(&losses)
    }

    /// The last drawing.
    fn ended(&self, losses: &[Vec<f64>]) -> Progress {
        let whole = losses.iter().all(|l| l.len() == L::STEPS);
        let ends = self.lanes.iter().zip(losses).map(|((name, lane), losses)| {
            let right = 100.0 * right(*lane, L::STEPS);
            format!("{name} {:.3}, {right:.0} %", last(losses))
        });
        let says = match whole {
            true => format!(
                "Loss at the end, and how many words each then writes rightly alone: {}.",
                ends.collect::<Vec<_>>().join("; ")
            ),
            false => self.before.clone(),
        };
        Progress::new(1.0, says, self.chart(losses))
    }

    fn chart(&self, losses: &[Vec<f64>]) -> Body {
        let lanes = self.lanes.iter().zip(losses);
        let series = lanes.map(|((name, _), losses)| Series::new(*name, smooth(losses, self.each)));
        Body::curves("step", "loss", series).by_logarithm()
    }
}
