//! Short runs: small translators that train on the short sentences of the phrasebook in seconds, reproducible bit by
//! bit, with a snapshot every few updates.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use super::largest;
use super::memo::{Memo, Weigh};
use crate::autograd::{Tape, Var};
use crate::data::batches;
use crate::data::corpus::Corpus;
use crate::ops::{Loss, Smoothing};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::tensor::threads::{check, uncancelled, wait_for};
use crate::text::vocabulary::{BOS, EOS};
use crate::train::adam::Adam;
use crate::train::config::TrainConfig;
use crate::train::step::{self, Batch, PAD};
use crate::transformer::Transformer;

pub mod ground;

use ground::{ground, sources};

/// Maximum number of tokens in a translation of a short run.
pub const MOST: usize = 14;

/// Cuts pairs, given by their numbers of tokens, into batches of at most so many cells: the indices of each batch.
pub type Cutter = fn(&[(usize, usize)], usize) -> Vec<Vec<usize>>;

/// How a short run is made. Its `Debug` form must spell out everything that the training depends on, because it is the
/// cache key.
pub trait Recipe: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Updates of the whole run.
    const STEPS: usize;
    /// Updates between two snapshots.
    const EVERY: usize;
    /// Cache of the runs, finished and partial.
    const RUNS: Memo<Mutex<Learner<Self>>>;

    /// Configuration of the training.
    fn config(&self) -> TrainConfig;

    /// True if forks may continue from its snapshots, which then keep the optimizer.
    fn forks(&self) -> bool {
        false
    }

    /// The function that cuts the batches, given source and target lengths and the most cells of a batch.
    fn cutter(&self) -> Cutter {
        batches::cut
    }

    /// The training data, made from the `sound` sentences.
    fn corpus(&self, sound: &Corpus) -> Corpus {
        sound.clone()
    }

    /// What the decoder of the short run reads, and what it has to predict.
    fn shifted(&self, batch: &Batch) -> (Tensor, Tensor) {
        batch.shifted()
    }

    /// Hidden vectors of the decoder for `src` and `tgt`, both ids of shape `[batch, length]`.
    fn hidden(&self, model: &Transformer, src: &Var, tgt: &Var) -> Var;
}

/// Record of one update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Number of the update, from 1.
    pub step: usize,
    /// −log p of the right token before the update, in nats per token.
    pub loss: f64,
    /// Norm of the gradient before clipping.
    pub norm: f64,
    /// Learning rate of the update.
    pub rate: f64,
}

/// State of a run after some updates.
#[derive(Clone)]
pub struct Snapshot {
    /// Number of updates done.
    pub step: usize,
    /// The weights.
    pub params: Arc<Params>,
    /// The optimizer, kept only for a run from which forks may continue.
    pub adam: Option<Arc<Adam>>,
    /// Position in the training data: epochs done, and batches of this one.
    place: (u64, usize),
    /// Loss on the held-out sentences, in nats per token.
    pub held_out: f64,
    /// Translations of the three sentences.
    pub written: Vec<String>,
}

/// A run in training.
pub struct Learner<R> {
    recipe: R,
    config: TrainConfig,
    /// The model being trained.
    pub model: Arc<Transformer>,
    params: Params,
    adam: Adam,
    corpus: Corpus,
    queue: VecDeque<Vec<usize>>,
    place: (u64, usize),
    step: usize,
    /// Every update so far.
    pub log: Vec<Point>,
    /// Snapshots at the beginning, and after every [`Recipe::EVERY`] updates.
    pub snapshots: Vec<Snapshot>,
}

