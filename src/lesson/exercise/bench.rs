//! The workbench: checks the learner's file on every save, on a thread of its own, and tells what comes of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::Exercise;
use super::runner::{Phase, Report, Runner};
use super::watch::Watch;
use super::workbook::Workbook;

/// What a workbench tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A check is on its way.
    Phase(Phase),
    /// A check is through.
    Checked(Box<Report>),
}

/// A file that is being watched and checked. Dropping it ends everything that it started.
pub struct Bench {
    told: Arc<Told>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Told {
    stop: AtomicBool,
    again: AtomicBool,
}

/// How long the bench sleeps at most before it hears that it should end.
const PAUSE: Duration = Duration::from_millis(50);

impl Bench {
    /// Writes the starter if the file is missing, checks it, and again after every save. A save during a check ends that
    /// one. `tell` is called on the bench's thread. `Err` where the file could not be written.
    pub fn start(
        workbook: &Workbook,
        exercise: &'static Exercise,
        tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<Self, String> {
        workbook.begin(exercise)?;
        let runner = Runner::new(workbook);
        let watch = Watch::new(&workbook.path(exercise));
        let told = Arc::new(Told::default());
        let shared = told.clone();
        let thread = thread::spawn(move || work(&runner, exercise, watch, &shared, tell));
        let thread = Some(thread);
        Ok(Self { told, thread })
    }

    /// Checks once more although nothing was saved.
    pub fn again(&self) {
        self.told.again.store(true, Ordering::Relaxed);
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.told.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Checks now and on every change, until it is told to stop.
fn work(
    runner: &Runner,
    exercise: &Exercise,
    mut watch: Watch,
    told: &Told,
    mut tell: impl FnMut(Event),
) {
    let stop = || told.stop.load(Ordering::Relaxed);
    let again = || told.again.swap(false, Ordering::Relaxed);
    while !stop() {
        let mut saved = false;
        let report = runner.check(
            exercise,
            &mut |phase| tell(Event::Phase(phase)),
            &mut || {
                saved = saved || watch.changed(Duration::ZERO);
                saved || stop()
            },
        );
        if let Some(report) = report {
            tell(Event::Checked(Box::new(report)));
        }
        while !saved && !stop() && !again() {
            saved = watch.changed(PAUSE);
        }
    }
}
