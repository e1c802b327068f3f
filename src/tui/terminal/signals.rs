//! Signals: the terminal is given back before one ends or stops the program, whatever the program is doing.
//!
//! The drawing thread is told, gives the terminal back and ends with the signal. Should it not do so in time, the
//! thread that the signals come to does. Faults cannot wait for a thread: their handler does what it may.

#![allow(unsafe_code)] // handlers of faults

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::iterator::Signals;

use crate::data::scratch;
use crate::lesson::exercise::end_running;

use super::device::{give_back, give_back_at_once, wait_until_given};

/// Time allowed to the drawing thread to give the terminal back.
const GIVING: Duration = Duration::from_millis(500);

/// Further time allowed to it to save what must be kept.
const KEEPING: Duration = Duration::from_millis(700);

/// What ends a program that does not catch it. SIGPIPE is not there: Rust's programs ignore it.
const ENDING: &[i32] = &[
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGALRM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGXCPU,
    libc::SIGXFSZ,
    #[cfg(target_os = "linux")]
    libc::SIGIO,
    #[cfg(target_os = "linux")]
    libc::SIGPWR,
    #[cfg(target_os = "linux")]
    libc::SIGSTKFLT,
];

/// Signals caused by faults of the program.
const FAULTS: [i32; 7] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGABRT,
    libc::SIGTRAP,
    libc::SIGSYS,
];

/// Signal that ends the program; 0 if none.
static ENDED: AtomicI32 = AtomicI32::new(0);

/// Whether the program is to stop, for the shell.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether it was stopped, without a word before, and goes on.
static WENT_ON: AtomicBool = AtomicBool::new(false);

/// Whether the size may be another.
static RESIZED: AtomicBool = AtomicBool::new(false);

/// What wakes a thread that waits for the terminal: bytes on a socket beside it.
static BELL: OnceLock<(UnixStream, UnixStream)> = OnceLock::new();

/// Previous handlers of the fault signals.
static BEFORE: OnceLock<Vec<(i32, libc::sigaction)>> = OnceLock::new();

/// Catches signals from now on.
pub fn catch() -> io::Result<()> {
    if BELL.get().is_some() {
        return Ok(());
    }
    let (ringing, waiting) = UnixStream::pair()?;
    ringing.set_nonblocking(true)?;
    waiting.set_nonblocking(true)?;
    let _ = BELL.set((ringing, waiting));
    let others = [libc::SIGTSTP, libc::SIGCONT, libc::SIGWINCH];
    let mut signals = Signals::new(ENDING.iter().chain(&others))?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for signal in &mut signals {
                match signal {
                    libc::SIGTSTP => STOP.store(true, Ordering::SeqCst),
                    libc::SIGCONT => WENT_ON.store(true, Ordering::SeqCst),
                    libc::SIGWINCH => RESIZED.store(true, Ordering::SeqCst),
                    _ => {
                        end(signal);
                        wait_until_given(GIVING);
                        give_back();
                        thread::sleep(KEEPING);
                        die(signal);
                    }
                }
                ring();
            }
        })?;
    catch_faults();
    Ok(())
}

fn end(signal: i32) {
    let _ = ENDED.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
    ring();
}

/// The terminal is gone, though no signal said so.
pub fn hang_up() {
    end(libc::SIGHUP);
}

/// The signal that the program is to end with.
pub fn ended() -> Option<i32> {
    match ENDED.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(signal),
    }
}

/// Whether the terminal must be given back now: what is being written is given up.
pub fn wants_the_terminal() -> bool {
    ended().is_some() || STOP.load(Ordering::SeqCst)
}

/// Whether a signal wants anything.
pub fn any() -> bool {
    let flags = [&WENT_ON, &RESIZED];
    wants_the_terminal() || flags.iter().any(|flag| flag.load(Ordering::SeqCst))
}

/// Whether the program is to stop; asked once for each time.
pub fn take_stop() -> bool {
    STOP.swap(false, Ordering::SeqCst)
}

/// Whether the program goes on after it was stopped; asked once for each time.
pub fn take_went_on() -> bool {
    WENT_ON.swap(false, Ordering::SeqCst)
}

/// Whether the size may be another; asked once for each time.
pub fn take_resized() -> bool {
    RESIZED.swap(false, Ordering::SeqCst)
}

/// Wakes whoever waits for the terminal.
pub fn ring() {
    if let Some((ringing, _)) = BELL.get() {
        // If the socket's buffer is full, a wake-up is already pending.
        let _ = (&*ringing).write(&[1]);
    }
}

/// Descriptor to poll alongside the terminal.
pub fn bell() -> BorrowedFd<'static> {
    let (_, waiting) = BELL
        .get()
        .expect("signals are caught before the terminal is taken");
    waiting.as_fd()
}

/// Drains pending wake-ups.
pub fn hush() {
    let Some((_, waiting)) = BELL.get() else {
        return;
    };
    let mut rings = [0; 64];
    while matches!((&*waiting).read(&mut rings), Ok(1..)) {}
}

/// Asks all that the shell started with this program to stop, as its Ctrl-Z does; `false` where nothing can.
pub fn ask_to_stop() -> bool {
    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP).is_ok()
}

/// Stops until the shell lets the program go on. Where no shell could, the system does not stop it.
pub fn stop() {
    by_default(libc::SIGTSTP);
}

/// Stops in the background, as a program does that wants the terminal there.
pub fn stop_in_background() {
    by_default(libc::SIGTTOU);
}

/// Ends the program as this signal ends one that does not catch it.
pub fn die(signal: i32) -> ! {
    end_running();
    scratch::remove_all();
    by_default(signal);
    // It was not deadly after all.
    std::process::exit(128 + signal);
}

/// Does what the system does with a signal that is not caught.
fn by_default(signal: i32) {
    // SAFETY: both are structures of numbers that the calls fill or read, and null is allowed for the second. `raise`
    // goes to this thread, which does not come back from it before the signal was handled.
    unsafe {
        let mut default: libc::sigaction = std::mem::zeroed();
        default.sa_sigaction = libc::SIG_DFL;
        let mut ours: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, &default, &mut ours) == 0 {
            libc::raise(signal);
            libc::sigaction(signal, &ours, std::ptr::null_mut());
        }
    }
}

fn catch_faults() {
    let mut all = Vec::new();
    for signal in FAULTS {
        // SAFETY: as in `by_default`. The handler has the signature that SA_SIGINFO asks for.
        unsafe {
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut before) == 0 {
                all.push((signal, before));
            }
        }
    }
    let _ = BEFORE.set(all);
    for signal in FAULTS {
        // SAFETY: as above.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = fault;
            action.sa_sigaction = handler as libc::sighandler_t;
            // On the stack that std keeps for it: the other one may be full.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// Gives the terminal back, and leaves the rest to what was there before: std says that a stack is full.
extern "C" fn fault(signal: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    give_back_at_once();
    // SAFETY: the system hands over a valid `info`. All calls are allowed in a handler.
    unsafe {
        // Sent by a program, not by the chip: it does not come a second time by itself.
        let sent = (*info).si_code <= 0;
        let before = BEFORE
            .get()
            .and_then(|all| all.iter().find(|(of, _)| *of == signal));
        match before {
            Some((_, before)) if !sent && before.sa_sigaction != libc::SIG_DFL => {
                libc::sigaction(signal, before, std::ptr::null_mut());
            }
            _ => {
                let mut default: libc::sigaction = std::mem::zeroed();
                default.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &default, std::ptr::null_mut());
                libc::raise(signal);
            }
        }
    }
}