impl<R: Recipe> Learner<R> {
    /// Starts a run.
    pub fn new(recipe: R) -> Self {
        let (config, ground) = (recipe.config(), ground());
        let words = ground.words();
        let mut params = Params::new(config.seed);
        let model = Transformer::new(&mut params, &config.model(words.0, words.1));
        let adam = Adam {
            beta1: config.beta1,
            beta2: config.beta2,
            epsilon: config.epsilon,
            ..Adam::new(&params)
        };
        let mut learner = Self {
            corpus: recipe.corpus(&ground.train),
            recipe,
            config,
            model: Arc::new(model),
            params,
            adam,
            queue: VecDeque::new(),
            place: (0, 0),
            step: 0,
            log: Vec::new(),
            snapshots: Vec::new(),
        };
        learner.keep();
        learner
    }

    /// Continues from a snapshot with a different learning rate (as a factor) and dropout.
    pub fn fork(from: &Snapshot, factor: f64, dropout: f32) -> Self {
        let mut fork = Self::new(R::default());
        fork.config.rate *= factor;
        fork.config.dropout = dropout;
        let (source, target) = ground().words();
        let config = fork.config.model(source, target);
        fork.model = Arc::new(Transformer::new(&mut Params::layout(), &config));
        fork.params = (*from.params).clone();
        if let Some(adam) = &from.adam {
            fork.adam = (**adam).clone();
        }
        (fork.step, fork.place) = (from.step, from.place);
        fork.queue = fork.pass();
        fork.queue.drain(..fork.place.1.min(fork.queue.len()));
        fork.snapshots.clear();
        fork
    }

    fn pass(&self) -> VecDeque<Vec<usize>> {
        let (tokens, seed) = (self.config.batch_tokens, self.config.seed);
        let cut = self.recipe.cutter();
        batches::epoch_by(&self.corpus, tokens, seed, self.place.0, cut).into()
    }

    fn next_batch(&mut self) -> Batch {
        if self.queue.is_empty() {
            if self.place.1 > 0 {
                self.place = (self.place.0 + 1, 0);
            }
            self.queue = self.pass();
        }
        let numbers = self.queue.pop_front().expect("a corpus has a batch");
        self.place.1 += 1;
        batches::batch(&self.corpus, &numbers)
    }

    // ANCHOR: update
    /// One update: forward, loss, backward, clip, step.
    pub fn update(&mut self) -> Point {
        self.step += 1;
        let batch = self.next_batch();
        let tokens = batch.target_tokens();
        let seed = step::derive_seed(self.config.seed, self.step as u64);
        let mut grads = vec![None; self.params.len()];
        let loss = {
            let tape = Tape::train(&self.params, seed).fused();
            let batch_loss = self.loss(&tape, &batch, 1.0 / tokens as f32);
            tape.backward_streaming(&batch_loss.loss, |param, grad| {
                grads[param.index()] = Some(grad.into_dense())
            });
            batch_loss.nats / tokens as f64
        };
        let norm = step::norm(&grads);
        let rate = self.config.schedule().rate(self.step);
        let scale = (self.config.clip / norm).min(1.0);
        // A gradient that is NaN or infinite is not applied: the weights stay.
        if norm.is_finite() {
            let (params, adam) = (&mut self.params, &mut self.adam);
            adam.apply(params, &grads, rate as f32, scale as f32);
        }
        let point = Point {
            step: self.step,
            loss,
            norm,
            rate,
        };
        self.log.push(point);
        point
    }
    // ANCHOR_END: update

    fn loss(&self, tape: &Tape, batch: &Batch, factor: f32) -> Loss {
        let (read, predict) = self.recipe.shifted(batch);
        let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
        let tgt = tape.ids("tgt", read, &["b", "t"]);
        let targets = tape.ids("targets", predict, &["b", "t"]);
        let hidden = self.recipe.hidden(&self.model, &src, &tgt);
        let weight = tape.param(self.model.generator.weight);
        let bias = self.model.generator.bias.map(|bias| tape.param(bias));
        let smoothing = Smoothing {
            epsilon: self.config.smoothing,
            spread: self.config.spread,
            padding: PAD,
            factor,
        };
        hidden.smoothed_loss(&weight, bias.as_ref(), &targets, smoothing)
    }

