//! Files and folders that exist only during a write. A signal handler removes them, and the next write to the same
//! place removes those left by a kill.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

use tempfile::{Builder, NamedTempFile, TempDir};

use super::disk::{WRITING, is_folder};
use crate::tensor::threads::lock;

/// Paths of all current temporary files and folders.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Shared lock for work that a signal must not interrupt; locked exclusively when the program ends.
static WORK: RwLock<()> = RwLock::new(());

/// A path that is removed if a signal ends the program before this is dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates something with `make` and registers its path.
    fn of<T>(make: impl FnOnce() -> io::Result<T>, path: fn(&T) -> &Path) -> io::Result<(T, Self)> {
        undivided(|| {
            let made = make()?;
            let path = path(&made).to_owned();
            let mut open = lock(&OPEN);
            open.insert(path.clone());
            Ok((made, Self(path)))
        })
    }

    /// Registers a folder created by `make`.
    pub fn folder(make: impl FnOnce() -> io::Result<PathBuf>) -> io::Result<Self> {
        Ok(Self::of(make, PathBuf::as_path)?.1)
    }

    /// Path of the temporary file or folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut open = lock(&OPEN);
        open.remove(&self.0);
    }
}

/// A temporary file or folder, removed on drop.
#[derive(Debug)]
pub struct Temporary<T> {
    made: T,
    // Dropped last, so a signal in between still finds the path.
    scratch: Scratch,
}

impl<T> Deref for Temporary<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.made
    }
}

impl<T> Temporary<T> {
    /// Splits off the file or folder. Its path stays registered while the second part lives.
    pub fn into_parts(self) -> (T, Scratch) {
        (self.made, self.scratch)
    }
}

/// Creates a temporary folder in `above`.
pub fn folder_in(above: &Path) -> io::Result<Temporary<TempDir>> {
    let (made, scratch) = Scratch::of(|| tempfile::tempdir_in(above), TempDir::path)?;
    Ok(Temporary { made, scratch })
}

/// Creates a temporary file in `folder`, configured by `builder`.
pub fn file_in(folder: &Path, builder: &Builder) -> io::Result<Temporary<NamedTempFile>> {
    let (made, scratch) = Scratch::of(|| builder.tempfile_in(folder), NamedTempFile::path)?;
    Ok(Temporary { made, scratch })
}

/// Runs work that a signal must not interrupt: the program ends before or after it.
pub fn undivided<T>(work: impl FnOnce() -> T) -> T {
    let _work = WORK.read().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// Removes everything temporary once undivided work is done. After that, any attempt to create a temporary file blocks
/// forever, because the caller is about to end the program.
pub fn remove_all() {
    std::mem::forget(WORK.write().unwrap_or_else(PoisonError::into_inner));
    let open = lock(&OPEN);
    for path in open.iter() {
        // Whatever cannot be removed stays; the program ends anyway.
        let _ = if is_folder(path) {
            remove_folder(path)
        } else {
            fs::remove_file(path)
        };
    }
    std::mem::forget(open);
}

/// Removes a folder that another thread may be writing into. It is renamed first, so that the thread no longer finds
/// it.
fn remove_folder(path: &Path) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push("-ended");
    match fs::rename(path, &name) {
        Ok(()) => fs::remove_dir_all(name),
        Err(_) => fs::remove_dir_all(path),
    }
}

/// Prefix of temporary names for files that will replace `name`.
pub fn begins(before: &str, name: &str) -> String {
    format!("{before}{name}-")
}

/// Leftovers in `folder` of killed programs that were replacing `name`. Each stays locked while it is held, so only one
/// of two programs removes it.
pub fn abandoned(folder: &Path, before: &str, name: &str) -> Vec<(PathBuf, File)> {
    let begins = begins(before, name);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(&begins));
        random.is_some_and(|random| {
            random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    });
    let left = ours.filter_map(|entry| {
        let kind = entry.file_type().ok()?;
        // Opening a FIFO would block, and a link leads elsewhere.
        let file = (kind.is_file() || kind.is_dir()).then(|| File::open(entry.path()))?;
        let file = file.ok()?;
        hold(&file).then(|| (entry.path(), file))
    });
    left.collect()
}

/// Number of characters that tempfile adds to a name.
const RANDOM: usize = 6;

/// Locks a temporary file, so that it does not count as abandoned. False if another program holds the lock.
pub fn hold(file: &File) -> bool {
    file.try_lock().is_ok()
}

/// Removes files left by killed programs that were replacing `name`.
pub fn sweep(folder: &Path, name: &str) {
    for (path, _held) in abandoned(folder, WRITING, name) {
        if !is_folder(&path) {
            let _ = fs::remove_file(path);
        }
    }
}
