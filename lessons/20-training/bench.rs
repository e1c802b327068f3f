//! The learner's own run: lanes that train side by side, their snapshots, and what is drawn of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use transformer_tutor::lesson::models::Model;
use transformer_tutor::lesson::progress;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::threads::{machine, side_by_side};
use transformer_tutor::train::checkpoint::{self, CheckpointError, Translator};
use transformer_tutor::train::run_folder::RunFolder;
use transformer_tutor::train::trainer::Trainer;
use transformer_tutor::transformer::Transformer;

use super::ground;
use super::lane::{Lane, LaneContext, LaneSnapshot};
use super::plan::{Plan, Text};
use transformer_tutor::lesson::short_run::ground::Ground;

mod shown;

/// Maximum number of lanes.
pub const LANES: usize = 4;

/// Maximum size of the snapshots in bytes. With weights and both moments, each takes about 11 MB at the full size.
const BUDGET: usize = 320 << 20;

/// A run, with all its lanes.
pub struct Bench {
    plan: Plan,
    ground: Ground,
    /// Folder for its checkpoints; `None` without a home folder.
    folder: Option<RunFolder>,
    /// The lanes, at least one.
    pub lanes: Vec<Lane>,
    /// Snapshots of all lanes, oldest first.
    snapshots: Vec<LaneSnapshot>,
    /// Updates between two snapshots; doubled when there are too many snapshots.
    every: usize,
    head: usize,
    /// Number of the next snapshot.
    next: usize,
    /// Snapshots that have been offered as models, by their numbers.
    models: HashMap<usize, Arc<Model>>,
    /// Number of this run within the program.
    number: usize,
}

/// Version of what a run offers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Edition {
    run: usize,
    /// Number of the next snapshot.
    next_snapshot: usize,
    /// Number of lanes.
    lanes: usize,
    /// The lane in front.
    front: usize,
}

impl Bench {
    /// Starts a run. The files of another run in the folder are set aside.
    pub fn begin(plan: Plan, tell: &dyn Fn(&str)) -> Result<Self, String> {
        tell(match plan.text {
            Text::Phrasebook => "Drawing sentences and learning the vocabulary …",
            Text::Own(..) => "Reading your text and learning its vocabulary …",
        });
        let config = plan.config();
        config.check()?;
        let ground = ground::of(&plan, &config, None)?;
        let trainer = Trainer::new(config, ground.words(), ground.train.clone(), machine());
        let (folder, remark) = vacant(&plan)?;
        let mut bench = Self::new(plan, folder, vec![Lane::new(0, trainer, &ground)], ground);
        bench.lanes[0].message = remark;
        Ok(bench)
    }

    /// Continues each lane from its newest checkpoint, with the settings it was started with. `held` is the folder of
    /// the previous run in this program, whose lock it may need.
    pub fn resume(
        plan: Plan,
        held: Option<RunFolder>,
        tell: &dyn Fn(&str),
    ) -> Result<Self, String> {
        tell("Reading the checkpoint, and the same sentences again …");
        let nothing = "There is no checkpoint yet; start a run first.";
        let path = plan.folder().ok_or(nothing)?;
        let held = held.filter(|held| held.path() == path);
        let run = held.map_or_else(|| RunFolder::open(&path), Ok);
        let run = run.map_err(sentence_for)?;
        let mut text: Option<Ground> = None;
        let mut lanes = Vec::new();
        for (id, folder) in plan.lanes().into_iter().take(LANES) {
            let resume_point = checkpoint::resume(&folder).map_err(|e| e.to_string())?;
            let config = resume_point.config.clone();
            let ground = match text.take() {
                Some(ground) => ground,
                None => ground::of(&plan, &config, Some(resume_point.pipeline.clone()))?,
            };
            let mut trainer = Trainer::new(config, ground.words(), ground.train.clone(), machine());
            let resumed = of_lane(&run, id).go_on(resume_point, &mut trainer);
            resumed.map_err(|e| e.to_string())?;
            let mut lane = Lane::new(id, trainer, &ground);
            lane.message = format!("It can continue from update {}.", lane.step());
            lanes.push(lane);
            text = Some(ground);
        }
        let ground = text.ok_or(nothing)?;
        Ok(Self::new(plan, Some(run), lanes, ground))
    }

    fn new(plan: Plan, folder: Option<RunFolder>, lanes: Vec<Lane>, ground: Ground) -> Self {
        static RUNS: AtomicUsize = AtomicUsize::new(1);
        let every = if plan.small { 20 } else { 25 };
        let mut bench = Self {
            plan,
            ground,
            folder,
            lanes,
            snapshots: Vec::new(),
            every,
            head: 0,
            next: 0,
            models: HashMap::new(),
            number: RUNS.fetch_add(1, Ordering::Relaxed),
        };
        for lane in 0..bench.lanes.len() {
            let begun = &mut bench.lanes[lane];
            begun.held_out = vec![(begun.step() as f64, begun.seen.held_out)];
            bench.keep(lane);
        }
        bench
    }