    /// Trains up to `step`, keeping snapshots.
    fn until(&mut self, step: usize) {
        while self.step < step.min(R::STEPS) {
            check();
            // Each update completes even if cancelled, so that the run can continue.
            uncancelled(|| {
                self.update();
                if self.step.is_multiple_of(R::EVERY) {
                    self.keep();
                }
            });
        }
    }

    fn keep(&mut self) {
        self.snapshots.push(Snapshot {
            step: self.step,
            params: Arc::new(self.params.clone()),
            adam: (self.recipe.forks()).then(|| Arc::new(self.adam.clone())),
            place: self.place,
            held_out: self.held_out(),
            written: self.written(),
        });
    }

    /// Translations of the three sentences with the current weights.
    fn written(&self) -> Vec<String> {
        let model = (&*self.model, &self.params);
        let ids = greedy(&self.recipe, model, &sources());
        let target = &ground().pipeline.target;
        ids.iter().map(|ids| target.joined(ids)).collect()
    }

    /// Loss on the correct held-out sentences, whatever the mistake.
    pub fn held_out(&self) -> f64 {
        let held_out = &ground().held_out;
        let batch = whole_batch(held_out);
        let tape = Tape::eval(&self.params).fused();
        self.loss(&tape, &batch, 1.0).nats / batch.target_tokens() as f64
    }
}

fn whole_batch(corpus: &Corpus) -> Batch {
    let all: Vec<usize> = (0..corpus.pairs.len()).collect();
    batches::batch(corpus, &all)
}

/// What can be seen of a run after `step` updates.
#[derive(Clone)]
pub struct Seen<R> {
    /// Recipe of the run.
    pub recipe: R,
    /// The model.
    pub model: Arc<Transformer>,
    /// Every update up to then.
    pub log: Vec<Point>,
    /// Every snapshot up to then; the last is the current one.
    pub snapshots: Vec<Snapshot>,
}

impl<R: Recipe> Seen<R> {
    /// The current snapshot.
    pub fn now(&self) -> &Snapshot {
        self.snapshots.last().expect("every run has a beginning")
    }

    /// Proportions over the held-out sentences: next tokens that are right after the correct preceding tokens, tokens
    /// in the right place when the model reads its own, and sentences that are right as a whole.
    pub fn shares(&self) -> [f64; 3] {
        static DONE: Memo<[f64; 3]> = Memo::new("short runs: shares");
        let key = format!("{:?} {}", self.recipe, self.now().step);
        *DONE.get(key, || self.count())
    }

    /// Greedy translations of `sources`, without start and end tokens.
    pub fn written(&self, sources: &[Vec<u32>]) -> Vec<Vec<u32>> {
        greedy(&self.recipe, (&self.model, &self.now().params), sources)
    }

    fn count(&self) -> [f64; 3] {
        let held_out = &ground().held_out;
        let params = &*self.now().params;
        let batch = whole_batch(held_out);
        let (read, predict) = self.recipe.shifted(&batch);
        let tape = Tape::eval(params).fused();
        let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
        let tgt = tape.ids("tgt", read, &["b", "t"]);
        let hidden = self.recipe.hidden(&self.model, &src, &tgt);
        let logits = self.model.generator.logits(&hidden).value();
        let rows = logits.data().chunks(logits.last()).zip(predict.data());
        let counted = rows.filter(|(_, right)| **right as usize != PAD);
        let hits = counted.map(|(row, &word)| largest(row) == word as usize);
        let hits: Vec<bool> = hits.collect();
        let sources: Vec<Vec<u32>> = held_out.pairs.iter().map(|p| p.0.clone()).collect();
        let written = self.written(&sources);
        let (mut placed, mut exact) = (0, 0);
        for (ours, (_, theirs)) in written.iter().zip(&held_out.pairs) {
            // Include the end token, as the count of next tokens does, but not the start.
            let ours = [&ours[..], &theirs[theirs.len() - 1..]].concat();
            let pairs = ours.iter().zip(&theirs[1..]);
            placed += pairs.filter(|(a, b)| a == b).count();
            exact += usize::from(ours == theirs[1..]);
        }
        let right = hits.iter().filter(|hit| **hit).count();
        let all = [
            (right, hits.len()),
            (placed, hits.len()),
            (exact, written.len()),
        ];
        all.map(|(part, of)| part as f64 / of as f64)
    }
}

