//! Reading checkpoints: the model, and the state from which training resumes. [`RunFolder`] writes them.
//!
//! `RUN/step-00001000/` holds `model.safetensors` (weights and [`Config`](crate::transformer::Config)),
//! `tokenizer.json`, `config.toml` and, in the newest checkpoint, `trainer.safetensors` and `trainer.json`: everything
//! that the next update depends on. `RUN/paused-00001017/` holds the same files for a run that was stopped between two
//! measurements. `RUN/best/` holds the model with the lowest held-out loss. The folder of a published Marian model can
//! be read too; see [`marian_folder`].
//!
//! [`RunFolder`]: super::run_folder::RunFolder

mod resume;

use std::fs;
use std::path::{Path, PathBuf};

pub use self::resume::{ResumePoint, resume};
pub(super) use self::resume::{moment_names, sum_key};
use super::foreign;
use super::marian_folder;
use super::translator::read_text;
pub use super::translator::{CheckpointError, MODEL, Translator};
use crate::data::seal;
use crate::data::weights::{self, Stored};
use crate::params::Params;
use crate::text::pipeline::Pipeline;

/// Files that a run needs to resume from a checkpoint: moments and state.
pub const TRAINER: [&str; 2] = ["trainer.safetensors", "trainer.json"];

/// Parses the update number from a folder's name: 10 from `step-00000010`, if `kind` is `step`.
pub fn number(name: &str, kind: &str) -> Option<usize> {
    let digits = name.strip_prefix(kind)?.strip_prefix('-')?;
    let step = digits.parse().ok()?;
    // Only names exactly as this program writes them count: `step-10` belongs to the user.
    (folder_name(kind, step) == name).then_some(step)
}

/// Returns the name of a checkpoint's folder.
pub fn folder_name(kind: &str, step: usize) -> String {
    format!("{kind}-{step:08}")
}

/// Returns the folders in `run` named like a checkpoint of this kind (`step` or `paused`), oldest first.
pub fn named(run: &Path, kind: &str) -> Vec<(usize, PathBuf)> {
    let entries = fs::read_dir(run).into_iter().flatten().flatten();
    let mut all: Vec<(usize, PathBuf)> = entries
        .filter_map(|entry| Some((number(entry.file_name().to_str()?, kind)?, entry.path())))
        .filter(|(_, path)| path.is_dir())
        .collect();
    all.sort();
    all
}

/// True if all these files are in `folder`.
pub fn has(folder: &Path, files: &[&str]) -> bool {
    files.iter().all(|file| folder.join(file).is_file())
}

/// Returns the checkpoints of `run` with their update numbers, oldest first.
pub fn list(run: &Path) -> Vec<(usize, PathBuf)> {
    let mut all = named(run, "step");
    all.retain(|(_, folder)| has(folder, &MODEL));
    all
}

/// Returns the newest checkpoint that a run can resume from, with its update number.
pub fn newest(run: &Path) -> Option<(usize, PathBuf)> {
    let all = named(run, "paused").into_iter().chain(named(run, "step"));
    let whole = all.filter(|(_, folder)| has(folder, &MODEL) && has(folder, &TRAINER));
    whole.max_by_key(|(step, _)| *step)
}

/// Returns the folder of the model that `path` refers to: `path` itself or, for a run, its best or else its newest.
pub fn model_folder(path: &Path) -> Result<PathBuf, CheckpointError> {
    let folder = |(_, folder)| folder;
    let places = [
        Some(path.to_owned()),
        Some(path.join("best")),
        // Left behind when an older version, which could not repair its runs, was killed while it replaced `best`.
        Some(path.join("best.old")),
        list(path).pop().map(folder),
        newest(path).map(folder),
    ];
    let mut places = places.into_iter().flatten();
    let model = places
        .find(|folder| folder.join("model.safetensors").is_file() || marian_folder::is_one(folder));
    model.ok_or_else(|| {
        let path = path.to_owned();
        if let Some(kind) = foreign::kind(&path) {
            let why = kind.advice(&path);
            return CheckpointError::Unusable { path, why };
        }
        if path.is_file() {
            let why =
                "it is a file, and a model is a folder; doctor FILE tells what can be done with it";
            let why = why.to_owned();
            return CheckpointError::Unusable { path, why };
        }
        if path.exists() {
            CheckpointError::NoModel { path }
        } else {
            CheckpointError::Missing { path }
        }
    })
}

/// Reads the model that `path` refers to: one of this program, or a published Marian model.
pub fn load(path: &Path) -> Result<Translator, CheckpointError> {
    let folder = model_folder(path)?;
    if marian_folder::is_one(&folder) {
        return marian_folder::read(&folder);
    }
    read(&folder).map(|(translator, _)| translator)
}

/// Reads a model of this program, and the checksum stored with its weights.
fn read(folder: &Path) -> Result<(Translator, Option<String>), CheckpointError> {
    let stored = weights::read(&folder.join("model.safetensors"))?;
    let path = folder.join("tokenizer.json");
    let text = read_text(&path)?;
    let sum = stored.sum.clone();
    Ok((join(stored, &path, &text)?, sum))
}

/// Builds the model from the contents of a checkpoint's two files. Errors name them as files in `folder`.
pub fn parse(
    folder: &Path,
    weights: &[u8],
    tokenizer: &str,
) -> Result<Translator, CheckpointError> {
    let stored = weights::parse(&folder.join("model.safetensors"), weights)?;
    join(stored, &folder.join("tokenizer.json"), tokenizer)
}

fn join(stored: Stored, path: &Path, tokenizer: &str) -> Result<Translator, CheckpointError> {
    let Stored { model, params, .. } = stored;
    let damaged = |why| CheckpointError::Damaged {
        path: path.into(),
        why,
    };
    let pipeline = Pipeline::from_json(tokenizer).map_err(damaged)?;
    // A single missing word would shift every id after it.
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
    // The same number of words in a different order would give wrong translations.
    let sum = seal::sha256(tokenizer.as_bytes());
    if stored.tokenizer.is_some_and(|saved| saved != sum) {
        return Err(damaged(
            "it is not the one that model.safetensors was saved with: the SHA-256 differs; put that one back".to_owned(),
        ));
    }
    Ok(Translator {
        model,
        params,
        pipeline,
    })
}

/// Averages the weights of several models of one shape, such as the last checkpoints of a run.
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
