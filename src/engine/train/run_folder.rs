//! The folder of a run during training, written in such an order that a run killed at any point resumes as if nothing
//! had happened.
//!
//! The newest complete checkpoint is the single source of truth. It appears by one rename, after the line of its
//! measurement is in `log.jsonl` and before `best/` is updated. Anything missing or superfluous can be recognised from
//! it, and [`RunFolder::go_on`] repairs that (`heal.rs`). `run.lock` marks the folder as a run of this program and
//! prevents two programs from training it at the same time.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use self::lock::Lock;
use super::checkpoint::{self, CheckpointError, MODEL, ResumePoint, TRAINER, folder_name};
use super::trainer::Trainer;
use crate::data::disk::{Disk, LEAVING, WRITING, exists, is_link};
use crate::data::safetensors::{self, NamedTensors};
use crate::data::seal;
use crate::data::weights;
use crate::tensor::threads::lock;
use crate::text::pipeline::Pipeline;

mod heal;
mod lock;
pub mod origin;
pub mod recognise;
#[cfg(test)]
mod tests;

/// File with one line per measurement on the held-out corpus.
pub const LOG: &str = "log.jsonl";

/// File that records where a run's text comes from.
pub const CORPUS: &str = "corpus.json";

/// The folder of a run that this program trains. It is locked until the last clone is dropped or the program ends.
#[derive(Clone)]
pub struct RunFolder {
    path: PathBuf,
    disk: Disk,
    _lock: Arc<Lock>,
    /// True for a run inside the locked one.
    is_inner: bool,
    leftovers: Arc<Mutex<Leftovers>>,
}

/// Folders that could not be removed.
#[derive(Default)]
struct Leftovers {
    unreported: Vec<Leftover>,
    links: HashSet<PathBuf>,
}

/// A folder that is no longer needed but stays.
#[derive(Debug, PartialEq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum Leftover {
    #[error("{0} is no longer needed, but stays: it holds files that train did not write")]
    Shared(PathBuf),
    #[error(
        "{0} is no longer needed, but stays: it is a symbolic link, and a run removes nothing behind one"
    )]
    Linked(PathBuf),
}

impl RunFolder {
    /// Locks the folder for a new run, creating it if necessary. [`recognise::may_begin`] describes what is refused.
    pub fn begin(path: &Path) -> Result<Self, CheckpointError> {
        Self::begin_on(path, Disk::default())
    }

