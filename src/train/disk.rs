//! The operations by which the folder of a run changes, all in one place: a test can let each of them fail, or be the
//! last that the program lives to do.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Whether there was nothing at the path.
pub fn missing(e: &std::io::Error) -> bool {
    e.kind() == std::io::ErrorKind::NotFound
}

#[cfg(test)]
use std::sync::Arc;

/// The file system, as the folder of a run uses it. What is written is on the disk when the call returns.
#[derive(Clone, Default)]
pub struct Disk {
    #[cfg(test)]
    trap: Option<Arc<Trap>>,
}

impl Disk {
    /// Makes a folder whose parent is there.
    pub fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.reach()?;
        fs::create_dir(path)
    }

    /// Makes a folder and those above it, where they are missing.
    pub fn make_folders(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        self.reach()?;
        fs::create_dir_all(path)
    }

    /// Writes a file, over one that is there.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.put(&mut File::create(path)?, bytes)
    }

    /// Puts a file in the place of one that may be there; whoever reads finds the one or the other, whole.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let beside = path.with_file_name(format!("{WRITING}{name}"));
        let done = self
            .write(&beside, bytes)
            .and_then(|()| self.rename(&beside, path));
        if done.is_err() {
            // A full disk needs the room.
            let _ = self.remove_file(&beside);
        }
        done
    }

    /// Adds to the end of a file, which is made if it is missing.
    pub fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        self.put(&mut file, bytes)
    }

    /// Gives a file or folder another name.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.reach()?;
        fs::rename(from, to)
    }

    /// Removes a file; that there is none is no error.
    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        if fs::symlink_metadata(path).is_err() {
            return Ok(());
        }
        self.reach()?;
        fs::remove_file(path)
    }

    /// Removes a folder if it is empty; whether it was.
    pub fn remove_folder(&self, path: &Path) -> io::Result<bool> {
        self.reach()?;
        match fs::remove_dir(path) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == ErrorKind::DirectoryNotEmpty => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Makes the names in a folder survive a power cut.
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

    /// Counts an operation that is about to be done.
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

/// How the names begin of what is being written, and takes its place under its own name when it is whole.
pub const WRITING: &str = ".writing-";

#[cfg(test)]
pub use trap::{Trap, Way};

#[cfg(test)]
mod trap {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// What becomes of the operation that a test chose.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Way {
        /// It fails, and those after it work: a disk that was full for a moment.
        Fail,
        /// Neither it nor any after it is done: the program was killed.
        Die,
        /// As `Die`, in the midst of it: of what it writes the first half is there.
        Tear,
    }

    /// Counts operations and springs at one of them.
    #[derive(Debug)]
    pub struct Trap {
        done: AtomicUsize,
        at: usize,
        way: Way,
    }

    impl Trap {
        /// A disk whose operation number `at`, from 0, goes that way.
        pub fn disk(at: usize, way: Way) -> Disk {
            let done = AtomicUsize::new(0);
            let trap = Some(Arc::new(Trap { done, at, way }));
            Disk { trap }
        }

        pub(super) fn put(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
            let half = self.way != Way::Die && self.done.load(Ordering::SeqCst) == self.at;
            if half {
                file.write_all(&bytes[..bytes.len() / 2])?;
            }
            self.reach()?;
            file.write_all(bytes)
        }

        pub(super) fn reach(&self) -> io::Result<()> {
            let n = self.done.fetch_add(1, Ordering::SeqCst);
            let springs = n == self.at || (n > self.at && self.way != Way::Fail);
            match springs {
                true => Err(io::Error::other("the trap")),
                false => Ok(()),
            }
        }
    }

    impl Disk {
        /// Operations until now.
        pub fn done(&self) -> usize {
            let trap = self.trap.as_ref();
            trap.map_or(0, |trap| trap.done.load(Ordering::SeqCst))
        }
    }
}
