//! The trainer of the learner's own run, with everything that its screen shows: lanes, snapshots, translations.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use transformer_tutor::autograd::Tape;
use transformer_tutor::decode::translate::{DecodeOptions, translate};
use transformer_tutor::lesson::live::Part;
use transformer_tutor::lesson::{Body, Series, progress};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::checkpoint;
use transformer_tutor::train::config::TrainConfig;
use transformer_tutor::train::trainer::{State, Trainer, Update, measure};

use super::ground::{self, Ground, sentences};
use super::lab::{Show, folder};
use super::pictures;
use super::recipe::Recipe;

/// Snapshots in memory: with weights and both moments about 11 MB each at the full size, so 260 MB.
const MOST: usize = 24;

/// Points of one line of the chart.
const POINTS: usize = 300;

/// What a run is begun or forked with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Short sentences and a small model, instead of the command `train`'s own preset.
    pub small: bool,
    /// What the preset's learning rate is multiplied by.
    pub factor: f64,
    /// The dropout.
    pub dropout: f32,
}

impl Plan {
    /// The settings of the trainer.
    pub fn config(&self) -> TrainConfig {
        let preset = if self.small {
            TrainConfig {
                steps: 2000,
                shards: 4,
                ..Recipe::default().config()
            }
        } else {
            TrainConfig::default()
        };
        TrainConfig {
            rate: preset.rate * self.factor,
            dropout: self.dropout,
            ..preset
        }
    }
}

/// One line of runs in the chart: the first run, or a fork.
struct Lane {
    name: String,
    train: Vec<(f64, f64)>,
    held_out: Vec<(f64, f64)>,
}

/// A run as it stood.
struct Kept {
    lane: usize,
    params: Params,
    adam: Adam,
    state: State,
    config: TrainConfig,
    held_out: f64,
}

/// The run.
pub struct Bench {
    plan: Plan,
    trainer: Trainer,
    ground: Arc<Ground>,
    lanes: Vec<Lane>,
    kept: Vec<Kept>,
    /// Updates between two snapshots; doubles when the snapshots are too many.
    every: usize,
    /// The snapshot looked at; `None` is now.
    view: Option<usize>,
    head: usize,
    last: Option<Update>,
    /// Tokens a second and seconds an update, over the last updates.
    speed: (f64, f64),
    held_out: f64,
    written: Vec<String>,
    weights: Tensor,
    /// What else is to be said, once.
    pub said: String,
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn words(ground: &Ground) -> (usize, usize) {
    let pipeline = &ground.pipeline;
    (
        pipeline.source.vocabulary.len(),
        pipeline.target.vocabulary.len(),
    )
}

impl Bench {
    /// A run from the first update. What another run has left in the folder is kept aside.
    pub fn begin(plan: Plan, tell: &dyn Fn(&str)) -> Result<Self, String> {
        tell("Drawing sentences and learning the vocabulary …");
        let config = plan.config();
        config.check()?;
        let ground = Arc::new(ground::of(&config, plan.small, None));
        let trainer = Trainer::new(config, words(&ground), ground.train.clone(), threads());
        let mut bench = Self::new(plan, trainer, ground, "run");
        if let Some(folder) = folder(plan.small).filter(|f| !checkpoint::list(f).is_empty()) {
            let aside = progress::set_aside(&folder)
                .map_err(|e| format!("{} cannot be set aside: {e}", folder.display()))?;
            bench.said = format!("The run before is kept in {}.", aside.display());
        }
        bench.look();
        bench.keep();
        Ok(bench)
    }

    /// A run that goes on from its newest checkpoint, with the settings it was begun with.
    pub fn resume(plan: Plan, tell: &dyn Fn(&str)) -> Result<Self, String> {
        tell("Reading the checkpoint, and drawing the same sentences again …");
        let folder = place(plan)?;
        let kept = checkpoint::resume(&folder).map_err(|e| e.to_string())?;
        let config = kept.config.clone();
        let ground = Arc::new(ground::of(&config, plan.small, Some(kept.pipeline.clone())));
        let mut trainer = Trainer::new(config, words(&ground), ground.train.clone(), threads());
        kept.restore(&mut trainer).map_err(|e| e.to_string())?;
        let mut bench = Self::new(plan, trainer, ground, "resumed");
        bench.said = format!("Goes on from update {}: r.", bench.trainer.state.step);
        bench.look();
        bench.keep();
        Ok(bench)
    }

    fn new(plan: Plan, trainer: Trainer, ground: Arc<Ground>, name: &str) -> Self {
        Self {
            plan,
            trainer,
            ground,
            lanes: vec![Lane::new(name)],
            kept: Vec::new(),
            every: if plan.small { 20 } else { 25 },
            view: None,
            head: 0,
            last: None,
            speed: (0.0, 0.0),
            held_out: f64::NAN,
            written: Vec::new(),
            weights: Tensor::zeros(&[1, 1, 0, 0]),
            said: String::new(),
        }
    }

