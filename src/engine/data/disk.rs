//! File system operations on runs and sets of files, all in one place, so that a test can make any of them fail or be
//! the last before the program is killed.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// True if the error means that nothing exists at the path.
pub fn missing(e: &io::Error) -> bool {
    e.kind() == ErrorKind::NotFound
}

/// True if the path itself is a symbolic link, whatever its target.
pub fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

/// True if the path is a folder and not a link to one.
pub fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// True if anything exists at the path, even a dangling link.
pub fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Gives a new file the mode of the one it replaces, and its owner if the system allows that.
pub fn keep_permissions(file: &File, now: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (now.uid(), now.gid()) {
            let _ = fchown(file, Some(now.uid()), Some(now.gid()));
        }
    }
    file.set_permissions(now.permissions())
}

/// Returns the paths in `folder`, sorted so that the order of operations is always the same.
pub(crate) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let all = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut all = all.collect::<io::Result<Vec<PathBuf>>>()?;
    all.sort();
    Ok(all)
}

#[cfg(test)]
use std::sync::Arc;

/// The file system, as runs and sets of files use it. Written data is on the disk when a call returns, and no operation
/// follows a link at the end of its path.
#[derive(Clone, Default)]
pub struct Disk {
    #[cfg(test)]
    trap: Option<Arc<Trap>>,
}

impl Disk {
    /// Creates a folder whose parent exists.
    pub fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.reach()?;
        fs::create_dir(path)
    }

    /// Creates a folder in `above` with a new name that begins with `begins`.
    pub fn make_temporary(&self, above: &Path, begins: &str) -> io::Result<PathBuf> {
        self.reach()?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(begins);
        // tempfile makes folders private to their owner; this one gets the usual permissions, minus the umask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        Ok(builder.tempdir_in(above)?.keep())
    }

    /// Creates a folder and any parents that are missing.
    pub fn make_folders(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        self.reach()?;
        fs::create_dir_all(path)
    }

    /// Writes a new file, replacing any old one.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // Opening the old file would follow a link and change the contents of its hard links.
        match fs::remove_file(path) {
            Err(e) if !missing(&e) => return Err(e),
            _ => {}
        }
        self.put(&mut File::create_new(path)?, bytes)
    }

    /// Writes a file beside `path` and renames it, so that a reader finds the old file or the new one, whole.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let beside = path.with_file_name(format!("{WRITING}{name}"));
        let done = self
            .write(&beside, bytes)
            .and_then(|()| self.rename(&beside, path));
        if done.is_err() {
            // Free the space: the disk may be full.
            let _ = self.remove_file(&beside);
        }
        done
    }

    /// Appends to a file, creating it if necessary. The longer file replaces the old one, so a hard-link backup keeps
    /// its contents.
    pub fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut all = match fs::read(path) {
            Err(e) if missing(&e) => Vec::new(),
            entry => entry?,
        };
        all.extend_from_slice(bytes);
        self.replace(path, &all)
    }

    /// Renames a file or folder.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.reach()?;
        fs::rename(from, to)
    }

    /// Exchanges two folders in one operation. Returns false, and changes nothing, if the file system has no such
    /// operation.
    pub fn exchange(&self, one: &Path, other: &Path) -> io::Result<bool> {
        self.reach()?;
        #[cfg(test)]
        if self.trap.as_ref().is_some_and(|trap| trap.is_plain()) {
            return Ok(false);
        }
        exchanged(one, other)
    }

    /// Removes a file, if there is one.
    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        if !exists(path) {
            return Ok(());
        }
        self.reach()?;
        fs::remove_file(path)
    }

    /// Removes a folder if it is empty, and returns whether it was.
    pub fn remove_folder(&self, path: &Path) -> io::Result<bool> {
        self.reach()?;
        match fs::remove_dir(path) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == ErrorKind::DirectoryNotEmpty => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Syncs the entries of a folder where the system allows it, so that they survive a power cut.
    pub fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.reach()?;
        if self.is_trapped() {
            return Ok(());
        }
        // Not every system opens folders, and not every file system syncs them.
        if let Ok(folder) = File::open(path) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    fn put(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        #[cfg(test)]
        if let Some(trap) = &self.trap {
            return trap.put(file, bytes);
        }
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Counts an operation that is about to be performed; in tests, the trap may make it fail.
    fn reach(&self) -> io::Result<()> {
        #[cfg(test)]
        if let Some(trap) = &self.trap {
            return trap.reach();
        }
        Ok(())
    }

    fn is_trapped(&self) -> bool {
        #[cfg(test)]
        return self.trap.is_some();
        #[cfg(not(test))]
        false
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchanged(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        // An older kernel, or a file system without the operation. On macOS, OPNOTSUPP and NOTSUP are different
        // numbers.
        Err(e) if [Errno::NOSYS, Errno::INVAL, Errno::OPNOTSUPP, Errno::NOTSUP].contains(&e) => {
            Ok(false)
        }
        Err(e) => Err(e.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchanged(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Prefix of files and folders that are still being written; they are renamed once they are whole.
pub const WRITING: &str = ".writing-";

/// Prefix of folders that are being replaced.
pub const LEAVING: &str = ".leaving-";

#[cfg(test)]
pub use trap::{FaultKind, Trap};

#[cfg(test)]
mod trap {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// What happens at the operation that a test chose.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum FaultKind {
        /// It fails and later ones succeed, as on a disk that was full for a moment.
        Fail,
        /// Neither it nor any later one is performed, as when the program is killed.
        Die,
        /// Like `Die`, but in the middle of the operation: the first half of what it writes is on the disk.
        Tear,
    }

    /// Counts operations and springs at one of them.
    #[derive(Debug)]
    pub struct Trap {
        done: AtomicUsize,
        at: usize,
        way: FaultKind,
        /// Simulates a file system that cannot exchange folders.
        plain: bool,
    }

    impl Trap {
        /// A disk whose operation number `at`, counted from 0, ends in that way.
        pub fn disk(at: usize, kind: FaultKind) -> Disk {
            Self::set(at, kind, false)
        }

        /// The same on a file system that cannot exchange folders.
        pub fn plain_disk(at: usize, kind: FaultKind) -> Disk {
            Self::set(at, kind, true)
        }

        fn set(at: usize, kind: FaultKind, plain: bool) -> Disk {
            let done = AtomicUsize::new(0);
            let trap = Arc::new(Trap {
                done,
                at,
                way: kind,
                plain,
            });
            Disk { trap: Some(trap) }
        }

        pub(super) fn is_plain(&self) -> bool {
            self.plain
        }

        pub(super) fn put(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
            let half = self.way != FaultKind::Die && self.done.load(Ordering::SeqCst) == self.at;
            if half {
                file.write_all(&bytes[..bytes.len() / 2])?;
            }
            self.reach()?;
            file.write_all(bytes)
        }

        pub(super) fn reach(&self) -> io::Result<()> {
            let n = self.done.fetch_add(1, Ordering::SeqCst);
            let springs = n == self.at || (n > self.at && self.way != FaultKind::Fail);
            if springs {
                Err(io::Error::other("the trap"))
            } else {
                Ok(())
            }
        }
    }

    impl Disk {
        /// Number of operations so far.
        pub fn done(&self) -> usize {
            let trap = self.trap.as_ref();
            trap.map_or(0, |trap| trap.done.load(Ordering::SeqCst))
        }
    }
}
