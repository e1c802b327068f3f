//! The program's stdout and stderr.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::typeset::sanitize::clean;

/// True if stdout was closed when the program began. Before `main`, the runtime replaces it with /dev/null, so all
/// output would be lost without an error.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Checks whether stdout is closed; the system calls it before the runtime starts, see `main.rs`.
pub extern "C" fn check_stdout() {
    #[cfg(unix)]
    if rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err() {
        CLOSED.store(true, Ordering::Relaxed);
    }
}

/// Stdout, locked while a command runs. A write error names it.
pub struct Stdout(io::StdoutLock<'static>);

impl Stdout {
    pub fn lock() -> Self {
        Self(io::stdout().lock())
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        require_open()?;
        self.0.write(bytes).map_err(from_stdout)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(from_stdout)
    }
}

/// Returns an error if stdout is closed.
pub fn require_open() -> io::Result<()> {
    if CLOSED.load(Ordering::Relaxed) {
        Err(io::Error::other(
            "stdout is closed, so nothing can be printed; open it, or redirect it to /dev/null",
        ))
    } else {
        Ok(())
    }
}

/// Adds to an error that it came from stdout.
pub fn from_stdout(why: io::Error) -> io::Error {
    match why.kind() {
        // The caller tries again.
        io::ErrorKind::Interrupted => why,
        kind => io::Error::new(kind, format!("stdout cannot be written: {why}")),
    }
}

/// Writes a line to stderr. If that fails there is nowhere left to report it, so the command goes on.
pub fn note(words: &str) {
    let _ = writeln!(io::stderr(), "{}", clean(words));
}
