//! The main function of a learner's test target: runs the lesson's check on the learner's function, within limits.

use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::handover::Sender;
use super::report::{self, Card};
use super::verdict::{LATE, MEMORY, Verdict, late, seconds};
use super::{Exercise, Outcome, Task, process};
use crate::lesson::Lesson;

/// Runs the check of one of `lesson`'s exercises, given by its task, on the learner's `function` in a thread. Prints
/// the verdict, or sends it to the tutor that started the process. A function that does not end in time is abandoned
/// when the process exits.
pub fn learner<F: Copy + Send + Sync>(
    lesson: &'static Lesson,
    task: &'static Task<F>,
    function: F,
) -> ExitCode {
    let same = |e: &&Exercise| std::ptr::addr_eq(e.function, task);
    let exercise = lesson.exercises().find(same);
    let name = exercise.map_or(lesson.name, |e| e.name);
    run(name, move || {
        task.judged(name, function)
            .map_err(|failure| match exercise {
                Some(exercise) => lesson.explained(exercise, failure),
                None => failure,
            })
    })
}

fn run(name: &str, check: impl FnOnce() -> Outcome + Send + 'static) -> ExitCode {
    // Must come first, while there is only one thread.
    crate::tensor::blas::prepare();
    process::limit_memory(MEMORY);
    let tutor = Sender::open();
    let seconds = seconds();
    let check = || super::caught("the check", check).flatten();
    let verdict = match within(Duration::from_secs_f64(seconds), check) {
        Some(Ok(outcome)) => Verdict::from(outcome),
        Some(Err(sentence)) => Verdict::Stopped(sentence),
        // The tutor has counted what was printed and can tell more than we can.
        None if tutor.is_some() => std::process::exit(LATE),
        None => Verdict::Stopped(late(seconds, None)),
    };
    let passed = verdict == Verdict::Passed;
    match tutor.map(|tutor| tutor.send(&verdict)) {
        Some(Ok(())) => {}
        Some(Err(e)) => eprintln!("the verdict did not reach the tutor: {e}"),
        None => print!("{}", text(name, &verdict)),
    }
    // Exit rather than return, because destructors would run while the other thread may still be at work.
    std::process::exit(if passed { 0 } else { 1 })
}

/// Result of `work` on another thread; `None` if it takes longer than `limit`. `Err` if the thread cannot start or
/// panics.
pub fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<Result<T, String>> {
    let (sender, receiver) = mpsc::channel();
    let work = move || {
        let outcome = work();
        // After a timeout the receiver is gone.
        let _ = sender.send(outcome);
    };
    let spawned = thread::Builder::new().stack_size(16 << 20).spawn(work);
    if let Err(e) = spawned {
        return Some(Err(format!("no thread for the check: {e}")));
    }
    match receiver.recv_timeout(limit) {
        Ok(outcome) => Some(Ok(outcome)),
        Err(mpsc::RecvTimeoutError::Timeout) => None,
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            Some(Err("the check ended without a result".to_owned()))
        }
    }
}

fn text(name: &str, verdict: &Verdict) -> String {
    let mut card = Card::default();
    report::verdict(&mut card, name, verdict);
    let next = if *verdict == Verdict::Passed {
        format!("Why it works, and the reference: cargo run -- exercise solution {name}")
    } else {
        format!("A hint: cargo run -- exercise hint {name}")
    };
    card.gap();
    card.dim(next);
    card.plain()
}
