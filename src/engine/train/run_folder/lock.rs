//! The lock in a run's folder, which lets one program at a time train it and is released however that program ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::super::checkpoint::CheckpointError;
use crate::data::disk::{WRITING, is_link, missing};

/// Name of the locked file. It is never removed, and marks the folder as a run.
const NAME: &str = "run.lock";

/// First line of the file.
const MARK: &str = "A run of transformer-tutor.\n";

/// A lock that is held.
pub struct Lock(File);

impl Lock {
    /// Locks `folder`, which must be a run or empty, and marks it. Refuses a lock that is a link or another program's
    /// file.
    pub fn take(folder: &Path) -> Result<Self, CheckpointError> {
        let path = folder.join(NAME);
        let failed = |source| CheckpointError::Write {
            path: path.clone(),
            source,
        };
        loop {
            let file = match open(&path) {
                Err(_) if is_link(&path) => return Err(CheckpointError::Linked { path }),
                opened => opened.map_err(failed)?,
            };
            if !file.metadata().map_err(failed)?.is_file() {
                return Err(not_ours(folder));
            }
            let held = hold(file, folder)?;
            if !is_begun(&text(&held).map_err(failed)?) {
                return Err(not_ours(folder));
            }
            // Another program may have put a new file there before this one was locked.
            if !is_at(&held, &path) {
                continue;
            }
            if !has_other_names(&held) {
                sign(&held).map_err(failed)?;
                return Ok(Self(held));
            }
            // A hard-link backup shares the same file, whose lock and text are not this run's.
            let own = hold(written_beside(&path).map_err(failed)?, folder)?;
            fs::rename(beside(&path), &path).map_err(failed)?;
            return Ok(Self(own));
        }
    }
}

/// Locks a file, or returns an error that names the process holding it.
fn hold(file: File, folder: &Path) -> Result<File, CheckpointError> {
    match file.try_lock() {
        // Some network file systems have no locks; there the run continues without one.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let by = text(&file).ok();
            let by = by.and_then(|text| Some(text.strip_prefix(MARK)?.trim().to_owned()));
            let by = by.filter(|by| !by.is_empty());
            Err(CheckpointError::Locked {
                path: folder.into(),
                by: by.unwrap_or("another process".to_owned()),
            })
        }
    }
}

/// Writes the mark and the id of the process that holds the lock.
fn sign(mut file: &File) -> io::Result<()> {
    let text = format!("{MARK}process {}\n", std::process::id());
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)
}

/// Creates a new, signed lock that is not in its place yet.
fn written_beside(path: &Path) -> io::Result<File> {
    let beside = beside(path);
    match fs::remove_file(&beside) {
        Err(e) if !missing(&e) => return Err(e),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    let file = options.open(beside)?;
    sign(&file)?;
    Ok(file)
}

fn beside(path: &Path) -> PathBuf {
    path.with_file_name(format!("{WRITING}{NAME}"))
}

/// True if an open file is the one at this path.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let number = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let at = fs::symlink_metadata(path).map(number).ok();
        at.is_some() && at == file.metadata().map(number).ok()
    }
    #[cfg(not(unix))]
    {
        let _ = file; // such a system does not number files
        path.is_file()
    }
}

/// True if an open file has other names through hard links.
fn has_other_names(file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        file.metadata().is_ok_and(|metadata| metadata.nlink() > 1)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removes the process id, so that no reader is referred to a process that is gone. Closing the file releases
        // the lock.
        let _ = self.0.set_len(MARK.len() as u64);
    }
}

/// True if a program has locked `folder` before. An incomplete mark counts only if the folder holds nothing else,
/// because an empty file is no evidence about the files beside it.
pub fn marks(folder: &Path) -> bool {
    let path = folder.join(NAME);
    let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
    let Some(text) = is_file.then(|| File::open(&path).and_then(|file| text(&file))) else {
        return false;
    };
    let alone = || fs::read_dir(folder).is_ok_and(|entries| entries.count() == 1);
    text.is_ok_and(|text| text.starts_with(MARK) || (is_begun(&text) && alone()))
}

/// True for the text of a lock, even an incomplete one.
fn is_begun(text: &str) -> bool {
    text.starts_with(MARK) || MARK.starts_with(text)
}

/// First bytes of a lock's text.
fn text(file: &File) -> io::Result<String> {
    let mut text = Vec::new();
    file.take(200).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Opens the lock file without following a link, creating it if necessary.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Opening a FIFO must not block.
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

fn not_ours(folder: &Path) -> CheckpointError {
    CheckpointError::Foreign {
        path: folder.into(),
        what: "a run",
        why: format!("its {NAME} is not the lock of a run of this program"),
    }
}
