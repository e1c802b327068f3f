//! Stdout and stderr of the program.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::typeset::sanitize::clean;

/// Whether stdout was closed when the program began. The runtime then opens /dev/null in its place before `main`, so
/// that all that is printed would be lost without an error.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Notes whether stdout is closed; the system calls it before the runtime begins, see `main.rs`.
pub extern "C" fn look() {
    #[cfg(unix)]
    if rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err() {
        CLOSED.store(true, Ordering::Relaxed);
    }
}

/// Stdout, for as long as a command runs. Where it cannot be written, its error says so.
pub struct Stdout(io::StdoutLock<'static>);

impl Stdout {
    pub fn lock() -> Self {
        Self(io::stdout().lock())
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        require_open()?;
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(named)
    }
}

/// An error where stdout is closed.
pub fn require_open() -> io::Result<()> {
    match CLOSED.load(Ordering::Relaxed) {
        true => Err(io::Error::other(
            "stdout is closed, so nothing can be printed; open it, or redirect it to /dev/null",
        )),
        false => Ok(()),
    }
}

/// An error of stdout, as a sentence.
pub fn named(why: io::Error) -> io::Error {
    match why.kind() {
        // It is tried again.
        io::ErrorKind::Interrupted => why,
        kind => io::Error::new(kind, format!("stdout cannot be written: {why}")),
    }
}

/// Writes a line to stderr. If stderr takes nothing, there is nowhere left to say so, and the command goes on.
pub fn note(words: &str) {
    let _ = writeln!(io::stderr(), "{}", clean(words));
}