    /// Locks the folder of a run to resume. Nothing but the lock is written until [`RunFolder::go_on`].
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        Self::open_on(path, Disk::default())
    }

    fn begin_on(path: &Path, disk: Disk) -> Result<Self, CheckpointError> {
        recognise::may_begin(path)?;
        disk.make_folders(path).map_err(|e| unwritten(path, e))?;
        let folder = Self::locked(path, disk)?;
        // Another program may have begun a run here before this one held the lock.
        recognise::may_begin(path)?;
        folder.heal()?;
        Ok(folder)
    }

    fn open_on(path: &Path, disk: Disk) -> Result<Self, CheckpointError> {
        if !recognise::is_run(path) {
            return Err(CheckpointError::NoCheckpoint { path: path.into() });
        }
        Self::locked(path, disk)
    }

    fn locked(path: &Path, disk: Disk) -> Result<Self, CheckpointError> {
        Ok(Self {
            path: path.to_owned(),
            _lock: Arc::new(Lock::take(path)?),
            disk,
            is_inner: false,
            leftovers: Arc::default(),
        })
    }

    /// Returns the folder `name` inside, for a run that belongs to this one and is locked with it. It is created when
    /// there is something to save.
    pub fn inner(&self, name: &str) -> Self {
        Self {
            path: self.path.join(name),
            is_inner: true,
            ..self.clone()
        }
    }

    /// Path of the folder, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Restores `trainer` from the checkpoint, then repairs what a killed program has left, so that the log ends with
    /// this checkpoint, `best/` is the model that its state calls the best, and nothing is half written or removed.
    pub fn go_on(&self, point: ResumePoint, trainer: &mut Trainer) -> Result<(), CheckpointError> {
        point.restore(trainer)?;
        self.heal()
    }

    /// Returns the folders that could not be removed, each once.
    pub fn leftovers(&self) -> Vec<Leftover> {
        let mut left = lock(&self.leftovers);
        std::mem::take(&mut left.unreported)
    }

    /// Refuses a run with a link where the run writes, because the target does not belong to the run. A checkpoint may
    /// be a link, and is then only read.
    fn refuse_links(&self) -> Result<(), CheckpointError> {
        let written = ["best", LOG, CORPUS].map(|name| self.path.join(name));
        let inner = self.is_inner.then(|| self.path.clone());
        let mut written = written.into_iter().chain(inner);
        match written.find(|path| is_link(path)) {
            Some(path) => Err(CheckpointError::Linked { path }),
            None => Ok(()),
        }
    }

    /// Records where the run's text comes from.
    pub fn remember(&self, corpus: &str) -> Result<(), CheckpointError> {
        let path = self.path.join(CORPUS);
        if fs::read(&path).is_ok_and(|content| content == corpus.as_bytes()) {
            return Ok(());
        }
        self.disk
            .replace(&path, corpus.as_bytes())
            .map_err(|e| unwritten(&path, e))
    }

    /// Saves a measurement: first its line in the log, then the checkpoint.
    pub fn record(
        &self,
        trainer: &Trainer,
        pipeline: &Pipeline,
        line: &str,
    ) -> Result<PathBuf, CheckpointError> {
        finite(trainer)?;
        // The line comes first: one without a checkpoint can be cut off again, but a missing one cannot be restored.
        let log = self.path.join(LOG);
        self.disk
            .append(&log, format!("{line}\n").as_bytes())
            .map_err(|e| unwritten(&log, e))?;
        self.save(trainer, pipeline)
    }

    /// Writes the checkpoint of this step, complete enough to resume from, and returns its folder. Then copies it to
    /// `best/` if it is the best, removes the trainer's state from older checkpoints, and deletes those beyond `keep`.
    ///
    /// Older checkpoints stay untouched until the new one is complete. Fails if anything to save is NaN or infinite.
    pub fn save(&self, trainer: &Trainer, pipeline: &Pipeline) -> Result<PathBuf, CheckpointError> {
        let step = trainer.state.step;
        let folder = self.put(&folder_name("step", step), trainer, pipeline)?;
        if trainer.state.best.is_some_and(|(_, best)| best == step) {
            self.put_best(&folder)?;
        }
        self.prune(trainer.config.keep);
        Ok(folder)
    }

    /// Writes a checkpoint between two measurements, from which the run resumes as if it had never paused. The next
    /// measured checkpoint replaces it.
    pub fn pause(&self, trainer: &Trainer, pipeline: &Pipeline) -> Result<(), CheckpointError> {
        let step = trainer.state.step;
        let known = checkpoint::newest(&self.path).is_some_and(|(newest, _)| newest == step);
        if step > 0 && !known {
            self.put(&folder_name("paused", step), trainer, pipeline)?;
            self.prune(usize::MAX);
        }
        Ok(())
    }

    /// Writes the folder `name` atomically.
    fn put(
        &self,
        name: &str,
        trainer: &Trainer,
        pipeline: &Pipeline,
    ) -> Result<PathBuf, CheckpointError> {
        finite(trainer)?;
        let path = self.path.join(name);
        self.refuse_links()?;
        if is_link(&path) {
            return Err(CheckpointError::Linked { path });
        }
        let failed = |e| unwritten(&path, e);
        // If the same update is saved again, only its settings can have changed. All files are replaced together,
        // because they name each other's checksums.
        let mut files = contents(trainer, pipeline);
        if path.is_dir() && files.all(|(file, bytes)| is_there(&path.join(file), &bytes)) {
            return Ok(path);
        }
        let staged = self.path.join(format!("{WRITING}{name}"));
        let fill = || {
            self.disk.make_folders(&self.path)?;
            self.dismantle(&staged)?;
            self.disk.make_folder(&staged)?;
            for (file, bytes) in contents(trainer, pipeline) {
                self.disk.write(&staged.join(file), &bytes)?;
            }
            self.disk.sync_folder(&staged)
        };
        if let Err(e) = fill() {
            // The disk may be full, so free the space.
            let _ = self.dismantle(&staged);
            return Err(failed(e));
        }
        let aside = self.path.join(format!("{LEAVING}{name}"));
        if exists(&path) {
            self.disk.rename(&path, &aside).map_err(failed)?;
        }
        if let Err(e) = self.disk.rename(&staged, &path) {
            if exists(&aside) {
                let _ = self.disk.rename(&aside, &path);
            }
            let _ = self.dismantle(&staged);
            return Err(failed(e));
        }
        self.disk.sync_folder(&self.path).map_err(failed)?;
        if exists(&aside) {
            let _ = self.dismantle(&aside);
        }
        Ok(path)
    }

    /// Copies the model of a checkpoint to `best/`, where a complete model can be read at any moment.
    fn put_best(&self, from: &Path) -> Result<(), CheckpointError> {
        let best = self.path.join("best");
        let copy = || {
            if !best.is_dir() {
                self.disk.make_folder(&best)?;
            }
            // The weights come last, because all models of a run share one vocabulary.
            for file in MODEL.iter().rev() {
                let bytes = fs::read(from.join(file))?;
                // A damaged checkpoint must not replace its sound copy.
                if !is_there(&best.join(file), &bytes) && !seal::is_intact(&bytes) {
                    break;
                }
                self.refresh(&best.join(file), &bytes)?;
            }
            self.disk.sync_folder(&best)
        };
        copy().map_err(|e| unwritten(&best, e))
    }

    /// Replaces the content of a file, unless it already consists of these bytes.
    fn refresh(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        if is_there(path, bytes) {
            Ok(())
        } else {
            self.disk.replace(path, bytes)
        }
    }
}

