//! One lane of the learner's own run: a trainer, and what is shown of it.

use transformer_tutor::clock::Instant;

use transformer_tutor::autograd::Tape;
use transformer_tutor::decode::{DecodeOptions, translate};
use transformer_tutor::lesson::models;
use transformer_tutor::lesson::picture::Part;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, on_threads};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::config::TrainConfig;
use transformer_tutor::train::run_folder::RunFolder;
use transformer_tutor::train::trainer::{State, Trainer, Update, measure};
use transformer_tutor::transformer::Transformer;

use transformer_tutor::lesson::short_run::ground::{Ground, Watched};

/// Maximum number of points in a line of the chart.
const POINTS: usize = 300;

/// Measurements of a model: its loss, its translations, its attention.
#[derive(Clone)]
pub struct Measurements {
    /// Loss on the held-out sentences, in nats per token.
    pub held_out: f64,
    /// Translations of the watched sentences.
    pub written: Vec<String>,
    /// Cross-attention of the decoder's last layer on the first of them: `[1, heads, target, source]`.
    pub weights: Tensor,
}

/// What the screen shows of a lane, written by the training thread and copied for drawing.
#[derive(Clone, Default)]
pub struct LaneView {
    pub says: String,
    pub done: f32,
    pub parts: Vec<Part>,
}

/// Snapshot of a lane.
#[derive(Clone)]
pub struct LaneSnapshot {
    /// Number of the snapshot.
    pub id: usize,
    /// Number of its lane.
    pub lane: usize,
    /// Weights, and everything else that the next update depends on.
    pub params: Params,
    pub adam: Adam,
    pub state: State,
    pub config: TrainConfig,
    /// Measurements at the snapshot.
    pub seen: Measurements,
}

/// One training lane.
pub struct Lane {
    /// Number of the lane and of its folder; 0 is the lane with which the run began.
    pub id: usize,
    /// Ancestry: each lane it passed through, and until which update.
    way: Vec<(usize, usize)>,
    /// The trainer.
    pub trainer: Trainer,
    /// Training losses and held-out losses, by update.
    pub train: Vec<(f64, f64)>,
    pub held_out: Vec<(f64, f64)>,
    /// The most recent update.
    pub last: Option<Update>,
    /// Tokens per second and seconds per update, over the last updates.
    pub speed: (f64, f64),
    /// Measurements now, or some updates ago.
    pub seen: Measurements,
    /// Number of the snapshot shown; `None` is the present.
    pub view: Option<usize>,
    /// Another message to show for some updates.
    pub message: String,
}

/// Context of a lane's updates.
#[derive(Clone, Copy)]
pub struct LaneContext<'a> {
    /// The training data.
    pub ground: &'a Ground,
    /// Updates between two snapshots.
    pub every: usize,
    /// Folder for its checkpoints; `None` if there is none.
    pub folder: Option<&'a RunFolder>,
}

impl Lane {
    /// Creates lane number `id`, which `trainer` is about to train.
    pub fn new(id: usize, trainer: Trainer, ground: &Ground) -> Self {
        let seen = look(&trainer, ground);
        Self::seen_as(id, trainer, seen)
    }

    fn seen_as(id: usize, trainer: Trainer, seen: Measurements) -> Self {
        Self {
            id,
            way: vec![(id, usize::MAX)],
            train: Vec::new(),
            held_out: Vec::new(),
            last: None,
            speed: (0.0, 0.0),
            seen,
            view: None,
            message: String::new(),
            trainer,
        }
    }

    /// Creates a lane that branches off `from` at a snapshot of its history, with other settings.
    pub fn fork(
        id: usize,
        from: &Self,
        snapshot: LaneSnapshot,
        config: TrainConfig,
        ground: &Ground,
    ) -> Self {
        let threads = from.trainer.threads;
        let mut trainer = Trainer::new(config, ground.words(), ground.train.clone(), threads);
        let step = snapshot.state.step;
        trainer.restore(snapshot.params, snapshot.adam, snapshot.state);
        let before = from.way.iter();
        let before = before.map(|&(lane, until)| (lane, until.min(step)));
        let ancestry = before.chain([(id, usize::MAX)]).collect();
        Self {
            way: ancestry,
            held_out: vec![(step as f64, snapshot.seen.held_out)],
            ..Self::seen_as(id, trainer, snapshot.seen)
        }
    }

    /// Whether a snapshot is in this lane's history.
    pub fn has_passed(&self, snapshot: &LaneSnapshot) -> bool {
        let mut ancestry = self.way.iter();
        ancestry.any(|&(lane, until)| snapshot.lane == lane && snapshot.state.step <= until)
    }

    /// Whether this is lane number `id`, or descends from it.
    pub fn comes_from(&self, id: usize) -> bool {
        self.way.iter().any(|&(lane, _)| lane == id)
    }

    /// Number of updates done.
    pub fn step(&self) -> usize {
        self.trainer.state.step
    }

