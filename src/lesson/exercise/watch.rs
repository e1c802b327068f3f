//! Checks a learner's file at the start and after every save.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher as _};

use super::{runner, workbook};
use crate::lesson::Lesson;

/// Saves come in bursts; the check waits until they are over.
const QUIET: Duration = Duration::from_millis(60);

/// A watch over one exercise's file; dropped, it ends.
pub struct Watcher {
    go_on: Arc<AtomicBool>,
}

impl Watcher {
    /// Starts to watch. `report` gets what there is to say, and whether the check passed.
    pub fn start(
        lesson: &'static Lesson,
        report: impl Fn(String, bool) + Send + 'static,
    ) -> anyhow::Result<Self> {
        let exercise = &lesson.exercise;
        let path = workbook::file(exercise).map_err(anyhow::Error::msg)?;
        let folder = path.parent().map(ToOwned::to_owned).unwrap_or_default();
        let (sender, events) = mpsc::channel();
        // Reading a file is an event too: only changes count, and below only changed contents.
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                if event.is_ok_and(|e| !matches!(e.kind, EventKind::Access(_))) {
                    let _ = sender.send(());
                }
            })?;
        // The folder, because editors replace the file.
        watcher.watch(&folder, RecursiveMode::NonRecursive)?;
        let go_on = Arc::new(AtomicBool::new(true));
        let still = go_on.clone();
        thread::spawn(move || {
            let _watcher = watcher;
            let caught: Vec<&str> = lesson
                .mistakes
                .iter()
                .filter(|m| m.check.is_some())
                .map(|m| m.title)
                .collect();
            let mut checked = None;
            while still.load(Ordering::Relaxed) {
                let text = std::fs::read(&path).unwrap_or_default();
                if checked.as_ref() != Some(&text) && !text.is_empty() {
                    checked = Some(text);
                    match runner::check(exercise) {
                        Ok(verdict) => report(verdict.text(exercise, &caught), verdict.passed),
                        Err(sentence) => report(sentence, false),
                    }
                }
                match events.recv_timeout(Duration::from_millis(500)) {
                    Ok(()) => while events.recv_timeout(QUIET).is_ok() {},
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        Ok(Self { go_on })
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.go_on.store(false, Ordering::Relaxed);
    }
}