/// True if a file contains exactly these bytes.
fn is_there(path: &Path, bytes: &[u8]) -> bool {
    // A file of a different size need not be read.
    let size = fs::metadata(path).map(|kind| kind.len());
    size.is_ok_and(|size| size == bytes.len() as u64)
        && fs::read(path).is_ok_and(|content| content == bytes)
}

/// Files of a checkpoint, each made after the previous one is written, because the moments, which name the checksums of
/// the others, are large.
fn contents(
    trainer: &Trainer,
    pipeline: &Pipeline,
) -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    let mut sums = BTreeMap::new();
    MODEL.into_iter().chain(TRAINER).map(move |file| {
        let bytes = match file {
            "model.safetensors" => {
                let config = &trainer.model.config;
                let tokenizer = pipeline.to_json();
                let file = weights::file_beside(config, &trainer.params, &tokenizer);
                safetensors::to_bytes(&file)
            }
            "tokenizer.json" => pipeline.to_json().into_bytes(),
            "config.toml" => trainer.config.to_toml().into_bytes(),
            "trainer.safetensors" => {
                sums.insert("trainer.json", seal::sha256(&state(trainer)));
                safetensors::to_bytes(&moments(trainer, &sums))
            }
            "trainer.json" => state(trainer),
            file => unreachable!("no checkpoint has a file {file}"),
        };
        // Weights carry their own checksum.
        let sum = seal::carried(&bytes).unwrap_or_else(|| seal::sha256(&bytes));
        sums.insert(file, sum);
        (file, bytes)
    })
}

/// Contents of `trainer.json`.
fn state(trainer: &Trainer) -> Vec<u8> {
    let state = serde_json::to_string_pretty(&trainer.state);
    state.expect("a state is plain data").into_bytes()
}

/// Moments, step count, and the checksums of the files beside them.
fn moments(trainer: &Trainer, sums: &BTreeMap<&str, String>) -> NamedTensors {
    let all = trainer.params.iter().zip(&trainer.adam.moments);
    let tensors = all.flat_map(|((_, name, _), (mean, square))| {
        let [means, squares] = checkpoint::moment_names(name);
        [(means, mean.clone()), (squares, square.clone())]
    });
    let sums = sums
        .iter()
        .map(|(file, sum)| (checkpoint::sum_key(file), sum.clone()));
    let steps = ("steps".to_owned(), trainer.adam.steps.to_string());
    let file = NamedTensors {
        metadata: sums.chain([steps]).collect(),
        tensors: tensors.collect(),
    };
    file.sealed()
}

fn finite(trainer: &Trainer) -> Result<(), CheckpointError> {
    let step = trainer.state.step;
    match trainer.not_finite() {
        Some(what) => Err(CheckpointError::NotFinite { step, what }),
        None => Ok(()),
    }
}

fn unwritten(path: &Path, source: std::io::Error) -> CheckpointError {
    CheckpointError::Write {
        path: path.into(),
        source,
    }
}
