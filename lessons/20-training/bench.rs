//! The learner's own run: its lanes, which train side by side, their snapshots, and what is drawn of them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use transformer_tutor::lesson::models::Model;
use transformer_tutor::lesson::progress;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::threads::{Scope, machine};
use transformer_tutor::train::checkpoint::{self, Translator};
use transformer_tutor::train::trainer::Trainer;
use transformer_tutor::transformer::Transformer;

use super::ground::{self, Ground};
use super::lane::{Habits, Kept, Lane};
use super::plan::{Plan, Text};

mod shown;

/// Lanes at most.
pub const LANES: usize = 4;

/// Bytes that snapshots may take, with weights and both moments: about 11 MB each at the full size.
const BUDGET: usize = 320 << 20;

/// The run.
pub struct Bench {
    plan: Plan,
    ground: Ground,
    /// Its lanes; there is at least one.
    pub lanes: Vec<Lane>,
    /// Snapshots of all lanes, oldest first.
    kept: Vec<Kept>,
    /// Updates between two snapshots; doubles when the snapshots are too many.
    every: usize,
    head: usize,
    /// The number of the next snapshot.
    next: usize,
    /// Snapshots as models, by their numbers, as far as they were offered.
    models: HashMap<usize, Arc<Model>>,
    /// Its number among the runs of the program.
    number: usize,
}

/// The sizes of both vocabularies.
pub fn words(ground: &Ground) -> (usize, usize) {
    let pipeline = &ground.pipeline;
    (
        pipeline.source.vocabulary.len(),
        pipeline.target.vocabulary.len(),
    )
}

impl Bench {
    /// A run from the first update. What another run has left in the folder is kept aside.
    pub fn begin(plan: Plan, tell: &dyn Fn(&str)) -> Result<Self, String> {
        tell(match plan.text {
            Text::Phrasebook => "Drawing sentences and learning the vocabulary …",
            Text::Own(..) => "Reading your text and learning its vocabulary …",
        });
        let config = plan.config();
        config.check()?;
        let ground = ground::of(&plan, &config, None)?;
        let trainer = Trainer::new(config, words(&ground), ground.train.clone(), machine());
        let mut bench = Self::new(plan, vec![Lane::new(0, trainer, &ground)], ground);
        let folder = bench.plan.folder();
        if let Some(folder) = folder.filter(|_| !bench.plan.lanes().is_empty()) {
            let aside = progress::set_aside(&folder)
                .map_err(|e| format!("{} cannot be set aside: {e}", folder.display()))?;
            bench.lanes[0].said = format!("The run before is kept in {}.", aside.display());
        }
        Ok(bench)
    }

    /// The run that goes on from the newest checkpoint of each of its lanes, with the settings they were begun with.
    pub fn resume(plan: Plan, tell: &dyn Fn(&str)) -> Result<Self, String> {
        tell("Reading the checkpoint, and the same sentences again …");
        let mut text: Option<Ground> = None;
        let mut lanes = Vec::new();
        for (id, folder) in plan.lanes().into_iter().take(LANES) {
            let kept = checkpoint::resume(&folder).map_err(|e| e.to_string())?;
            let config = kept.config.clone();
            let ground = match text.take() {
                Some(ground) => ground,
                None => ground::of(&plan, &config, Some(kept.pipeline.clone()))?,
            };
            let mut trainer = Trainer::new(config, words(&ground), ground.train.clone(), machine());
            kept.restore(&mut trainer).map_err(|e| e.to_string())?;
            let mut lane = Lane::new(id, trainer, &ground);
            lane.held_out = vec![(lane.step() as f64, lane.seen.held_out)];
            lane.said = format!("Goes on from update {}: r.", lane.step());
            lanes.push(lane);
            text = Some(ground);
        }
        let ground = text.ok_or("No checkpoint is kept yet; r begins a run.")?;
        Ok(Self::new(plan, lanes, ground))
    }

