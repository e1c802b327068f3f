//! A lock that lets only one process at a time read and write the progress file.

use crate::clock::Instant;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

/// Longest wait for another process, which normally holds the file for milliseconds unless it was stopped in the
/// middle.
const PATIENCE: Duration = Duration::from_secs(3);

/// The lock, held until it is dropped or the process ends.
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock on the file at `path`, which is a separate file beside it.
    pub fn take(path: &Path) -> io::Result<Self> {
        let name = path.with_extension("lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&name)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    let words = format!("another process holds {}", name.display());
                    return Err(io::Error::new(io::ErrorKind::TimedOut, words));
                }
                // On file systems without locks, merging must suffice.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(Self { _file: file }),
            }
        }
    }
}
