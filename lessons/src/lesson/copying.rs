//! Small models that learn to copy: their training runs (resumable), what they generate, and races between several.

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use super::memo::Memo;
use super::picture::{Progress, Report};
use super::race::{OnState, last, side_by_side, smooth};
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

/// Vocabulary size; id 0 is padding and id 1 the start token.
pub const VOCABULARY: usize = 11;
/// Tokens per sentence.
pub const LENGTH: usize = 10;
/// Sentences per batch.
pub const BATCH: usize = 16;

/// One training configuration. Its `Debug` form must spell out everything that the training depends on, because it is
/// the cache key.
pub trait Lane: Copy + Debug + Send + Sync + 'static {
    /// Total number of steps.
    const STEPS: usize;
    /// Steps at which the weights are kept, starting with 0.
    const MARKS: &'static [usize];
    /// Cache of finished and partial training runs.
    const DONE: Memo<Trained>;
    /// The model to train.
    type Model;

    /// Seed of both the weights and the sentences.
    fn seed(&self) -> u64;

    /// Learning rate at `step`, from 1.
    fn rate(&self, step: usize) -> f64;

    /// Builds the model into `params`.
    fn model(&self, params: &mut Params) -> Self::Model;

    /// Makes a batch from `words [batch, length]`.
    fn batch(&self, words: &Tensor) -> CopyBatch {
        copy_batch(words)
    }

    /// The loss of `batch` on `tape`, in nats per token: see [`loss`].
    fn loss(&self, model: &Self::Model, tape: &Tape, batch: &CopyBatch) -> Var;

    /// Returns a function from the tokens generated so far in each row to the scores of the next one,
    /// `[rows, …, words]`.
    fn writer(&self, params: &Params, src: &Tensor) -> impl Fn(&[Vec<f32>]) -> Tensor;
}

/// A training run, finished or partial.
#[derive(Clone)]
pub struct Trained {
    /// Loss at every step, in nats per token.
    pub losses: Vec<f64>,
    /// Weights at the marks.
    kept: Vec<Params>,
    /// Current weights and optimizer state.
    now: (Params, Adam),
}

crate::weigh!(Trained: losses, kept, now);

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

    /// Trains on to step `steps`; `seen` gets the step, the losses and the weights, and may stop the run.
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
            // Matrices this small are not worth a second thread.
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

/// Mean −log p of `targets` given the `hidden` vectors and a generator's `weight` and `bias`, over `ntokens` tokens; 0
/// if none counts.
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
    let smoothed = hidden.smoothed_loss(&weight, bias.as_ref(), &targets, smoothing);
    smoothed.loss
}

/// The sentences of batch number `step` for a seed.
pub fn words(seed: u64, step: usize) -> Tensor {
    copy_words(BATCH, LENGTH, VOCABULARY, seed, &format!("batch {step}"))
}

/// Trains up to step `steps`; `seen` gets the step, the losses and the weights, and may stop the run. A run that
/// reaches its last step is kept.
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

/// Caches a training run.
pub fn keep<L: Lane>(lane: L, trained: Arc<Trained>) {
    L::DONE.keep(format!("{lane:?}"), trained);
}

/// The lane after at least `steps` steps, computing only those not cached.
pub fn trained<L: Lane>(lane: L, steps: usize) -> Arc<Trained> {
    let expected = expect(steps_left(lane, steps));
    trained_telling(lane, steps, &expected)
}

/// Steps that the lane still needs to reach `steps`.
fn steps_left<L: Lane>(lane: L, steps: usize) -> usize {
    let done = L::DONE.find(format!("{lane:?}"));
    steps.saturating_sub(done.map_or(0, |trained| trained.losses.len()))
}

fn trained_telling<L: Lane>(lane: L, steps: usize, expected: &Expected) -> Arc<Trained> {
    let trained = L::DONE.find(format!("{lane:?}"));
    if let Some(trained) = trained.as_ref().filter(|t| t.losses.len() >= steps) {
        return trained.clone();
    }
    let begun = trained.map_or_else(|| Trained::begin(lane), |t| (*t).clone());
    let made = Arc::new(begun.go_on(lane, steps, |_, _, _| {
        expected.advance();
        ControlFlow::Continue(())
    }));
    keep(lane, made.clone());
    made
}

/// All of `lanes` trained to the end, side by side, each computed once.
pub fn train_all<L: Lane>(lanes: &[L]) -> Vec<Arc<Trained>> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = wait_for(&TURN);
    let expected = expect(lanes.iter().map(|&lane| steps_left(lane, L::STEPS)).sum());
    shared(lanes.to_vec(), |lane| {
        drop(trained_telling(lane, L::STEPS, &expected));
    });
    drop((expected, turn));
    let ends = lanes.iter().map(|&lane| trained(lane, L::STEPS));
    ends.collect()
}

