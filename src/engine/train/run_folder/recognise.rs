//! Recognising runs and models of this program, because no other folder may be written to, replaced or removed.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::super::checkpoint::{self, CheckpointError, MODEL, has};
use super::lock;
use crate::data::disk::missing;
use crate::data::weights::CONFIG;

/// Maximum length of a safetensors header that is read to see which program wrote it, in bytes.
const HEADER: u64 = 100 << 20;

/// True if `path` is a run: it is marked by a lock, or holds a checkpoint from before runs were marked.
pub fn is_run(path: &Path) -> bool {
    let lanes = || {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("lane-"))
    };
    let kept = |run: &Path| {
        checkpoint::list(run)
            .iter()
            .any(|(_, folder)| is_model(folder))
    };
    lock::marks(path) || kept(path) || lanes().any(|lane| kept(&lane.path()))
}

/// True if `folder` has the files of a model, and the metadata of its weights shows that this program wrote them.
pub fn is_model(folder: &Path) -> bool {
    has(folder, &MODEL) && says_its_config(&folder.join(MODEL[0])).unwrap_or(false)
}

fn says_its_config(path: &Path) -> std::io::Result<bool> {
    let mut file = File::open(path)?;
    let mut length = [0; 8];
    file.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length).min(HEADER);
    let mut header = Vec::new();
    file.take(length).read_to_end(&mut header)?;
    let header: serde_json::Value = serde_json::from_slice(&header)?;
    Ok(header["__metadata__"].get(CONFIG).is_some())
}

/// Refuses to begin a run in `path` unless it is missing, empty, or a run that has no checkpoint or best model yet.
pub fn may_begin(path: &Path) -> Result<(), CheckpointError> {
    let Some(folder) = folder_at(path, "a run")? else {
        return Ok(());
    };
    let begun = !checkpoint::list(&folder).is_empty()
        || checkpoint::newest(&folder).is_some()
        || has(&folder.join("best"), &MODEL[..1]);
    if begun {
        return Err(CheckpointError::Begun { path: path.into() });
    }
    match first_entry(&folder) {
        Some(name) if !is_run(&folder) => Err(foreign(
            path,
            "a run",
            format!("it holds {name}, and is not a run of this program"),
        )),
        _ => Ok(()),
    }
}

/// Refuses to write a model to `path` unless it is missing, empty, or a model of this program with nothing beside it.
pub fn may_hold_a_model(path: &Path) -> Result<(), CheckpointError> {
    may_hold(path, &MODEL, is_model)
}

/// Refuses to write these model files to `path` unless it is missing, empty, or a folder that satisfies `is_one` and
/// holds nothing else.
pub fn may_hold(
    path: &Path,
    files: &[&str],
    is_one: fn(&Path) -> bool,
) -> Result<(), CheckpointError> {
    let no = |why: String| Err(foreign(path, "a model", why));
    if let Some(run) = run_of(path) {
        return no(format!("it belongs to the run in {}", run.display()));
    }
    let Some(folder) = folder_at(path, "a model")? else {
        return Ok(());
    };
    if is_run(&folder) {
        return no("it is a run".to_owned());
    }
    if std::env::current_dir().is_ok_and(|current| current.starts_with(&folder)) {
        return no("you are in it".to_owned());
    }
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let other = entries.map(|entry| entry.file_name());
    let mut other = other.filter(|name| !files.iter().any(|file| name == file));
    if let Some(name) = other.next() {
        return no(format!(
            "it holds {}, which is not part of a model",
            name.to_string_lossy()
        ));
    }
    if first_entry(&folder).is_some() && !is_one(&folder) {
        return no("what it holds is not a model of this program".to_owned());
    }
    Ok(())
}

/// Refuses a path that a run owns, whether or not the run is being trained.
pub fn outside_runs(path: &Path) -> Result<(), CheckpointError> {
    match run_of(path) {
        Some(run) => Err(CheckpointError::OfRun {
            path: path.into(),
            run,
        }),
        None => Ok(()),
    }
}

/// Refuses to write files into a folder that is a run, or that a run owns.
pub fn no_run(folder: &Path) -> Result<(), CheckpointError> {
    if fs::canonicalize(folder).is_ok_and(|folder_path| is_run(&folder_path)) {
        Err(CheckpointError::IsRun {
            path: folder.into(),
        })
    } else {
        outside_runs(folder)
    }
}

/// Returns the run that owns `path`, or would own it, as a checkpoint, best model, log, or anything inside them.
fn run_of(path: &Path) -> Option<PathBuf> {
    let resolved_path = resolved(path)?;
    let mut inside = resolved_path.ancestors().filter_map(|ancestor| {
        let name = ancestor.file_name()?.to_string_lossy();
        let above = ancestor.parent()?;
        belongs_to_run(above, &name).then(|| above.to_owned())
    });
    inside.next()
}

/// Resolves links and dots in `path`, as far as it exists.
fn resolved(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find_map(|known| {
        let canonical = fs::canonicalize(known).ok()?;
        Some(canonical.join(path.strip_prefix(known).ok()?))
    })
}

/// Returns the folder at `path`, with links and dots resolved, or `None` if there is nothing.
fn folder_at(path: &Path, what: &'static str) -> Result<Option<PathBuf>, CheckpointError> {
    let no = |why: &str| Err(foreign(path, what, why.to_owned()));
    match fs::canonicalize(path) {
        Ok(canonical) if canonical.is_dir() => Ok(Some(canonical)),
        Ok(_) => no("it is not a folder"),
        Err(e) if !missing(&e) => Err(CheckpointError::Io {
            path: path.into(),
            source: e,
        }),
        Err(_) if fs::symlink_metadata(path).is_ok() => no("it is a link to nothing"),
        Err(_) if path.file_name().is_none() => no("it does not end in the name of a folder"),
        Err(_) => Ok(None),
    }
}

/// True if `above` is a run that has, or may come to have, a folder or file of this name.
fn belongs_to_run(above: &Path, name: &str) -> bool {
    let ours = [
        "best",
        "step-",
        "paused-",
        "lane-",
        "run.lock",
        "corpus.json",
        "log.jsonl",
        ".",
    ];
    ours.iter().any(|ours| name.starts_with(ours)) && is_run(above)
}

fn first_entry(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.min()
}

fn foreign(path: &Path, what: &'static str, why: String) -> CheckpointError {
    CheckpointError::Foreign {
        path: path.into(),
        what,
        why,
    }
}