    /// Number of updates done by each lane; `None` if it has done all.
    pub fn places(&self) -> Vec<Option<usize>> {
        let place = |lane: &Lane| (!lane.trainer.is_done()).then(|| lane.step());
        self.lanes.iter().map(place).collect()
    }

    /// Runs one update of each lane in `due`, side by side. Returns the lanes that cannot continue; each says why.
    pub fn update(&mut self, due: &[usize]) -> Vec<usize> {
        let (cores, many) = (machine(), due.len().max(1));
        let (ground, every) = (&self.ground, self.every);
        let folders: Vec<Option<RunFolder>> = (self.lanes.iter())
            .map(|lane| self.folder_of(lane.id))
            .collect();
        let ours = self.lanes.iter_mut().zip(&folders).enumerate();
        let ours = ours.filter(|(n, _)| due.contains(n));
        let lanes = ours.enumerate().map(|(turn, (n, (lane, folder)))| {
            let share = cores / many + usize::from(turn < cores % many);
            let context = LaneContext {
                ground,
                every,
                folder: folder.as_ref(),
            };
            (n, lane, share.max(1), context)
        });
        let losses = side_by_side(lanes.collect(), |(n, lane, share, context)| {
            (n, lane.update(share, context))
        });
        let mut stopped = Vec::new();
        for (n, result) in losses {
            match result {
                Ok(true) => self.keep(n),
                Ok(false) => {}
                Err(sentence) => {
                    self.lanes[n].message = sentence;
                    stopped.push(n);
                }
            }
        }
        stopped
    }

    /// Keeps a snapshot; if there are too many, drops every other one.
    fn keep(&mut self, lane: usize) {
        self.snapshots.push(self.lanes[lane].snapshot(self.next));
        self.next += 1;
        let bytes = 12 * self.lanes[lane].trainer.params.count().max(1);
        if self.snapshots.len() > (BUDGET / bytes).clamp(8, 48) {
            let newest =
                |id: usize, all: &[LaneSnapshot]| all.iter().rfind(|k| k.lane == id).map(|k| k.id);
            let last: Vec<_> = (self.lanes.iter())
                .filter_map(|lane| newest(lane.id, &self.snapshots))
                .collect();
            let mut met = HashMap::new();
            // Keep the first and the newest snapshot of every lane.
            self.snapshots.retain(|snapshot| {
                let n = met.entry(snapshot.lane).or_insert(0);
                *n += 1;
                *n % 2 == 1 || last.contains(&snapshot.id)
            });
            self.every *= 2;
        }
    }

    /// Writes a checkpoint of a lane.
    pub fn save(&mut self, lane: usize) -> Result<(), String> {
        let folder = self.folder_of(self.lanes[lane].id);
        self.lanes[lane].save(folder.as_ref(), &self.ground)
    }

    fn folder_of(&self, lane: usize) -> Option<RunFolder> {
        self.folder.as_ref().map(|run| of_lane(run, lane))
    }

    /// Folder of the run, for the one that follows it.
    pub fn held(&self) -> Option<RunFolder> {
        self.folder.clone()
    }

    /// Moves to an earlier or later snapshot of a lane; after the last comes the present again.
    pub fn rewind(&mut self, lane: usize, by: isize) {
        let snapshots = self.way(lane);
        let lane = &mut self.lanes[lane];
        let at = |id| snapshots.iter().position(|snapshot| snapshot.id == id);
        let now = lane.view.and_then(at).unwrap_or(snapshots.len());
        let next = snapshots
            .get(now.saturating_add_signed(by))
            .map(|snapshot| snapshot.id);
        lane.view = next;
        if next.is_none() {
            lane.look(&self.ground);
        }
    }

    /// Snapshots of a lane and of its ancestors, by update.
    fn way(&self, lane: usize) -> Vec<LaneSnapshot> {
        let lane = &self.lanes[lane];
        let passed = self
            .snapshots
            .iter()
            .filter(|snapshot| lane.has_passed(snapshot));
        let mut passed: Vec<LaneSnapshot> = passed.cloned().collect();
        passed.sort_by_key(|snapshot| (snapshot.state.step, snapshot.id));
        passed
    }

    /// The snapshot that a lane shows, if it shows one.
    fn viewed(&self, lane: &Lane) -> Option<&LaneSnapshot> {
        let id = lane.view?;
        self.snapshots.iter().find(|snapshot| snapshot.id == id)
    }