/// The weights after `step` steps; `step` must be one of the marks.
pub fn weights<L: Lane>(lane: L, step: usize) -> Params {
    let at = L::MARKS.iter().position(|&mark| mark == step).unwrap_or(0);
    trained(lane, step).kept[at].clone()
}

/// Greedy generation: `[rows, length]` for the sentences of `src [rows, length]`, each row beginning with the start
/// token.
pub fn write<L: Lane>(lane: L, params: &Params, src: &Tensor) -> Tensor {
    let [rows, length] = [src.shape()[0], src.last()];
    let next = lane.writer(params, src);
    let mut output = vec![vec![START]; rows];
    for _ in 1..length {
        let scores = next(&output);
        for (row, scores) in output.iter_mut().zip(scores.data().chunks(scores.last())) {
            row.push(super::largest(scores) as f32);
        }
    }
    Tensor::new(&[rows, length], output.concat())
}

/// Share of tokens that a lane gets right after `step` steps, over twenty held-out sentences, not counting the start
/// token.
pub fn right<L: Lane>(lane: L, step: usize) -> f64 {
    right_among(lane, step, LENGTH, LENGTH)
}

/// Like [`right`], for the first `positions` tokens of sentences of `length` tokens, which may be more than in training.
pub fn right_among<L: Lane>(lane: L, step: usize, length: usize, positions: usize) -> f64 {
    const ROWS: usize = 20;
    let words = copy_words(ROWS, length, VOCABULARY, lane.seed(), "held out");
    let src = copy_batch(&words).src;
    let output = write(lane, &weights(lane, step), &src);
    let rows = src.data().chunks(length).zip(output.data().chunks(length));
    let pairs = rows.flat_map(|(a, b)| a[1..positions].iter().zip(&b[1..positions]));
    let right = pairs.filter(|(a, b)| a == b).count();
    right as f64 / (ROWS * (positions - 1)) as f64
}

/// A race of small models, four at a time, run when the learner starts it.
pub struct Race<L> {
    /// Title on the screen.
    pub title: String,
    /// What to look for.
    pub says: &'static str,
    /// Number of lanes, in words.
    pub many: &'static str,
    /// Each lane, with its name in the chart.
    pub lanes: Vec<(&'static str, L)>,
    /// Number of steps averaged into one point of a curve.
    pub each: usize,
    /// Message shown until every lane has finished.
    pub before: String,
}

impl<L: Lane> Race<L> {
    /// The race as a picture with a job.
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

    /// Final result; lanes that have been trained before come from the cache.
    fn end(&self) -> Progress {
        let lanes: Vec<L> = self.lanes.iter().map(|(_, lane)| *lane).collect();
        let losses: Vec<_> = train_all(&lanes).iter().map(|t| t.losses.clone()).collect();
        self.ended(&losses)
    }

    fn run(&self, report: Report<'_>) -> Progress {
        let train = |n: usize, tell: OnState<'_, Vec<f64>>| {
            train(self.lanes[n].1, L::STEPS, |_, so_far, _| {
                tell(so_far.to_vec())
            });
        };
        let none = vec![Vec::new(); self.lanes.len()];
        let losses = side_by_side(none, 4, train, &mut |now, reports| {
            if !reports.is_multiple_of(20) {
                return ControlFlow::Continue(());
            }
            let share = reports as f32 / (L::STEPS * self.lanes.len()) as f32;
            report(Progress::new(share * 0.95, &*self.before, self.chart(now)))
        });
        self.ended(&losses)
    }

    /// Final drawing and summary, once training has ended.
    fn ended(&self, losses: &[Vec<f64>]) -> Progress {
        let whole = losses.iter().all(|l| l.len() == L::STEPS);
        let ends = self.lanes.iter().zip(losses).map(|((name, lane), losses)| {
            let right = 100.0 * right(*lane, L::STEPS);
            format!("{name} {:.3}, {right:.0} %", last(losses))
        });
        let says = if whole {
            format!(
                "Loss at the end, and how many words each then writes rightly alone: {}.",
                ends.collect::<Vec<_>>().join("; ")
            )
        } else {
            self.before.clone()
        };
        Progress::new(1.0, says, self.chart(losses))
    }

    fn chart(&self, losses: &[Vec<f64>]) -> Body {
        let lanes = self.lanes.iter().zip(losses);
        let series = lanes.map(|((name, _), losses)| Series::new(*name, smooth(losses, self.each)));
        Body::curves("step", "loss", series).by_logarithm()
    }
}