    fn new(plan: Plan, lanes: Vec<Lane>, ground: Ground) -> Self {
        static RUNS: AtomicUsize = AtomicUsize::new(1);
        let every = if plan.small { 20 } else { 25 };
        let mut bench = Self {
            plan,
            ground,
            lanes,
            kept: Vec::new(),
            every,
            head: 0,
            next: 0,
            models: HashMap::new(),
            number: RUNS.fetch_add(1, Ordering::Relaxed),
        };
        for lane in 0..bench.lanes.len() {
            let place = bench.lanes[lane].step() as f64;
            let held_out = bench.lanes[lane].seen.held_out;
            bench.lanes[lane].held_out = vec![(place, held_out)];
            bench.keep(lane);
        }
        bench
    }

    /// How many updates each lane has done; `None` if all.
    pub fn places(&self) -> Vec<Option<usize>> {
        let place = |lane: &Lane| (!lane.trainer.is_done()).then(|| lane.step());
        self.lanes.iter().map(place).collect()
    }

    /// One update of each lane in `due`, side by side. Returns those that cannot go on; each says why.
    pub fn update(&mut self, due: &[usize]) -> Vec<usize> {
        let (cores, many) = (machine(), due.len().max(1));
        let (ground, every) = (&self.ground, self.every);
        let folder = self.plan.folder();
        let folders: Vec<Option<PathBuf>> = (self.lanes.iter())
            .map(|lane| folder_of(folder.as_ref(), lane.id))
            .collect();
        let ours = self.lanes.iter_mut().zip(&folders).enumerate();
        let ours = ours.filter(|(n, _)| due.contains(n));
        let mut found = Vec::new();
        std::thread::scope(|scope| {
            let mut others = Vec::new();
            for (turn, (n, (lane, folder))) in ours.enumerate() {
                let habits = Habits {
                    ground,
                    every,
                    folder: folder.as_ref(),
                };
                if many == 1 {
                    found.push((n, lane.update(cores, habits)));
                    continue;
                }
                let share = cores / many + usize::from(turn < cores % many);
                let work = move || (n, lane.update(share.max(1), habits));
                let here = Scope::here();
                others.push(scope.spawn(move || here.enter(work)));
            }
            // A panic of a lane goes on to whoever catches it.
            found.extend(others.into_iter().map(|other| {
                other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }));
        });
        let mut stopped = Vec::new();
        for (n, result) in found {
            match result {
                Ok(true) => self.keep(n),
                Ok(false) => {}
                Err(sentence) => {
                    self.lanes[n].said = sentence;
                    stopped.push(n);
                }
            }
        }
        stopped
    }

    /// Keeps a snapshot; of too many every other goes.
    fn keep(&mut self, lane: usize) {
        self.kept.push(self.lanes[lane].snapshot(self.next));
        self.next += 1;
        let bytes = 12 * self.lanes[lane].trainer.params.count().max(1);
        if self.kept.len() > (BUDGET / bytes).clamp(8, 48) {
            let newest = |id: usize, all: &[Kept]| all.iter().rfind(|k| k.lane == id).map(|k| k.id);
            let last: Vec<_> = (self.lanes.iter())
                .filter_map(|lane| newest(lane.id, &self.kept))
                .collect();
            let mut met = HashMap::new();
            // The first and the newest of every lane stay.
            self.kept.retain(|kept| {
                let n = met.entry(kept.lane).or_insert(0);
                *n += 1;
                *n % 2 == 1 || last.contains(&kept.id)
            });
            self.every *= 2;
        }
    }

    /// Writes a checkpoint of a lane.
    pub fn save(&mut self, lane: usize) -> Result<(), String> {
        let folder = folder_of(self.plan.folder().as_ref(), self.lanes[lane].id);
        self.lanes[lane].save(folder.as_ref(), &self.ground)
    }

    /// Looks at an earlier or later snapshot of a lane; after the last comes the present again.
    pub fn rewind(&mut self, lane: usize, by: isize) {
        let way = self.way(lane);
        let lane = &mut self.lanes[lane];
        let at = |id| way.iter().position(|kept| kept.id == id);
        let now = lane.view.and_then(at).unwrap_or(way.len());
        let next = way.get(now.saturating_add_signed(by)).map(|kept| kept.id);
        lane.view = next;
        if next.is_none() {
            lane.look(&self.ground);
        }
    }