    /// Whether all updates are done.
    pub fn is_done(&self) -> bool {
        self.trainer.is_done()
    }

    /// One update; every few of them the translations, the held-out loss, a snapshot, a checkpoint.
    pub fn update(&mut self) -> Result<(), String> {
        if self.view.take().is_some() {
            self.look();
        }
        if self.trainer.state.step.is_multiple_of(10) {
            self.said.clear();
        }
        let begun = Instant::now();
        let update = self.trainer.update().map_err(|e| e.to_string())?;
        let seconds = begun.elapsed().as_secs_f64().max(1e-9);
        let speed = update.measured.tokens as f64 / seconds;
        let (old_speed, old_seconds) = self.speed;
        self.speed = if old_seconds == 0.0 {
            (speed, seconds)
        } else {
            // The last ten updates or so count.
            (
                0.9 * old_speed + 0.1 * speed,
                0.9 * old_seconds + 0.1 * seconds,
            )
        };
        self.last = Some(update);
        let lane = self.lanes.last_mut().expect("a run has a lane");
        lane.train.push((update.step as f64, update.measured.nats));
        thin(&mut lane.train);
        let step = update.step;
        if step.is_multiple_of(self.every) || self.is_done() {
            self.look();
            self.keep();
        }
        if step.is_multiple_of(self.trainer.config.evaluate_every) || self.is_done() {
            self.save()?;
        }
        Ok(())
    }

    /// Translates, measures and looks with the weights of the moment that is looked at.
    fn look(&mut self) {
        let kept = self.view.and_then(|view| self.kept.get(view));
        let params = kept.map_or(&self.trainer.params, |kept| &kept.params);
        let (model, pipeline) = (&self.trainer.model, &self.ground.pipeline);
        let sources: Vec<Vec<u32>> = sentences()
            .iter()
            .map(|pair| pipeline.source_ids(&pair.german.join(" ")))
            .collect();
        let found = translate(model, params, &sources, &DecodeOptions::greedy());
        let line = |n: usize| pipeline.target.joined(&found[n][0].ids);
        self.written = (0..sources.len()).map(line).collect();
        let english = pipeline.target_ids(&sentences()[0].english.join(" "));
        self.weights = cross(model, params, &sources[0], &english[..english.len() - 1]);
        self.held_out = match kept {
            Some(kept) => kept.held_out,
            None => {
                let config = &self.trainer.config;
                let measured = measure(
                    model,
                    params,
                    &self.ground.held_out,
                    config,
                    self.trainer.threads,
                );
                measured.nats
            }
        };
    }

    /// Keeps a snapshot; of too many every other goes.
    fn keep(&mut self) {
        let trainer = &self.trainer;
        let lane = self.lanes.len() - 1;
        let step = trainer.state.step as f64;
        self.lanes[lane].held_out.push((step, self.held_out));
        self.kept.push(Kept {
            lane,
            params: trainer.params.clone(),
            adam: trainer.adam.clone(),
            state: trainer.state.clone(),
            config: trainer.config.clone(),
            held_out: self.held_out,
        });
        if self.kept.len() > MOST {
            let mut n = 0;
            // The first and the newest stay.
            self.kept.retain(|_| {
                n += 1;
                n % 2 == 1
            });
            self.every *= 2;
        }
    }

    /// Raises the learning rate by half, or lowers it by a third.
    pub fn turn_rate(&mut self, by: isize) {
        let factor = if by > 0 { 1.5 } else { 1.0 / 1.5 };
        self.trainer.config.rate *= factor;
        let (rate, step) = (self.trainer.config.rate, self.trainer.state.step);
        self.said = format!(
            "From update {} on the highest rate is {rate:.2e}.",
            step + 1
        );
    }

    /// Writes a checkpoint.
    pub fn save(&mut self) -> Result<(), String> {
        let folder = place(self.plan)?;
        checkpoint::save(&folder, &self.trainer, &self.ground.pipeline)
            .map_err(|e| e.to_string())?;
        self.said = format!(
            "Update {} is saved in {}.",
            self.trainer.state.step,
            folder.display()
        );
        Ok(())
    }

    /// Looks at an earlier or later snapshot; after the last comes the present again.
    pub fn rewind(&mut self, by: isize) {
        let now = self.view.unwrap_or(self.kept.len());
        let next = now.saturating_add_signed(by);
        self.view = (next < self.kept.len()).then_some(next);
        self.look();
    }

