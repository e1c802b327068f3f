//! Checkpoints as they are read: a model that translates, and what a run goes on from. [`RunFolder`] writes them.
//!
//! `RUN/step-00001000/` holds `model.safetensors` (weights and [`Config`](crate::transformer::Config)),
//! `tokenizer.json`, `config.toml`, and, in the newest, `trainer.safetensors` and `trainer.json`: all that the next
//! update depends on. `RUN/paused-00001017/` is the same of a run that was stopped between two measurements.
//! `RUN/best/` is the model with the lowest held-out loss. A folder of a published Marian model is read as well, see
//! [`marian_folder`].
//!
//! [`RunFolder`]: super::run_folder::RunFolder

use std::fs;
use std::path::{Path, PathBuf};

use super::adam::Adam;
use super::config::TrainConfig;
use super::limits;
use super::marian_folder;
use super::trainer::{State, Trainer};
use super::translator::read_text;
pub use super::translator::{CheckpointError, MODEL, Translator};
use crate::data::safetensors::{self, NamedTensors};
use crate::data::weights::{self};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::text::pipeline::Pipeline;
use crate::transformer::Transformer;

/// The files without which a checkpoint cannot be gone on from: moments and state.
pub const TRAINER: [&str; 2] = ["trainer.safetensors", "trainer.json"];

/// The update that a folder's name tells: of `step-00000010` 10, where `kind` is `step`.
pub fn number(name: &str, kind: &str) -> Option<usize> {
    let digits = name.strip_prefix(kind)?.strip_prefix('-')?;
    let step = digits.parse().ok()?;
    // Only as this program writes it: `step-10` is somebody's own.
    (folder_name(kind, step) == name).then_some(step)
}

/// The name of a checkpoint's folder.
pub fn folder_name(kind: &str, step: usize) -> String {
    format!("{kind}-{step:08}")
}

/// The folders in `run` that are named like a checkpoint of this kind (`step`, `paused`), oldest first.
pub fn named(run: &Path, kind: &str) -> Vec<(usize, PathBuf)> {
    let entries = fs::read_dir(run).into_iter().flatten().flatten();
    let mut all: Vec<(usize, PathBuf)> = entries
        .filter_map(|entry| Some((number(entry.file_name().to_str()?, kind)?, entry.path())))
        .filter(|(_, path)| path.is_dir())
        .collect();
    all.sort();
    all
}

/// Whether all these files are in `folder`.
pub fn has(folder: &Path, files: &[&str]) -> bool {
    files.iter().all(|file| folder.join(file).is_file())
}

/// The folders of `run`'s checkpoints, oldest first, with their steps.
pub fn list(run: &Path) -> Vec<(usize, PathBuf)> {
    let mut all = named(run, "step");
    all.retain(|(_, folder)| has(folder, &MODEL));
    all
}

/// The newest checkpoint that can be gone on from, with its step.
pub fn newest(run: &Path) -> Option<(usize, PathBuf)> {
    let all = named(run, "paused").into_iter().chain(named(run, "step"));
    let whole = all.filter(|(_, folder)| has(folder, &MODEL) && has(folder, &TRAINER));
    whole.max_by_key(|(step, _)| *step)
}

/// The folder of the model that `path` means: itself, or of a run the best, or else the newest.
pub fn model_folder(path: &Path) -> Result<PathBuf, CheckpointError> {
    let folder = |(_, folder)| folder;
    let places = [
        Some(path.to_owned()),
        Some(path.join("best")),
        // Where a version before run folders healed themselves was killed while it replaced the best.
        Some(path.join("best.old")),
        list(path).pop().map(folder),
        newest(path).map(folder),
    ];
    let mut places = places.into_iter().flatten();
    let found = places
        .find(|folder| folder.join("model.safetensors").is_file() || marian_folder::is_one(folder));
    found.ok_or_else(|| CheckpointError::NoModel { path: path.into() })
}

/// Reads the model that `path` means: of this program, or a published one of Marian's form.
pub fn load(path: &Path) -> Result<Translator, CheckpointError> {
    let folder = model_folder(path)?;
    if marian_folder::is_one(&folder) {
        return marian_folder::read(&folder);
    }
    let loaded = weights::load(&folder.join("model.safetensors"))?;
    let path = folder.join("tokenizer.json");
    let text = read_text(&path)?;
    join(loaded, &path, &text)
}

/// The model of a checkpoint's two files, which errors call by their names in `folder`.
pub fn parse(
    folder: &Path,
    weights: &[u8],
    tokenizer: &str,
) -> Result<Translator, CheckpointError> {
    let loaded = weights::parse(&folder.join("model.safetensors"), weights)?;
    join(loaded, &folder.join("tokenizer.json"), tokenizer)
}

fn join(
    (model, params): (Transformer, Params),
    path: &Path,
    tokenizer: &str,
) -> Result<Translator, CheckpointError> {
    let damaged = |why| CheckpointError::Damaged {
        path: path.into(),
        why,
    };
    let pipeline = Pipeline::from_json(tokenizer).map_err(damaged)?;
    // One word less would already give other words to the ids behind it.
    for (side, words, rows) in [
        ("source", &pipeline.source, model.config.src_vocab),
        ("target", &pipeline.target, model.config.tgt_vocab),
    ] {
        let words = words.vocabulary.len();
        if words != rows {
            return Err(damaged(format!(
                "it has {words} {side} words, and the model has {rows}; put back the tokenizer.json that the model was \
                 saved with"
            )));
        }
    }
    Ok(Translator {
        model,
        params,
        pipeline,
    })
}

