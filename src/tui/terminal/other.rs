//! The terminal on systems other than Unix, through crossterm.

use std::io::{self, Write};
use std::sync::Mutex;
use std::time::Instant;

use crossterm::event::{self, Event};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size as crossterm_size};

use crate::tensor::threads::lock;

/// Bytes that restore the screen, while the terminal is taken over.
static FAREWELL: Mutex<Option<Vec<u8>>> = Mutex::new(None);

/// Takes the terminal over in raw mode. `farewell` is written to restore its screen.
pub fn take(farewell: Vec<u8>) -> io::Result<()> {
    enable_raw_mode()?;
    *lock(&FAREWELL) = Some(farewell);
    Ok(())
}

/// True while the terminal is taken over.
pub fn is_taken() -> bool {
    FAREWELL.lock().is_ok_and(|farewell| farewell.is_some())
}

/// True if the terminal is this program's again after a stop; nothing stops the program here.
pub fn comes_back() -> bool {
    true
}

/// Size in columns and rows.
pub fn size() -> io::Result<(u16, u16)> {
    crossterm_size()
}

/// Writes all bytes, unless the terminal was given back.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    let taken = lock(&FAREWELL);
    if taken.is_none() {
        return Err(io::ErrorKind::NotConnected.into());
    }
    io::stdout().write_all(bytes)?;
    io::stdout().flush()
}

/// Reader of events from the terminal.
#[derive(Default)]
pub struct Input;

impl Input {
    /// Waits for the next event until `end`.
    pub fn next(&mut self, end: Instant) -> io::Result<Option<Event>> {
        let come = event::poll(end.saturating_duration_since(Instant::now()))?;
        come.then(event::read).transpose()
    }
}

/// Gives the terminal back; does nothing the second time. Nothing is written to it from then on.
pub fn give_back() {
    let farewell = lock(&FAREWELL).take();
    if let Some(farewell) = farewell {
        let _ = io::stdout().write_all(&farewell);
        let _ = io::stdout().flush();
        let _ = disable_raw_mode();
    }
}