    /// The snapshots of a lane and of those that it comes from, by update.
    fn way(&self, lane: usize) -> Vec<Kept> {
        let lane = &self.lanes[lane];
        let passed = self.kept.iter().filter(|kept| lane.has_passed(kept));
        let mut passed: Vec<Kept> = passed.cloned().collect();
        passed.sort_by_key(|kept| (kept.state.step, kept.id));
        passed
    }

    /// The snapshot that is looked at in a lane.
    fn viewed(&self, lane: &Lane) -> Option<&Kept> {
        let id = lane.view?;
        self.kept.iter().find(|kept| kept.id == id)
    }

    /// A new lane that goes on from the snapshot looked at in `lane` (or from now) with other settings.
    pub fn fork(&mut self, lane: usize, plan: &Plan) {
        let from = &self.lanes[lane];
        let kept = match self.viewed(from) {
            Some(kept) => kept.clone(),
            None => from.snapshot(usize::MAX),
        };
        let mut config = kept.config.clone();
        let base = Plan {
            factor: 1.0,
            ..self.plan.clone()
        };
        config.rate = base.config().rate * plan.factor;
        config.dropout = plan.dropout;
        let same = config == from.trainer.config;
        let folder = self.plan.folder();
        let used = |id: &usize| {
            let there = folder_of(folder.as_ref(), *id).is_some_and(|folder| folder.exists());
            there || self.lanes.iter().any(|lane| lane.comes_from(*id))
        };
        let id = (1..).find(|id| !used(id)).expect("numbers do not end");
        let mut fork = Lane::fork(id, from, kept, config, &self.ground);
        fork.said = format!("Forked at update {}.", fork.step());
        if same {
            fork.said += " It is the same as the lane it left: turn rate or dropout before f, or press + now.";
        }
        self.lanes[lane].view = None;
        self.lanes.push(fork);
        self.keep(self.lanes.len() - 1);
    }

    /// Gives a lane up; its checkpoints are kept aside.
    pub fn drop_lane(&mut self, lane: usize) -> Result<(), String> {
        let gone = self.lanes.remove(lane);
        let lanes = &self.lanes;
        self.kept
            .retain(|kept| lanes.iter().any(|lane| lane.has_passed(kept)));
        let folder = folder_of(self.plan.folder().as_ref(), gone.id);
        if let Some(folder) = folder.filter(|folder| gone.id > 0 && folder.exists()) {
            progress::set_aside(&folder)
                .map_err(|e| format!("{} cannot be set aside: {e}", folder.display()))?;
        }
        Ok(())
    }

    /// Shows the next head.
    pub fn turn_head(&mut self) {
        self.head = (self.head + 1) % self.lanes[0].trainer.config.heads;
    }

    /// The snapshots on the way of the lane in front, oldest first, for the lessons that look into a model.
    pub fn offers(&mut self, front: usize) -> Vec<Arc<Model>> {
        let way = self.way(front);
        let many = self.lanes.len() > 1;
        let pipeline = &self.ground.pipeline;
        self.models
            .retain(|id, _| self.kept.iter().any(|kept| kept.id == *id));
        let model = |kept: &Kept| {
            let lane = if many {
                format!(", lane {}", front + 1)
            } else {
                String::new()
            };
            let config = kept
                .config
                .model(words(&self.ground).0, words(&self.ground).1);
            let translator = Translator {
                model: Transformer::new(&mut Params::layout(), &config),
                params: kept.params.clone(),
                pipeline: pipeline.clone(),
            };
            let about = format!("update {} of your run{lane}", kept.state.step);
            let key = format!("your run {}, snapshot {}", self.number, kept.id);
            Arc::new(Model::new(about, key, translator))
        };
        way.iter()
            .map(|kept| {
                let known = self.models.entry(kept.id);
                known.or_insert_with(|| model(kept)).clone()
            })
            .collect()
    }

    /// What the offers depend on: another number whenever there are others.
    pub fn edition(&self, front: usize) -> (usize, usize, usize, usize) {
        (
            self.number,
            self.next,
            self.lanes.len(),
            self.lanes[front].id,
        )
    }
}

/// Where a lane's checkpoints are kept: of the run that was begun in the folder itself.
fn folder_of(run: Option<&PathBuf>, id: usize) -> Option<PathBuf> {
    let run = run?.clone();
    Some(match id {
        0 => run,
        id => run.join(format!("lane-{}", id + 1)),
    })
}