    /// A snapshot of the present.
    pub fn snapshot(&self, id: usize) -> LaneSnapshot {
        let trainer = &self.trainer;
        LaneSnapshot {
            id,
            lane: self.id,
            params: trainer.params.clone(),
            adam: trainer.adam.clone(),
            state: trainer.state.clone(),
            config: trainer.config.clone(),
            seen: self.seen.clone(),
        }
    }

    /// Runs one update on this many threads; every few updates it is measured again, and a checkpoint is written.
    /// Returns whether a snapshot is due, or why the lane cannot continue.
    pub fn update(&mut self, threads: usize, context: LaneContext<'_>) -> Result<bool, String> {
        // More threads would take the other lanes' cores.
        on_threads(threads, || self.updated(threads, context))
    }

    fn updated(&mut self, threads: usize, context: LaneContext<'_>) -> Result<bool, String> {
        self.view = None;
        if self.step().is_multiple_of(10) {
            self.message.clear();
        }
        self.trainer.threads = threads;
        let begun = Instant::now();
        let update = self.trainer.update().map_err(|e| e.to_string())?;
        let seconds = begun.elapsed().as_secs_f64().max(1e-9);
        let speed = update.measured.tokens as f64 / seconds;
        // Average over about the last ten updates.
        let blend = |old: f64, new: f64| match old {
            0.0 => new,
            old => 0.9 * old + 0.1 * new,
        };
        self.speed = (blend(self.speed.0, speed), blend(self.speed.1, seconds));
        self.last = Some(update);
        self.train.push((update.step as f64, update.measured.nats));
        thin(&mut self.train);
        let (step, done) = (update.step, self.trainer.is_done());
        let due = step.is_multiple_of(context.every) || done;
        if due {
            self.seen = look(&self.trainer, context.ground);
            self.held_out.push((step as f64, self.seen.held_out));
        }
        if step.is_multiple_of(self.trainer.config.evaluate_every) || done {
            self.save(context.folder, context.ground)?;
        }
        Ok(due)
    }

    /// Measures the current model.
    pub fn look(&mut self, ground: &Ground) {
        self.seen = look(&self.trainer, ground);
    }

    /// Writes a checkpoint.
    pub fn save(&mut self, folder: Option<&RunFolder>, ground: &Ground) -> Result<(), String> {
        let folder = folder.ok_or("There is no home folder, so no checkpoint can be saved.")?;
        let saved = folder.save(&self.trainer, &ground.pipeline);
        saved.map_err(|e| e.to_string())?;
        let (step, path) = (self.step(), folder.path().display());
        self.message = format!("Update {step} is saved in {path}.");
        Ok(())
    }

    /// Raises the learning rate by half, or lowers it by a third.
    pub fn turn_rate(&mut self, by: isize) {
        let factor = if by > 0 { 1.5 } else { 1.0 / 1.5 };
        self.trainer.config.rate *= factor;
        let (rate, step) = (self.trainer.config.rate, self.step());
        let next = step + 1;
        self.message = format!("From update {next} on, the highest learning rate is {rate:.2e}.");
    }
}

/// Measures the model with the current weights.
fn look(trainer: &Trainer, ground: &Ground) -> Measurements {
    let (model, params, pipeline) = (&trainer.model, &trainer.params, &ground.pipeline);
    let watched = &ground.watched;
    let source = |watched: &Watched| pipeline.source_ids(&watched.lines.0);
    let sources: Vec<Vec<u32>> = watched.iter().map(source).collect();
    let translations = translate(model, params, &sources, &DecodeOptions::greedy());
    let line = |n: usize| pipeline.target.joined(&translations[n][0].ids);
    let target = pipeline.target_ids(&watched[0].lines.1);
    Measurements {
        held_out: measure(model, params, &ground.held_out, &trainer.config).nats,
        written: (0..sources.len()).map(line).collect(),
        weights: cross(model, params, &sources[0], &target[..target.len() - 1]),
    }
}

/// Cross-attention of the decoder's last layer: `[1, heads, target, source]`.
fn cross(model: &Transformer, params: &Params, src: &[u32], tgt: &[u32]) -> Tensor {
    let tape = Tape::eval(params);
    let src = models::sentence(&tape, "src", src, "s");
    model.forward(&src, &models::sentence(&tape, "tgt", tgt, "t"));
    let layer = model.config.layers - 1;
    let name = format!("decoder.layers.{layer}.src_attn.weights");
    let trace = tape.trace();
    let weights = trace.tensor(&name);
    weights.expect("the decoder has this layer").clone()
}

/// If there are too many points, averages them in pairs.
fn thin(points: &mut Vec<(f64, f64)>) {
    if points.len() > POINTS {
        let mean = |two: &[(f64, f64)]| {
            let n = two.len() as f64;
            let sum = two.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
            (sum.0 / n, sum.1 / n)
        };
        *points = points.chunks(2).map(mean).collect();
    }
}