impl<R> Weigh for Mutex<Learner<R>> {
    fn heap(&self) -> usize {
        let learner = self.lock().unwrap_or_else(|e| e.into_inner());
        let snapshots = learner.snapshots.iter();
        let kept: usize = snapshots
            .map(|s| s.params.heap() + s.adam.heap() + s.written.heap())
            .sum();
        kept + learner.params.heap() + learner.adam.heap() + learner.log.len() * size_of::<Point>()
    }
}

/// The short run of `recipe` after `at` updates, up to the snapshot at or before it. The run continues from where it is
/// if more is requested.
pub fn seen<R: Recipe>(recipe: R, at: usize) -> Seen<R> {
    let key = format!("{recipe:?}");
    let learner = R::RUNS.get(&key, || Mutex::new(Learner::new(recipe)));
    let mut run = wait_for(&learner);
    let at = (at / R::EVERY * R::EVERY).min(R::STEPS);
    while run.step < at {
        let next = run.step + R::EVERY;
        run.until(next);
        // The run has grown, so its size must be counted again.
        drop(run);
        R::RUNS.keep(&key, learner.clone());
        run = wait_for(&learner);
    }
    let log = run.log.iter().take_while(|p| p.step <= at);
    Seen {
        recipe,
        model: run.model.clone(),
        log: log.copied().collect(),
        snapshots: run.snapshots[..=at / R::EVERY].to_vec(),
    }
}

/// Number of updates that the run of `recipe` has done so far.
pub fn reached<R: Recipe>(recipe: R) -> usize {
    let learner = R::RUNS.find(format!("{recipe:?}"));
    learner.map_or(0, |learner| wait_for(&learner).step)
}

/// Decodes all `sources` together greedily, until each has ended or has [`MOST`] tokens.
fn greedy<R: Recipe>(
    recipe: &R,
    (model, params): (&Transformer, &Params),
    sources: &[Vec<u32>],
) -> Vec<Vec<u32>> {
    let longest = sources.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |i: &[usize]| sources[i[0]].get(i[1]).map_or(0.0, |&id| id as f32);
    let src = Tensor::from_fn(&[sources.len(), longest], cell);
    let mut written = vec![vec![BOS as u32]; sources.len()];
    for length in 1..=MOST {
        let tape = Tape::eval(params).fused();
        let prefix = Tensor::from_fn(&[sources.len(), length], |i| written[i[0]][i[1]] as f32);
        let src = tape.ids("src", src.clone(), &["b", "s"]);
        let hidden = recipe.hidden(model, &src, &tape.ids("tgt", prefix, &["b", "t"]));
        let logits = model.generator.logits(&hidden.last_position()).value();
        for (words, row) in written.iter_mut().zip(logits.data().chunks(logits.last())) {
            words.push(largest(row) as u32);
        }
        if written.iter().all(|words| words.contains(&(EOS as u32))) {
            break;
        }
    }
    let ended = written.into_iter().map(|words| {
        let end = words.iter().position(|&id| id == EOS as u32);
        words[1..end.unwrap_or(words.len())].to_vec()
    });
    ended.collect()
}

/// A target mask that hides nothing, `[batch, target, target]`: every row sees those after it.
pub fn open_mask(tgt: &Var) -> Var {
    let (batch, length) = (tgt.shape()[0], tgt.shape()[1]);
    let all = Tensor::ones(&[batch, length, length]);
    tgt.tape().mask("tgt_mask", all, &["b", "t", "t"])
}
