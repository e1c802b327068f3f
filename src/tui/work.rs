//! Work on other threads: the experiment, the gradient check and the exercise's check.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::update::Message;
use crate::lesson::exercise::bench::Bench;
use crate::lesson::picture::{Job, Progress};
use crate::lesson::session::gradient_check::{GradientCheck, GradientCheckRequest};
use crate::tensor::threads::{Cancelled, Token, lock};

/// Longest time that a key's frame waits for results computed on other threads.
pub(super) const AT_ONCE: Duration = Duration::from_millis(12);

/// Background work; each kind replaces its predecessor.
pub(super) struct Work {
    sender: mpsc::Sender<Message>,
    /// Cancels the running experiment.
    running: Option<Token>,
    /// Number of the experiment; messages of earlier ones are dropped.
    number: usize,
    /// Cancels the gradient check.
    gradient_check: Token,
    /// Whether a gradient check was requested since the last frame.
    requested: bool,
    /// Checks and watches an exercise.
    pub(super) bench: Option<Bench>,
    /// True if animated drawings show only their final state.
    still: bool,
}

impl Work {
    /// Nothing running; if `still`, animated drawings show only their final state.
    pub(super) fn new(sender: mpsc::Sender<Message>, still: bool) -> Self {
        Self {
            sender,
            running: None,
            number: 0,
            gradient_check: Token::default(),
            requested: false,
            bench: None,
            still,
        }
    }

    /// Sender of messages to the loop.
    pub(super) fn sender(&self) -> mpsc::Sender<Message> {
        self.sender.clone()
    }

    /// True while an experiment runs or an exercise is watched.
    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some() || self.bench.is_some()
    }

    /// True if a gradient check was requested since the last call.
    pub(super) fn take_request(&mut self) -> bool {
        std::mem::take(&mut self.requested)
    }

    /// False for a message of an experiment that was stopped. Notes when the current one ends.
    pub(super) fn is_current(&mut self, message: &Message) -> bool {
        let (number, ends) = match message {
            Message::Job(number, progress) => (*number, progress.done >= 1.0),
            Message::JobFailed(number) => (*number, true),
            _ => return true,
        };
        if number != self.number {
            return false;
        }
        if ends {
            self.running = None;
        }
        true
    }

    /// Starts an experiment.
    pub(super) fn start(&mut self, job: Job) {
        self.stop();
        let wanted = Token::default();
        self.running = Some(wanted.clone());
        let (number, sender) = (self.number, self.sender.clone());
        let only_end = self.still && !job.pace.is_zero();
        thread::spawn(move || {
            let mut report = |progress: Progress| {
                if only_end && progress.done < 1.0 {
                    return ControlFlow::Continue(());
                }
                match sender.send(Message::Job(number, Box::new(progress))) {
                    Ok(()) => {
                        thread::sleep(job.pace);
                        ControlFlow::Continue(())
                    }
                    Err(_) => ControlFlow::Break(()),
                }
            };
            let run = || wanted.run(|| (job.run)(&mut report));
            match catch_unwind(AssertUnwindSafe(run)) {
                Ok(Ok(end)) => drop(report(end)),
                Ok(Err(Cancelled)) => {}
                // The panic was recorded by the hook and is shown from there.
                Err(_) => drop(sender.send(Message::JobFailed(number))),
            }
        });
    }

    /// Checks a gradient, cancelling the previous one.
    pub(super) fn check_gradient(&mut self, request: GradientCheckRequest) {
        /// Held while a gradient check runs: as the cursor moves, they are computed one at a time, skipping to the
        /// latest.
        static ONE: Mutex<()> = Mutex::new(());
        self.stop_gradient_check();
        let wanted = Token::default();
        self.gradient_check = wanted.clone();
        self.requested = true;
        let sender = self.sender.clone();
        thread::spawn(move || {
            let _one = lock(&ONE);
            let begun = Instant::now();
            let mut send = |result: &GradientCheck| {
                // A list that finishes quickly is not shown growing.
                if result.done || begun.elapsed() > AT_ONCE {
                    let _ = sender.send(Message::GradientCheck(Box::new(result.clone())));
                }
                ControlFlow::Continue(())
            };
            let run = || {
                // Being cancelled counts as being done.
                wanted.run(|| {
                    let end = request.answer(&mut send);
                    let _ = send(&end);
                })
            };
            if catch_unwind(AssertUnwindSafe(run)).is_err() {
                let _ = sender.send(Message::GradientCheckFailed);
            }
        });
    }

    /// Cancels the gradient check.
    pub(super) fn stop_gradient_check(&self) {
        self.gradient_check.cancel();
    }

    /// Stops the experiment.
    pub(super) fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.cancel();
        }
        self.number += 1;
    }
}
