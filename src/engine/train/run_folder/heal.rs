//! Cleaning up a run's folder: older state, surplus checkpoints, and whatever a killed program has left behind.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::super::checkpoint::{self, CheckpointError, MODEL, TRAINER, folder_name, has, named};
use super::super::config::TrainConfig;
use super::super::trainer::State;
use super::{LOG, Leftover, RunFolder, unwritten};
use crate::data::disk::{LEAVING, WRITING, entries, exists, is_folder, is_link, missing};
use crate::tensor::threads::lock;

impl RunFolder {
    /// Brings everything into line with the newest complete checkpoint.
    pub(super) fn heal(&self) -> Result<(), CheckpointError> {
        self.refuse_links()?;
        self.clear_unfinished()
            .map_err(|e| unwritten(&self.path, e))?;
        let Some((step, newest)) = checkpoint::newest(&self.path) else {
            return self.cut_log(0);
        };
        let state = fs::read(newest.join("trainer.json")).unwrap_or_default();
        let state: Option<State> = serde_json::from_slice(&state).ok();
        if let Some((_, best)) = state.and_then(|state| state.best) {
            // `best/` is updated before the next checkpoint is written, so if it is out of date, that checkpoint still
            // exists.
            let of_best = self.path.join(folder_name("step", best));
            if has(&of_best, &MODEL) {
                self.put_best(&of_best)?;
            }
        }
        let config = fs::read_to_string(newest.join("config.toml")).unwrap_or_default();
        // Unreadable settings are reported when the run resumes; until then every checkpoint is kept.
        self.prune(TrainConfig::read(&config).map_or(usize::MAX, |config| config.keep));
        self.cut_log(step)
    }

    /// Removes the trainer's state from all checkpoints but the newest, and deletes checkpoints beyond `keep` and
    /// outdated pauses. Linked checkpoints are left alone. What cannot be removed only takes up space, so errors are
    /// ignored and the next call tries again.
    pub(super) fn prune(&self, keep: usize) {
        let all = checkpoint::list(&self.path);
        let newest = checkpoint::newest(&self.path).map(|(_, folder)| folder);
        let whole = all.iter().rfind(|(_, folder)| has(folder, &TRAINER));
        let older = all.iter().filter(|one| Some(*one) != whole);
        for (_, folder) in older.filter(|(_, folder)| !is_link(folder)) {
            for file in TRAINER {
                let _ = self.disk.remove_file(&folder.join(file));
            }
        }
        let surplus = all.len().saturating_sub(keep);
        let old = all.into_iter().take(surplus);
        let over = named(&self.path, "paused").into_iter();
        let over = over.filter(|(_, folder)| Some(folder) != newest.as_ref());
        for (_, folder) in old.chain(over) {
            let _ = self.dismantle(&folder);
        }
    }

    /// Removes what was being written or removed when the program ended.
    fn clear_unfinished(&self) -> io::Result<()> {
        for entry in entries(&self.path)? {
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(WRITING) {
                self.clear(&entry)?;
            }
            if let Some(name) = name.strip_prefix(LEAVING) {
                let path = self.path.join(name);
                if exists(&path) {
                    self.clear(&entry)?
                } else {
                    self.disk.rename(&entry, &path)?
                }
            }
        }
        let best = self.path.join("best");
        let older = self.path.join("best.old");
        if !exists(&best) && is_folder(&older) && has(&older, &MODEL) {
            // Left behind when an older version, which could not repair its runs, was killed while it replaced `best`.
            self.disk.rename(&older, &best)?;
        }
        for file in MODEL.iter().chain(&TRAINER) {
            let unfinished = format!("{WRITING}{file}");
            self.disk.remove_file(&best.join(&unfinished))?;
            let steps = named(&self.path, "step").into_iter();
            for (_, folder) in steps.filter(|(_, folder)| !is_link(folder)) {
                self.disk.remove_file(&folder.join(&unfinished))?;
            }
        }
        // Weights are removed first, so a checkpoint without them was being deleted.
        let half = named(&self.path, "step").into_iter();
        let half = half.chain(named(&self.path, "paused"));
        for (_, folder) in half.filter(|(_, folder)| !has(folder, &MODEL[..1])) {
            self.dismantle(&folder)?;
        }
        Ok(())
    }

    fn clear(&self, path: &Path) -> io::Result<()> {
        if is_folder(path) {
            self.dismantle(path)
        } else {
            self.disk.remove_file(path)
        }
    }

    /// Removes the files of a checkpoint and, if it holds nothing else, its folder. Folders that stay are recorded, as
    /// is a link, which stays together with its target.
    pub(super) fn dismantle(&self, folder: &Path) -> io::Result<()> {
        if is_link(folder) {
            let mut left = lock(&self.leftovers);
            if left.links.insert(folder.to_owned()) {
                left.unreported.push(Leftover::Linked(folder.to_owned()));
            }
            return Ok(());
        }
        let inside = match entries(folder) {
            Err(e) if missing(&e) => return Ok(()),
            inside => inside?,
        };
        let ours = MODEL.iter().chain(&TRAINER);
        let mut removed = false;
        for file in ours.map(|file| folder.join(file)) {
            removed |= file.is_file();
            self.disk.remove_file(&file)?;
        }
        for file in inside.iter().filter(|path| is_half(folder, path)) {
            self.disk.remove_file(file)?;
        }
        if !self.disk.remove_folder(folder)? && removed {
            let mut left = lock(&self.leftovers);
            left.unreported.push(Leftover::Shared(folder.to_owned()));
        }
        Ok(())
    }

    /// Removes from the log all measurements after `step`, repeated ones, and an incomplete last line.
    fn cut_log(&self, step: usize) -> Result<(), CheckpointError> {
        let path = self.path.join(LOG);
        let Ok(text) = fs::read(&path) else {
            return Ok(());
        };
        let mut seen = HashSet::new();
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        let kept = lines.filter(|line| {
            let value: Option<Value> = serde_json::from_slice(line).ok();
            match value.and_then(|value| value["step"].as_u64()) {
                Some(at) => at <= step as u64 && seen.insert(at),
                // Not a line of this program, unless it is an incomplete last line.
                None => line.ends_with(b"\n"),
            }
        });
        let mut kept = kept.flatten().copied().collect::<Vec<u8>>();
        if !kept.is_empty() && !kept.ends_with(b"\n") {
            kept.push(b'\n');
        }
        let done = if kept.is_empty() {
            self.disk.remove_file(&path)
        } else {
            self.refresh(&path, &kept)
        };
        done.map_err(|e| unwritten(&path, e))
    }
}

/// True if a file in a checkpoint's folder was left half-written by this program: it has a temporary name, or, in an
/// unfinished folder, a name that older versions gave such files.
fn is_half(folder: &Path, file: &Path) -> bool {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let (file, folder) = (name(file), name(folder));
    let of_ours = file.strip_prefix(WRITING).is_some_and(|name| {
        let mut ours = MODEL.iter().chain(&TRAINER);
        ours.any(|file| *file == name)
    });
    let older = file.strip_prefix(".tmp").is_some_and(|random| {
        random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    of_ours || (older && folder.starts_with(WRITING))
}
