//! The workbench: checks the learner's file on every save, on its own thread, and reports the results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::Exercise;
use super::runner::{Phase, Report, Runner};
use super::watch::Watch;
use super::workbook::{FileOrigin, Workbook};
use crate::lesson::Tier;

/// A report from the workbench.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A check has reached this phase.
    Phase(Phase),
    /// A check has finished.
    Checked(Box<Report>),
}

/// A file that is being watched and checked. Dropping it ends everything that it started.
pub struct Bench {
    /// Request to the thread to stop.
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Longest time that the bench sleeps before it notices a request to stop.
const PAUSE: Duration = Duration::from_millis(50);

impl Bench {
    /// Writes the starter of this tier if the file is missing, then checks the file now and after every save. A save during a check
    /// restarts it. `tell` is called on the bench's thread. `Err` if the file cannot be written.
    pub fn start(
        workbook: &Workbook,
        exercise: &'static Exercise,
        tier: Tier,
        tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<Self, String> {
        let begun = workbook.begin(exercise, tier)? == FileOrigin::New;
        let runner = Runner::new(workbook);
        let watch = Watch::new(&workbook.path(exercise));
        let stop = Arc::new(AtomicBool::new(false));
        let shared = stop.clone();
        let thread =
            thread::spawn(move || work(&runner, (exercise, tier), begun, watch, &shared, tell));
        let thread = Some(thread);
        Ok(Self { stop, thread })
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Checks now and on every change, until told to stop. `begun` says that the file was written just now.
fn work(
    runner: &Runner,
    (exercise, mut tier): (&Exercise, Tier),
    mut begun: bool,
    mut watch: Watch,
    stop: &AtomicBool,
    mut tell: impl FnMut(Event),
) {
    let stop = || stop.load(Ordering::Relaxed);
    while !stop() {
        let mut saved = false;
        let report = runner.check(
            exercise,
            tier,
            &mut |phase| tell(Event::Phase(phase)),
            &mut || {
                saved = saved || watch.changed(Duration::ZERO);
                saved || stop()
            },
        );
        if let Some(mut report) = report {
            report.begun |= std::mem::take(&mut begun);
            // The learner may have begun at another tier meanwhile.
            tier = report.tier;
            tell(Event::Checked(Box::new(report)));
        }
        while !saved && !stop() {
            saved = watch.changed(PAUSE);
        }
    }
}
