//! One program at a time trains a run: the lock in its folder, which any death releases.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::Path;

use super::super::checkpoint::CheckpointError;

/// The file that is locked. It stays, and marks the folder as a run.
const NAME: &str = "run.lock";

/// How it begins.
const MARK: &str = "A run of transformer-tutor.\n";

/// A lock that is held.
pub struct Lock(File);

impl Lock {
    /// Locks `folder`, which is a run or empty, and marks it.
    pub fn take(folder: &Path) -> Result<Self, CheckpointError> {
        let path = folder.join(NAME);
        let failed = |source| CheckpointError::Write {
            path: path.clone(),
            source,
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let by = fs::read_to_string(&path).ok();
                let by = by.and_then(|text| Some(text.strip_prefix(MARK)?.trim().to_owned()));
                return Err(CheckpointError::Locked {
                    path: folder.into(),
                    by: by
                        .filter(|by| !by.is_empty())
                        .unwrap_or("another process".to_owned()),
                });
            }
            // Some network file systems know no locks: there the run goes on without.
            Err(TryLockError::Error(_)) => {}
        }
        let text = format!("{MARK}process {}\n", std::process::id());
        file.write_all(text.as_bytes()).map_err(failed)?;
        file.set_len(text.len() as u64).map_err(failed)?;
        Ok(Self(file))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Whoever reads it next must not be sent to a process that is gone; closing the file releases the lock.
        let _ = self.0.set_len(MARK.len() as u64);
    }
}

/// Whether a program has locked `folder` before. A file that was not written to its end counts too.
pub fn marks(folder: &Path) -> bool {
    let path = folder.join(NAME);
    if !path.is_file() {
        return false;
    }
    let text = fs::read(path).unwrap_or_else(|_| b"?".to_vec());
    text.starts_with(MARK.as_bytes()) || MARK.as_bytes().starts_with(&text)
}
