//! Files and folders that exist only during a write. A signal handler removes them, and the next write to the same
//! folder removes those left by a kill.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
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
pub struct Scratch {
    path: PathBuf,
    /// The folder, locked as long as it is in use. A file holds its own lock.
    _held: Option<File>,
}

impl Scratch {
    /// Creates something with `make` and registers its path.
    fn of<T>(make: impl FnOnce() -> io::Result<T>, path: fn(&T) -> &Path) -> io::Result<(T, Self)> {
        undivided(|| {
            let made = make()?;
            let path = path(&made).to_owned();
            let mut open = lock(&OPEN);
            open.insert(path.clone());
            let scratch = Self { path, _held: None };
            Ok((made, scratch))
        })
    }

    /// Registers a folder created by `make`.
    pub fn folder(make: impl FnOnce() -> io::Result<PathBuf>) -> io::Result<Self> {
        Ok(Self::of(make, PathBuf::as_path)?.1)
    }

    /// Path of the temporary file or folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut open = lock(&OPEN);
        open.remove(&self.path);
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

/// Creates a temporary folder in `above`, and removes what killed programs left there.
pub fn folder_in(above: &Path) -> io::Result<Temporary<TempDir>> {
    sweep(above);
    let begins = begins(WRITING, "folder");
    loop {
        let builder = &mut Builder::new();
        let builder = builder.prefix(&begins).suffix(MARK);
        let (made, mut scratch) = Scratch::of(|| builder.tempdir_in(above), TempDir::path)?;
        // Not every system can open folders.
        scratch._held = File::open(made.path()).ok();
        if scratch._held.as_ref().is_none_or(is_ours) && made.path().exists() {
            return Ok(Temporary { made, scratch });
        }
    }
}

/// Creates a temporary file in `folder` that will replace `name`, and removes those that killed programs left there.
pub fn file_in(folder: &Path, name: &str) -> io::Result<Temporary<NamedTempFile>> {
    sweep(folder);
    let begins = begins(WRITING, name);
    let mut builder = Builder::new();
    builder.prefix(&begins).suffix(MARK);
    // tempfile makes files private to their owner; this one gets the usual permissions, minus the umask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let (made, scratch) = Scratch::of(|| builder.tempfile_in(folder), NamedTempFile::path)?;
        if is_ours(made.as_file()) && made.path().exists() {
            return Ok(Temporary { made, scratch });
        }
    }
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
    left_in(folder, |name| {
        name.strip_prefix(&begins).is_some_and(is_random)
    })
}

/// Files and folders whose names are `ours` and that no program holds.
fn left_in(folder: &Path, ours: impl Fn(&str) -> bool) -> Vec<(PathBuf, File)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_str().is_some_and(&ours));
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

/// End of the names by which any program of this kind knows another's temporary files.
const MARK: &str = ".tutor";

fn is_random(part: &str) -> bool {
    part.len() == RANDOM && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Locks a temporary file, so that it does not count as abandoned. False if another program holds the lock.
pub fn hold(file: &File) -> bool {
    file.try_lock().is_ok()
}

/// Locks what was just created. False if another program did so first, which takes it for abandoned and removes it. On a
/// file system without locks, nothing counts as abandoned.
pub fn is_ours(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Removes what killed programs left in `folder` while they made a file or a temporary folder there.
fn sweep(folder: &Path) {
    let is_named = |name: &str| {
        let name = name
            .strip_prefix(WRITING)
            .and_then(|name| name.strip_suffix(MARK));
        let random = name.and_then(|name| name.rsplit_once('-'));
        random.is_some_and(|(_, random)| is_random(random))
    };
    for (path, _held) in left_in(folder, is_named) {
        let _ = if is_folder(&path) {
            remove_folder(&path)
        } else {
            fs::remove_file(path)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_any_name_goes_and_what_is_held_or_somebodys_stays() {
        let room = tempfile::tempdir().unwrap();
        let at = |name: &str| room.path().join(name);
        for name in [
            ".writing-old-abc123.tutor",
            ".writing-my-banana",
            ".writing-old-abc.tutor",
        ] {
            fs::write(at(name), "").unwrap();
        }
        fs::create_dir(at(".writing-folder-abc123.tutor")).unwrap();
        fs::write(at(".writing-folder-abc123.tutor/file"), "").unwrap();
        let held = [
            file_in(room.path(), "new").unwrap(),
            file_in(room.path(), "new").unwrap(),
        ];
        let folder = folder_in(room.path()).unwrap();
        assert!(held.iter().all(|held| held.path().exists()) && folder.path().exists());
        for name in [".writing-old-abc123.tutor", ".writing-folder-abc123.tutor"] {
            assert!(!at(name).exists(), "{name}");
        }
        assert!(at(".writing-my-banana").exists() && at(".writing-old-abc.tutor").exists());
        drop((held, folder));
        assert_eq!(fs::read_dir(room.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_is_in_use_is_never_taken_for_abandoned() {
        let room = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let folder = folder_in(room.path()).unwrap();
                        let file = file_in(room.path(), "new").unwrap();
                        fs::write(folder.path().join("text"), "text").unwrap();
                        assert_eq!(fs::read(folder.path().join("text")).unwrap(), b"text");
                        assert!(file.path().exists());
                    }
                });
            }
        });
    }
}
