//! The terminal device: reading, writing, and giving it back.
//!
//! The device is opened anew, so that making it non-blocking does not affect the shell's descriptors. Every wait, to
//! read or to write, also waits for [`super::signals`], so a terminal that accepts no more bytes blocks
//! nothing.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use crossterm::event::Event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::termios::{self, OptionalActions, QueueSelector, Termios};

use super::signals;
use crate::tui::input::Decoder;

/// Time allowed to the terminal to accept the bytes that restore the screen.
const FAREWELL_TIMEOUT: Duration = Duration::from_millis(200);

/// Number of bytes read at once.
const READ_BYTES: usize = 16 << 10;

/// Maximum number of bytes per write if the terminal cannot be made non-blocking: it takes that many whenever it
/// reports that it takes any.
const SMALL: usize = 256;

/// The terminal, from the first time it is taken over until the program ends.
static DEVICE: OnceLock<Device> = OnceLock::new();

/// State of the hold on the terminal.
static HOLD: Mutex<Hold> = Mutex::new(Hold {
    before: None,
    cut: false,
});

/// Bytes that end any sequence that the terminal is in the middle of.
const ABORT_SEQUENCE: &[u8] = b"\x18\x1b\\";

/// True once a signal handler has given the terminal back for good.
static GONE: AtomicBool = AtomicBool::new(false);

/// Notified when the terminal is given back.
static GIVEN: Condvar = Condvar::new();

/// Terminal modes found at the start, for a signal handler that cannot lock [`HOLD`].
static ORIGINAL_MODES: OnceLock<Termios> = OnceLock::new();

struct Device {
    input: OwnedFd,
    output: OwnedFd,
    /// Maximum number of bytes per write.
    max_write: usize,
    /// Bytes that restore the screen.
    farewell: Vec<u8>,
}

struct Hold {
    /// Modes to restore, while the terminal is taken over.
    before: Option<Termios>,
    /// True if the last write may have ended inside a sequence.
    cut: bool,
}

fn hold() -> MutexGuard<'static, Hold> {
    HOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens the terminal behind `fd` anew, or duplicates `fd` if that is not allowed, as after `su`. Also returns the
/// maximum number of bytes per write.
fn open(fd: BorrowedFd<'_>) -> io::Result<(OwnedFd, usize)> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let named = termios::ttyname(fd, Vec::new())
        .and_then(|name| rustix::fs::open(name, flags, Mode::empty()));
    match named.or_else(|_| rustix::fs::open("/dev/tty", flags, Mode::empty())) {
        Ok(own) => Ok((own, usize::MAX)),
        Err(_) => Ok((fd.try_clone_to_owned()?, SMALL)),
    }
}

/// Takes the terminal over in raw mode. `farewell` is written to restore its screen.
pub fn take(farewell: Vec<u8>) -> io::Result<()> {
    if DEVICE.get().is_none() {
        let (input, _) = open(io::stdin().as_fd())?;
        let (output, max_write) = open(io::stdout().as_fd())?;
        let device = Device {
            input,
            output,
            max_write,
            farewell,
        };
        // If two threads get here at once, either device will do.
        let _ = DEVICE.set(device);
    }
    signals::catch()?;
    let device = device()?;
    let mut hold = hold();
    let now = termios::tcgetattr(&device.input)?;
    let mut raw = now.clone();
    raw.make_raw();
    termios::tcsetattr(&device.input, OptionalActions::Now, &raw)?;
    let _ = ORIGINAL_MODES.set(now.clone());
    *hold = Hold {
        // If the terminal is taken already, its current modes may be those set by this program.
        before: Some(hold.before.take().unwrap_or(now)),
        cut: false,
    };
    Ok(())
}

fn device() -> io::Result<&'static Device> {
    DEVICE
        .get()
        .ok_or_else(|| io::ErrorKind::NotConnected.into())
}

/// True while the terminal is taken over.
pub fn is_taken() -> bool {
    hold().before.is_some()
}

/// Size in columns and rows.
pub fn size() -> io::Result<(u16, u16)> {
    let size = termios::tcgetwinsize(&device()?.output)?;
    // A serial line without a known size reports 0.
    Ok(match (size.ws_col, size.ws_row) {
        (0, _) | (_, 0) => (80, 24),
        size => size,
    })
}