    /// Adds a lane that continues with other settings from the snapshot shown in `lane`, or from the present.
    pub fn fork(&mut self, lane: usize, plan: &Plan) {
        let from = &self.lanes[lane];
        let now = || from.snapshot(usize::MAX);
        let snapshot = self.viewed(from).cloned().unwrap_or_else(now);
        let mut config = snapshot.config.clone();
        let base = Plan {
            factor: 1.0,
            ..self.plan.clone()
        };
        config.rate = base.config().rate * plan.factor;
        config.dropout = plan.dropout;
        let same = config == from.trainer.config;
        let used = |id: &usize| {
            let folder = self.folder_of(*id);
            folder.is_some_and(|folder| folder.path().exists())
                || self.lanes.iter().any(|lane| lane.comes_from(*id))
        };
        let id = (1..).find(|id| !used(id)).expect("numbers do not end");
        let mut fork = Lane::fork(id, from, snapshot, config, &self.ground);
        fork.message = format!("Forked at update {}.", fork.step());
        if same {
            fork.message += " Its settings equal the lane it left: change the rate or the dropout before the fork, or the rate now.";
        }
        self.lanes[lane].view = None;
        self.lanes.push(fork);
        self.keep(self.lanes.len() - 1);
    }

    /// Ends a lane; its checkpoints are set aside.
    pub fn drop_lane(&mut self, lane: usize) -> Result<(), String> {
        let gone = self.lanes.remove(lane);
        let lanes = &self.lanes;
        self.snapshots
            .retain(|snapshot| lanes.iter().any(|lane| lane.has_passed(snapshot)));
        let folder = self.folder_of(gone.id);
        let path = folder.as_ref().map(RunFolder::path);
        if let Some(path) = path.filter(|path| gone.id > 0 && path.exists()) {
            set_aside(path)?;
        }
        Ok(())
    }

    /// Shows the next head.
    pub fn turn_head(&mut self) {
        self.head = (self.head + 1) % self.lanes[0].trainer.config.heads;
    }

    /// Snapshots in the history of the lane in front, oldest first, for the lessons that look into a model.
    pub fn offers(&mut self, front: usize) -> Vec<Arc<Model>> {
        let in_lane = self.way(front);
        let lane = match self.lanes.len() {
            1 => String::new(),
            _ => format!(", lane {}", front + 1),
        };
        let (snapshots, ground) = (&self.snapshots, &self.ground);
        let (source, target) = ground.words();
        let exists = |id: &usize| snapshots.iter().any(|snapshot| snapshot.id == *id);
        self.models.retain(|id, _| exists(id));
        let model = |snapshot: &LaneSnapshot| {
            let config = snapshot.config.model(source, target);
            let translator = Translator {
                model: Transformer::new(&mut Params::layout(), &config),
                params: snapshot.params.clone(),
                pipeline: ground.pipeline.clone(),
            };
            let about = format!("update {} of your run{lane}", snapshot.state.step);
            let key = format!("your run {}, snapshot {}", self.number, snapshot.id);
            Arc::new(Model::new(about, key, translator))
        };
        let known = in_lane.iter().map(|snapshot| {
            let known = self.models.entry(snapshot.id);
            known.or_insert_with(|| model(snapshot)).clone()
        });
        known.collect()
    }

    /// Identifies the set of offers: changes whenever they do.
    pub fn edition(&self, front: usize) -> Edition {
        Edition {
            run: self.number,
            next_snapshot: self.next,
            lanes: self.lanes.len(),
            front: self.lanes[front].id,
        }
    }
}

/// Folder for a lane's checkpoints; lane 0, with which the run began, uses the run's own folder.
fn of_lane(run: &RunFolder, id: usize) -> RunFolder {
    match id {
        0 => run.clone(),
        id => run.inner(&format!("lane-{}", id + 1)),
    }
}

/// Folder for a new run, and a message about it. The files of another run in it are set aside.
fn vacant(plan: &Plan) -> Result<(Option<RunFolder>, String), String> {
    let Some(path) = plan.folder() else {
        return Ok((None, String::new()));
    };
    let begin = || RunFolder::begin(&path);
    let held = match begin() {
        Ok(folder) if plan.lanes().is_empty() => return Ok((Some(folder), String::new())),
        Ok(folder) => Some(folder),
        // The lock is held until the folder has been moved.
        Err(CheckpointError::Begun { .. }) => {
            RunFolder::open(&path).map(Some).map_err(sentence_for)?
        }
        Err(CheckpointError::Foreign { .. }) => None,
        Err(e) => return Err(sentence_for(e)),
    };
    let aside = set_aside(&path)?;
    drop(held);
    let sentence = format!("The earlier run is now in {}.", aside.display());
    Ok((Some(begin().map_err(sentence_for)?), sentence))
}

fn sentence_for(error: CheckpointError) -> String {
    format!("{error}.")
}

fn set_aside(path: &Path) -> Result<PathBuf, String> {
    progress::set_aside(path).map_err(|e| format!("{} cannot be set aside: {e}", path.display()))
}