/// What a run goes on from: the newest checkpoint that has a trainer's state.
pub struct Kept {
    /// Its folder.
    pub folder: PathBuf,
    /// Whether its model was measured on the held-out corpus: not if the run was paused there.
    pub measured: bool,
    /// Its settings.
    pub config: TrainConfig,
    /// Text to ids and back.
    pub pipeline: Pipeline,
    params: Params,
    adam: Adam,
    state: State,
}

impl Kept {
    /// Whether the run can go on with `config`. Refuses what decides the model, the text or the order of the batches.
    pub fn goes_on_with(&self, config: &TrainConfig) -> Result<(), CheckpointError> {
        self.config
            .same_run(config)
            .map_err(|what| CheckpointError::OtherRun {
                path: self.folder.clone(),
                what,
            })
    }

    /// Puts `trainer`, made of the same corpus, where the run stood. Refuses another model and another corpus.
    pub fn restore(self, trainer: &mut Trainer) -> Result<(), CheckpointError> {
        self.goes_on_with(&trainer.config)?;
        let shapes = |params: &Params| -> Vec<(String, Vec<usize>)> {
            params
                .iter()
                .map(|(_, name, x)| (name.to_owned(), x.shape().to_vec()))
                .collect()
        };
        let (ours, theirs) = (shapes(&trainer.params), shapes(&self.params));
        if ours != theirs {
            let apart = ours.iter().zip(&theirs).find(|(a, b)| a != b);
            let what = apart.map_or("number of tensors".to_owned(), |(a, b)| {
                format!("{}: {:?}, here {:?}", b.0, b.1, a.1)
            });
            return Err(CheckpointError::OtherRun {
                path: self.folder,
                what,
            });
        }
        if self.state.data.is_some() && self.state.data != trainer.state.data {
            return Err(CheckpointError::OtherText { path: self.folder });
        }
        trainer.restore(self.params, self.adam, self.state);
        Ok(())
    }
}

/// Reads what `run` goes on from.
pub fn resume(run: &Path) -> Result<Kept, CheckpointError> {
    let Some((step, folder)) = newest(run) else {
        return Err(CheckpointError::NoCheckpoint { path: run.into() });
    };
    let Translator {
        model,
        params,
        pipeline,
    } = load(&folder)?;
    let damaged = |file: &str, why: String| CheckpointError::Damaged {
        path: folder.join(file),
        why,
    };
    let text = read_text(&folder.join("config.toml"))?;
    let config = TrainConfig::read(&text).map_err(|why| damaged("config.toml", why))?;
    config.check().map_err(|why| damaged("config.toml", why))?;
    for (name, saved, says) in [
        ("layers", model.config.layers, config.layers),
        ("d_model", model.config.d_model, config.d_model),
        ("d_ff", model.config.d_ff, config.d_ff),
        ("heads", model.config.heads, config.heads),
    ] {
        if saved != says {
            let why = format!(
                "model.safetensors was saved with {name} {saved}, and this says {says}; put back the config.toml that \
                 it was saved with"
            );
            return Err(damaged("config.toml", why));
        }
    }
    let text = read_text(&folder.join("trainer.json"))?;
    let state: State =
        serde_json::from_str(&text).map_err(|e| damaged("trainer.json", e.to_string()))?;
    let NamedTensors {
        metadata,
        mut tensors,
    } = safetensors::read(&folder.join("trainer.safetensors"))?;
    let mut take = |name: String, like: &Tensor| {
        let found = tensors.remove(&name).filter(|x| x.shape() == like.shape());
        found.ok_or_else(|| {
            damaged(
                "trainer.safetensors",
                format!("{name} is missing or has another shape"),
            )
        })
    };
    let mut moments = Vec::new();
    for (_, name, x) in params.iter() {
        let pair = (
            take(format!("mean.{name}"), x)?,
            take(format!("square.{name}"), x)?,
        );
        limits::moments(name, &pair.0, &pair.1)
            .map_err(|why| damaged("trainer.safetensors", why))?;
        moments.push(pair);
    }
    let steps: Option<i32> = metadata.get("steps").and_then(|steps| steps.parse().ok());
    let steps = steps.ok_or_else(|| {
        damaged(
            "trainer.safetensors",
            "it does not say its steps".to_owned(),
        )
    })?;
    state
        .check(steps.into())
        .map_err(|why| damaged("trainer.json", why))?;
    let adam = Adam {
        steps,
        moments,
        ..Adam::new(&Params::layout())
    };
    Ok(Kept {
        measured: folder.ends_with(folder_name("step", step)),
        folder,
        config,
        pipeline,
        params,
        adam,
        state,
    })
}

/// The mean of the weights of several models of one shape (the last checkpoints of a run).
pub fn average(folders: &[PathBuf]) -> Result<Translator, CheckpointError> {
    let mut all = folders
        .iter()
        .map(|folder| load(folder))
        .collect::<Result<Vec<_>, _>>()?;
    let shapes = |t: &Translator| -> Vec<(String, Vec<usize>)> {
        let each = t.params.iter();
        each.map(|(_, name, x)| (name.to_owned(), x.shape().to_vec()))
            .collect()
    };
    let Some(first) = all.first() else {
        let path = PathBuf::new();
        return Err(CheckpointError::NoModel { path });
    };
    let like = shapes(first);
    if let Some(other) = all.iter().position(|t| shapes(t) != like) {
        return Err(CheckpointError::OtherRun {
            path: folders[other].clone(),
            what: "shape of model".to_owned(),
        });
    }
    let sets: Vec<Params> = all.iter().map(|t| t.params.clone()).collect();
    let mut mean = all.swap_remove(0);
    mean.params = super::average::average(&sets);
    Ok(mean)
}
