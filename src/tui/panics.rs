//! Panic handling: restores the terminal and reports the bug.

use std::io::Write;
use std::panic::PanicHookInfo;
use std::sync::{Mutex, Once, OnceLock, PoisonError};
use std::thread::{self, ThreadId};

use super::terminal;
use crate::lesson::exercise;
use crate::tensor::threads::lock;
use crate::typeset::sanitize::clean;

/// Maximum number of messages kept, because one bug may recur again and again.
const KEPT: usize = 3;

/// The thread that draws.
static DRAWING: OnceLock<ThreadId> = OnceLock::new();

/// Panic messages of other threads, and how many of them have been shown.
static TROUBLE: Mutex<(Vec<String>, usize)> = Mutex::new((Vec::new(), 0));

/// Catches panics from now on, while the terminal is taken over. The calling thread is the one that draws.
///
/// A panic of that thread ends the program. A panic of another thread ends only its own work, and the screen reports
/// it: a failed drawing does not cost a training run. Panics that a session catches and reports itself are left alone.
pub fn catch() {
    static HOOK: Once = Once::new();
    let _ = DRAWING.set(thread::current().id());
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if exercise::is_quiet() || !terminal::is_taken() {
                before(info);
            } else if DRAWING.get() == Some(&thread::current().id()) {
                end(info);
            } else {
                record(sentence(info));
            }
        }));
    });
}

/// Ends the program from the drawing thread without unwinding, because destructors could block or panic again.
fn end(info: &PanicHookInfo<'_>) -> ! {
    let trace = std::backtrace::Backtrace::capture();
    terminal::give_back();
    let mut out = std::io::stderr();
    let _ = writeln!(out, "{}", sentence(info));
    if trace.status() == std::backtrace::BacktraceStatus::Captured {
        let _ = writeln!(out, "{trace}");
    }
    std::process::exit(101);
}

fn record(sentence: String) {
    let mut trouble = lock(&TROUBLE);
    if trouble.0.len() < KEPT && !trouble.0.contains(&sentence) {
        trouble.0.push(sentence);
    }
    drop(trouble);
    terminal::wake();
}

/// Next panic message of another thread that has not been shown.
pub fn next_unshown() -> Option<String> {
    let mut trouble = lock(&TROUBLE);
    let next = trouble.0.get(trouble.1).cloned();
    trouble.1 += usize::from(next.is_some());
    next
}

/// All panic messages of other threads.
pub fn messages() -> Vec<String> {
    TROUBLE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .0
        .clone()
}

fn sentence(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let message = payload.downcast_ref::<&str>().copied();
    let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("it did not say why");
    let location = info
        .location()
        .map(|at| format!(" ({at})"))
        .unwrap_or_default();
    let message = clean(message).replace('\n', " ");
    let address = match env!("CARGO_PKG_REPOSITORY") {
        "" => String::new(),
        repository => format!(" at {repository}/issues"),
    };
    format!(
        "transformer-tutor has a bug: {message}{location}. Please report it{address}, with what `transformer-tutor doctor` prints."
    )
}
