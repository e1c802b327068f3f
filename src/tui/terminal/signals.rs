//! Signal handling: the terminal is given back before a signal ends or stops the program, whatever it is doing.
//!
//! The drawing thread is notified, gives the terminal back and ends the program with the signal. If it does not do so
//! in time, the thread that receives the signals does. Faults cannot wait for a thread: their handler does what a
//! handler may.

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

/// Signals that end a program that does not catch them. SIGPIPE is missing because Rust programs ignore it.
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

/// True if the program is to stop and let the shell continue.
static STOP: AtomicBool = AtomicBool::new(false);

/// True if the program was continued; it may have been stopped without warning.
static WENT_ON: AtomicBool = AtomicBool::new(false);

/// True if the size may have changed.
static RESIZED: AtomicBool = AtomicBool::new(false);

/// Socket pair that wakes the thread waiting for the terminal, which polls it as well.
static WAKE: OnceLock<(UnixStream, UnixStream)> = OnceLock::new();

/// Previous handlers of the fault signals.
static BEFORE: OnceLock<Vec<(i32, libc::sigaction)>> = OnceLock::new();

/// Catches signals from now on.
pub fn catch() -> io::Result<()> {
    if WAKE.get().is_some() {
        return Ok(());
    }
    let (sender, receiver) = UnixStream::pair()?;
    sender.set_nonblocking(true)?;
    receiver.set_nonblocking(true)?;
    let _ = WAKE.set((sender, receiver));
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
                wake();
            }
        })?;
    catch_faults();
    Ok(())
}

fn end(signal: i32) {
    let _ = ENDED.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
    wake();
}

/// Ends the program as SIGHUP does: the terminal is gone, though no signal said so.
pub fn hang_up() {
    end(libc::SIGHUP);
}

/// Signal that the program is to end with.
pub fn ended() -> Option<i32> {
    match ENDED.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(signal),
    }
}

/// True if the terminal must be given back now, abandoning any write in progress.
pub fn wants_the_terminal() -> bool {
    ended().is_some() || STOP.load(Ordering::SeqCst)
}

/// True if a signal is pending.
pub fn any() -> bool {
    let flags = [&WENT_ON, &RESIZED];
    wants_the_terminal() || flags.iter().any(|flag| flag.load(Ordering::SeqCst))
}

/// True if the program is to stop; clears the flag.
pub fn take_stop() -> bool {
    STOP.swap(false, Ordering::SeqCst)
}

/// True if the program was continued after a stop; clears the flag.
pub fn take_went_on() -> bool {
    WENT_ON.swap(false, Ordering::SeqCst)
}

/// True if the size may have changed; clears the flag.
pub fn take_resized() -> bool {
    RESIZED.swap(false, Ordering::SeqCst)
}

/// Wakes the thread waiting for the terminal.
pub fn wake() {
    if let Some((sender, _)) = WAKE.get() {
        // If the socket's buffer is full, a wake-up is already pending.
        let _ = (&*sender).write(&[1]);
    }
}

/// Descriptor to poll alongside the terminal.
pub fn wake_fd() -> BorrowedFd<'static> {
    let (_, receiver) = WAKE
        .get()
        .expect("signals are caught before the terminal is taken");
    receiver.as_fd()
}

/// Drains pending wake-ups.
pub fn drain() {
    let Some((_, receiver)) = WAKE.get() else {
        return;
    };
    let mut bytes = [0; 64];
    while matches!((&*receiver).read(&mut bytes), Ok(1..)) {}
}

/// Asks the whole process group to stop, as Ctrl-Z does in a shell; `false` if that fails.
pub fn ask_to_stop() -> bool {
    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP).is_ok()
}

/// Stops until the shell continues the program. If no shell could, the system does not stop it.
pub fn stop() {
    by_default(libc::SIGTSTP);
}

/// Stops as a background program does when it writes to the terminal.
pub fn stop_in_background() {
    by_default(libc::SIGTTOU);
}

/// Ends the program as this signal would if it were not caught.
pub fn die(signal: i32) -> ! {
    end_running();
    scratch::remove_all();
    by_default(signal);
    // The signal did not end the program.
    std::process::exit(128 + signal);
}

/// Raises a signal with the system's default action.
fn by_default(signal: i32) {
    // SAFETY: both structs hold only numbers, which the calls fill or read, and null is allowed for the last argument.
    // `raise` signals this thread and does not return before the signal was handled.
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
        // SAFETY: as in `by_default`; null is allowed for the new action, too.
        unsafe {
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut before) == 0 {
                all.push((signal, before));
            }
        }
    }
    let _ = BEFORE.set(all);
    for signal in FAULTS {
        // SAFETY: as above. The handler has the signature that SA_SIGINFO requires.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = fault;
            action.sa_sigaction = handler as libc::sighandler_t;
            // Run on std's alternate signal stack: the thread's own may have overflowed.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// Gives the terminal back and leaves the rest to the previous handler: std's reports a stack overflow.
extern "C" fn fault(signal: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    give_back_at_once();
    // SAFETY: the system passes a valid `info`. All calls are allowed in a signal handler.
    unsafe {
        // Sent by a program, not by the processor: returning from here would not raise it again.
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
