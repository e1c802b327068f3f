//! Files and folders that are there only while something is written: a signal that ends the program takes them along,
//! and the next to write the same removes what a kill has left.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

use tempfile::{Builder, NamedTempFile, TempDir};

use super::disk::{WRITING, is_folder};

/// The paths of all that is temporary now.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Shared by work that a signal must not part, taken alone by the end of the program.
static WORK: RwLock<()> = RwLock::new(());

/// A path that goes with the program if a signal ends it before this is dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Enters the path of what `make` has made.
    fn of<T>(make: impl FnOnce() -> io::Result<T>, path: fn(&T) -> &Path) -> io::Result<(T, Self)> {
        undivided(|| {
            let made = make()?;
            let path = path(&made).to_owned();
            let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
            open.insert(path.clone());
            Ok((made, Self(path)))
        })
    }

    /// Enters a folder that `make` makes.
    pub fn folder(make: impl FnOnce() -> io::Result<PathBuf>) -> io::Result<Self> {
        Ok(Self::of(make, PathBuf::as_path)?.1)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.remove(&self.0);
    }
}

/// A temporary file or folder, which is removed when it is dropped.
#[derive(Debug)]
pub struct Temporary<T> {
    made: T,
    // Dropped last, so that a signal in between still finds the path.
    scratch: Scratch,
}

impl<T> Deref for Temporary<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.made
    }
}

impl<T> Temporary<T> {
    /// The file or folder by itself. Its path stays entered as long as the second part lives.
    pub fn into_parts(self) -> (T, Scratch) {
        (self.made, self.scratch)
    }
}

/// A temporary folder in `above`.
pub fn folder_in(above: &Path) -> io::Result<Temporary<TempDir>> {
    let (made, scratch) = Scratch::of(|| tempfile::tempdir_in(above), TempDir::path)?;
    Ok(Temporary { made, scratch })
}

/// A temporary file in `folder`, as `builder` makes it.
pub fn file_in(folder: &Path, builder: &Builder) -> io::Result<Temporary<NamedTempFile>> {
    let (made, scratch) = Scratch::of(|| builder.tempfile_in(folder), NamedTempFile::path)?;
    Ok(Temporary { made, scratch })
}

/// Does work that a signal must not part: the program ends before it or after it.
pub fn undivided<T>(work: impl FnOnce() -> T) -> T {
    let _work = WORK.read().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// Removes all that is temporary, once undivided work is done. Nothing temporary is made from then on, and whoever tries
/// waits for ever: the caller ends the program.
pub fn remove_all() {
    std::mem::forget(WORK.write().unwrap_or_else(PoisonError::into_inner));
    let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    for path in open.iter() {
        // What cannot be removed stays; the program ends all the same.
        let _ = match is_folder(path) {
            true => remove_folder(path),
            false => fs::remove_file(path),
        };
    }
    std::mem::forget(open);
}

/// Removes a folder that another thread may be writing into: under a new name first, where that thread finds it no more.
fn remove_folder(path: &Path) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push("-ended");
    match fs::rename(path, &name) {
        Ok(()) => fs::remove_dir_all(name),
        Err(_) => fs::remove_dir_all(path),
    }
}

/// How the name begins of what is written to take the place of `name`.
pub fn begins(before: &str, name: &str) -> String {
    format!("{before}{name}-")
}

/// What programs that were killed have left in `folder` of what they wrote in the place of `name`. Each is locked as
/// long as it is held, so that of two programs one removes it.
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
        // Opening a FIFO would wait, and a link leads elsewhere.
        let file = (kind.is_file() || kind.is_dir()).then(|| File::open(entry.path()))?;
        let file = file.ok()?;
        hold(&file).then(|| (entry.path(), file))
    });
    left.collect()
}

/// How many characters tempfile adds to a name.
const RANDOM: usize = 6;

/// Locks what is being written, so that it is not taken for abandoned. False if another program holds it.
pub fn hold(file: &File) -> bool {
    file.try_lock().is_ok()
}

/// Removes files that killed programs have left of what they wrote in the place of `path`.
pub fn sweep(folder: &Path, name: &str) {
    for (path, _held) in abandoned(folder, WRITING, name) {
        if !is_folder(&path) {
            let _ = fs::remove_file(path);
        }
    }
}
