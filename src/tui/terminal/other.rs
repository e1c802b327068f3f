//! The terminal where it is no unix device: what crossterm makes of it.

use std::io::{self, Write};
use std::sync::Mutex;
use std::time::Instant;

use crossterm::event::{self, Event};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size as crossterm_size};

/// The bytes that give the screen back, while it is taken over.
static FAREWELL: Mutex<Option<Vec<u8>>> = Mutex::new(None);

/// Takes the terminal over: raw. `farewell` are the bytes that will give its screen back.
pub fn take(farewell: Vec<u8>) -> io::Result<()> {
    enable_raw_mode()?;
    *FAREWELL.lock().unwrap_or_else(|e| e.into_inner()) = Some(farewell);
    Ok(())
}

/// Whether the terminal is taken over.
pub fn is_taken() -> bool {
    FAREWELL.lock().is_ok_and(|farewell| farewell.is_some())
}

/// Whether to go on with the terminal: nothing stops the program here.
pub fn comes_back() -> bool {
    true
}

/// The size in columns and rows.
pub fn size() -> io::Result<(u16, u16)> {
    crossterm_size()
}

/// Writes it all, if the terminal was not given back.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    let taken = FAREWELL.lock().unwrap_or_else(|e| e.into_inner());
    if taken.is_none() {
        return Err(io::ErrorKind::NotConnected.into());
    }
    io::stdout().write_all(bytes)?;
    io::stdout().flush()
}

/// What comes from the terminal.
#[derive(Default)]
pub struct Input;

impl Input {
    /// The next event, waited for until `end`.
    pub fn next(&mut self, end: Instant) -> io::Result<Option<Event>> {
        let come = event::poll(end.saturating_duration_since(Instant::now()))?;
        come.then(event::read).transpose()
    }
}

/// Gives the terminal back; does nothing the second time. Nothing is written to it from then on.
pub fn give_back() {
    let farewell = FAREWELL.lock().unwrap_or_else(|e| e.into_inner()).take();
    if let Some(farewell) = farewell {
        let _ = io::stdout().write_all(&farewell);
        let _ = io::stdout().flush();
        let _ = disable_raw_mode();
    }
}