    /// Goes on from the snapshot looked at (or from now) with other settings, as another lane.
    pub fn fork(&mut self, plan: Plan) {
        let (params, adam, state, mut config) = match self.view.map(|view| &self.kept[view]) {
            Some(kept) => (
                kept.params.clone(),
                kept.adam.clone(),
                kept.state.clone(),
                kept.config.clone(),
            ),
            None => (
                self.trainer.params.clone(),
                self.trainer.adam.clone(),
                self.trainer.state.clone(),
                self.trainer.config.clone(),
            ),
        };
        let base = Plan {
            factor: 1.0,
            ..self.plan
        };
        config.rate = base.config().rate * plan.factor;
        config.dropout = plan.dropout;
        let step = state.step;
        let name = format!(
            "fork at {step}: rate {:.1e}, dropout {}",
            config.rate, config.dropout
        );
        let ground = &self.ground;
        let mut trainer = Trainer::new(config, words(ground), ground.train.clone(), threads());
        trainer.restore(params, adam, state);
        self.trainer = trainer;
        self.lanes.push(Lane::new(&name));
        self.view = None;
        self.look();
        self.keep();
        self.said = format!("Forked at update {step}; r trains the fork.");
    }

    /// Shows the next head.
    pub fn turn_head(&mut self) {
        self.head = (self.head + 1) % self.trainer.config.heads;
    }

    /// Everything to be drawn.
    pub fn show(&self) -> Show {
        let (state, config) = (&self.trainer.state, &self.trainer.config);
        let step = state.step;
        let mut says = format!("Update {step} of {}", config.steps);
        if let Some(update) = &self.last {
            let left = (config.steps - step.min(config.steps)) as f64 * self.speed.1;
            says += &format!(
                ": loss {:.3}, held out {:.3}, rate {:.2e}, gradient {:.2}, {:.0} tokens/s, {} left.",
                update.measured.nats,
                self.held_out,
                update.rate,
                update.norm,
                self.speed.0,
                duration(left)
            );
        } else {
            says += &format!(", held-out loss {:.3}.", self.held_out);
        }
        let seen = self.view.map(|view| &self.kept[view]);
        if let Some(kept) = seen {
            says = format!(
                "Looking back at update {} ({}): held-out loss {:.3}. f forks here, T goes forward, r goes on from update {step}.",
                kept.state.step, self.lanes[kept.lane].name, kept.held_out
            );
        }
        if !self.said.is_empty() {
            says += &format!(" {}", self.said);
        }
        let at = seen.map_or(step, |kept| kept.state.step);
        let part = |title: String, body| Part { title, body };
        Show {
            says,
            done: step as f32 / config.steps as f32,
            parts: vec![
                part(
                    "Loss, in nats a token".to_owned(),
                    self.chart(seen.map(|kept| kept.state.step)),
                ),
                part(
                    format!("Translations at update {at}"),
                    pictures::translated(&self.written),
                ),
                part(
                    format!(
                        "Head {} of the last layer looks at the source, update {at}",
                        self.head
                    ),
                    pictures::attention(&self.weights, self.head, &sentences()[0]),
                ),
            ],
        }
    }

    fn chart(&self, mark: Option<usize>) -> Body {
        let mut series = Vec::new();
        for lane in &self.lanes {
            let line = |name: String, points: &[(f64, f64)]| Series {
                name,
                points: points.to_vec(),
            };
            series.push(line(lane.name.clone(), &lane.train));
            series.push(line("held out".to_owned(), &lane.held_out));
        }
        if let Some(step) = mark {
            let highest = series.iter().flat_map(|s| &s.points).map(|p| p.1);
            let highest = highest.fold(0.0, f64::max);
            series.push(Series {
                name: "here".to_owned(),
                points: vec![(step as f64, 0.0), (step as f64, highest)],
            });
        }
        Body::Curves {
            x: "update".to_owned(),
            y: "loss".to_owned(),
            log: false,
            series,
        }
    }
}

impl Lane {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            train: Vec::new(),
            held_out: Vec::new(),
        }
    }
}

fn place(plan: Plan) -> Result<PathBuf, String> {
    folder(plan.small)
        .ok_or_else(|| "There is no home folder, so no checkpoint can be kept.".to_owned())
}

/// The cross attention of the decoder's last layer, `[1, heads, target, source]`.
fn cross(
    model: &transformer_tutor::transformer::Transformer,
    params: &Params,
    src: &[u32],
    read: &[u32],
) -> Tensor {
    let tape = Tape::eval(params);
    let ids = |name: &str, ids: &[u32], axes| {
        let cells = ids.iter().map(|&id| id as f32).collect();
        tape.ids(name, Tensor::new(&[1, ids.len()], cells), axes)
    };
    model.forward(
        &ids("src", src, &["b", "s"]),
        &ids("tgt", read, &["b", "t"]),
    );
    let layer = model.config.layers - 1;
    let name = format!("decoder.layers.{layer}.src_attn.weights");
    let trace = tape.trace();
    trace
        .tensor(&name)
        .expect("the decoder has this layer")
        .clone()
}

/// Of too many points each two neighbours become their mean.
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

fn duration(seconds: f64) -> String {
    if seconds >= 90.0 {
        format!("{:.1} min", seconds / 60.0)
    } else {
        format!("{seconds:.0} s")
    }
}
