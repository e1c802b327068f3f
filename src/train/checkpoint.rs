//! Checkpoints as they are read: a model that translates, and what a run goes on from. [`RunFolder`] writes them.
//!
//! `RUN/step-00001000/` holds `model.safetensors` (weights and [`Config`](crate::transformer::Config)),
//! `tokenizer.json`, `config.toml`, and, in the newest, `trainer.safetensors` and `trainer.json`: all that the next
//! update depends on. `RUN/paused-00001017/` is the same of a run that was stopped between two measurements.
//! `RUN/best/` is the model with the lowest held-out loss. A folder of a published Marian model is read as well, see
//! [`marian_folder`].
//!
//! [`RunFolder`]: super::run_folder::RunFolder

mod resume;

use std::fs;
use std::path::{Path, PathBuf};

pub use self::resume::{Kept, resume};
pub(super) use self::resume::{moment_names, sum_key};
use super::marian_folder;
use super::translator::read_text;
pub use super::translator::{CheckpointError, MODEL, Translator};
use crate::data::seal;
use crate::data::weights::{self, Stored};
use crate::params::Params;
use crate::text::pipeline::Pipeline;

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
    found.ok_or_else(|| match path.exists() {
        true => CheckpointError::NoModel { path: path.into() },
        false => CheckpointError::Missing { path: path.into() },
    })
}

/// Reads the model that `path` means: of this program, or a published one of Marian's form.
pub fn load(path: &Path) -> Result<Translator, CheckpointError> {
    let folder = model_folder(path)?;
    if marian_folder::is_one(&folder) {
        return marian_folder::read(&folder);
    }
    read(&folder).map(|(translator, _)| translator)
}

/// Model in a folder of this program, with the checksum that its weights carry.
fn read(folder: &Path) -> Result<(Translator, Option<String>), CheckpointError> {
    let stored = weights::read(&folder.join("model.safetensors"))?;
    let path = folder.join("tokenizer.json");
    let text = read_text(&path)?;
    let sum = stored.sum.clone();
    Ok((join(stored, &path, &text)?, sum))
}

/// The model of a checkpoint's two files, which errors call by their names in `folder`.
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
    // With as many words in another order, translations would use the wrong words.
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