/// Writes all bytes; gives up if the program is to end or stop, or the terminal was given back.
pub fn write(mut bytes: &[u8]) -> io::Result<()> {
    let device = device()?;
    while !bytes.is_empty() {
        let written = {
            let mut hold = hold();
            let gone = hold.before.is_none() || GONE.load(Ordering::SeqCst);
            if gone || signals::wants_the_terminal() {
                return Err(io::ErrorKind::NotConnected.into());
            }
            let part = &bytes[..bytes.len().min(device.max_write)];
            let written = if device.max_write == SMALL && !takes_more(device, Duration::ZERO) {
                Err(Errno::AGAIN)
            } else {
                rustix::io::write(&device.output, part)
            };
            hold.cut = written.unwrap_or(0) < bytes.len();
            written
        };
        match written {
            Ok(n) => bytes = &bytes[n..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let mut both = [
                    PollFd::new(&device.output, PollFlags::OUT),
                    PollFd::from_borrowed_fd(signals::wake_fd(), PollFlags::IN),
                ];
                wait(&mut both, None)?;
                // Nothing is lost: the signals set flags, too.
                signals::drain();
            }
            Err(Errno::IO | Errno::NXIO) => {
                signals::hang_up();
                return Err(io::ErrorKind::NotConnected.into());
            }
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}

/// True if the terminal accepts bytes, or does so within this time.
fn takes_more(device: &Device, within: Duration) -> bool {
    let mut one = [PollFd::new(&device.output, PollFlags::OUT)];
    wait(&mut one, Some(within)).is_ok() && !one[0].revents().is_empty()
}

fn wait(all: &mut [PollFd<'_>], within: Option<Duration>) -> io::Result<()> {
    let within = within.map(|t| Timespec {
        tv_sec: t.as_secs() as _,
        tv_nsec: t.subsec_nanos() as _,
    });
    match poll(all, within.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(e) => Err(e.into()),
    }
}

/// Reader of events from the terminal.
#[derive(Default)]
pub struct Input {
    decoder: Decoder,
    events: VecDeque<Event>,
}

impl Input {
    /// Waits for the next event until `end`, or until a signal needs attention.
    pub fn next(&mut self, end: Instant) -> io::Result<Option<Event>> {
        let device = device()?;
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(Some(event));
            }
            if signals::any() {
                return Ok(None);
            }
            let now = Instant::now();
            let until = self.decoder.due().map_or(end, |due| due.min(end));
            let mut both = [
                PollFd::new(&device.input, PollFlags::IN),
                PollFd::from_borrowed_fd(signals::wake_fd(), PollFlags::IN),
            ];
            wait(&mut both, Some(until.saturating_duration_since(now)))?;
            let (readable, woken) = (!both[0].revents().is_empty(), !both[1].revents().is_empty());
            if woken {
                signals::drain();
            }
            if readable {
                self.read(device)?;
            } else if self.decoder.due().is_some_and(|due| due <= Instant::now()) {
                self.decoder
                    .give_up(&mut |event| self.events.push_back(event));
            } else if woken || Instant::now() >= end {
                return Ok(None);
            }
        }
    }

    fn read(&mut self, device: &Device) -> io::Result<()> {
        let mut buffer = [0; READ_BYTES];
        match rustix::io::read(&device.input, &mut buffer) {
            // A terminal's input ends only when the terminal is gone.
            Ok(0) | Err(Errno::IO | Errno::NXIO) => signals::hang_up(),
            Ok(n) => {
                let tell = &mut |event| self.events.push_back(event);
                self.decoder.feed(&buffer[..n], Instant::now(), tell);
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(e) => return Err(e.into()),
        }
        Ok(())
    }
}

/// Gives the terminal back; does nothing the second time. Nothing is written to it from then on.
///
/// The unsent rest of a frame is dropped if the terminal does not accept the farewell in time.
pub fn give_back() {
    let Ok(device) = device() else { return };
    let mut hold = hold();
    let Some(before) = hold.before.take() else {
        return;
    };
    // In the background, the terminal belongs to another program; if it is gone, nothing can be done.
    if is_ours(device) {
        restore_screen(device, hold.cut);
        let _ = termios::tcsetattr(&device.input, OptionalActions::Now, &before);
    }
    GIVEN.notify_all();
}

/// True if this program is in the terminal's foreground.
fn is_ours(device: &Device) -> bool {
    // A terminal that does not control this session has no foreground to ask for.
    termios::tcgetpgrp(&device.input).map_or(true, |group| group == rustix::process::getpgrp())
}

/// Writes the farewell, dropping earlier output if the terminal does not accept it in time. `cut` is as in [`Hold`].
///
/// Allocates no memory and calls nothing that is forbidden in a signal handler.
fn restore_screen(device: &Device, cut: bool) {
    let say_farewell = |cut: bool| {
        (!cut || write_in_time(device, ABORT_SEQUENCE)) && write_in_time(device, &device.farewell)
    };
    if !say_farewell(cut) {
        let _ = termios::tcflush(&device.output, QueueSelector::OFlush);
        say_farewell(true);
    }
}

/// Writes all bytes; `false` if the terminal does not accept them in time.
fn write_in_time(device: &Device, mut bytes: &[u8]) -> bool {
    let end = Instant::now() + FAREWELL_TIMEOUT;
    while !bytes.is_empty() {
        let left = end.saturating_duration_since(Instant::now());
        if !takes_more(device, left) && Instant::now() >= end {
            return false;
        }
        match rustix::io::write(&device.output, &bytes[..bytes.len().min(device.max_write)]) {
            Ok(n) => bytes = &bytes[n..],
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => return true,
        }
    }
    true
}

/// Gives the terminal back from a signal handler, which may neither allocate memory nor wait for a lock. Nothing is
/// written to it from then on.
pub fn give_back_at_once() {
    let Some(device) = DEVICE.get() else { return };
    GONE.store(true, Ordering::SeqCst);
    let (cut, before) = match HOLD.try_lock() {
        Ok(mut hold) => (hold.cut, hold.before.take()),
        Err(TryLockError::Poisoned(hold)) => {
            let mut hold = hold.into_inner();
            (hold.cut, hold.before.take())
        }
        // A frame is being written, perhaps by the very thread that this handler interrupts.
        Err(TryLockError::WouldBlock) => (true, ORIGINAL_MODES.get().cloned()),
    };
    if let Some(before) = before {
        restore_screen(device, cut);
        let _ = termios::tcsetattr(&device.input, OptionalActions::Now, &before);
    }
}

/// Waits until the terminal has been given back, at most this long.
pub fn wait_until_given(within: Duration) {
    let taken = |hold: &mut Hold| hold.before.is_some();
    drop(GIVEN.wait_timeout_while(hold(), within, taken));
}

/// Waits in the background until the terminal is this program's again; `false` if the program is to end instead.
pub fn comes_back() -> bool {
    let Ok(device) = device() else { return false };
    while !is_ours(device) {
        // A signal that came while the program was stopped takes a moment to be noted.
        std::thread::sleep(Duration::from_millis(20));
        if signals::ended().is_some() {
            return false;
        }
        signals::stop_in_background();
    }
    true
}
