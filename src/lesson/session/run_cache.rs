//! A cache of runs by settings, for programs that draw many figures of one lesson and go back and forth between the
//! same few settings.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Session;
use crate::lesson::{Run, Settings};

/// Cached runs, oldest first.
#[derive(Default)]
pub(super) struct RunCache {
    /// Maximum number of cells in all cached runs together.
    most: usize,
    runs: VecDeque<(Settings, Arc<Run>)>,
    /// Runs kept regardless of size.
    held: Vec<(Settings, Arc<Run>)>,
}

impl RunCache {
    /// The run with these settings, if it is cached.
    pub(super) fn find(&self, settings: &Settings) -> Option<Arc<Run>> {
        let mut all = self.held.iter().chain(&self.runs);
        let (_, run) = all.find(|(kept, _)| kept == settings)?;
        Some(run.clone())
    }

    /// Caches a run, evicting the oldest to make room.
    pub(super) fn put(&mut self, settings: &Settings, run: &Arc<Run>) {
        if self.most == 0 || self.find(settings).is_some() {
            return;
        }
        self.runs.push_back((settings.clone(), run.clone()));
        while self.runs.iter().map(|(_, run)| run.cells()).sum::<usize>() > self.most {
            self.runs.pop_front();
        }
    }
}

impl Session {
    /// Enables caching of runs with at most `cells` cells in total.
    pub fn keep_runs(&mut self, cells: usize) {
        self.run_cache.most = cells;
        self.run_cache.put(&self.settings, &self.shown.run);
    }

    /// Keeps the current run and its sound counterpart, whatever their size, until the next call.
    pub fn hold(&mut self) {
        self.run_cache.held = vec![
            (self.settings.clone(), self.shown.run.clone()),
            (self.settings.sound(), self.shown.sound.clone()),
        ];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    fn session() -> Session {
        Session::new(curriculum::find("positional-encoding").unwrap())
    }

    #[test]
    fn a_session_that_keeps_its_runs_makes_none_twice() {
        let mut session = session();
        let first = session.run().clone();
        session.keep_runs(1 << 26);
        session.set("d_model", "64").unwrap();
        let other = session.run().clone();
        session
            .configure(Settings::defaults(session.lesson().knobs))
            .unwrap();
        assert!(Arc::ptr_eq(session.run(), &first));
        session.set("d_model", "64").unwrap();
        assert!(Arc::ptr_eq(session.run(), &other));
    }

    #[test]
    fn without_room_only_the_run_that_is_held_is_kept() {
        let mut session = session();
        session.hold();
        let first = session.run().clone();
        session.keep_runs(1);
        session.set("d_model", "64").unwrap();
        let other = session.run().clone();
        session
            .configure(Settings::defaults(session.lesson().knobs))
            .unwrap();
        assert!(Arc::ptr_eq(session.run(), &first));
        session.set("d_model", "64").unwrap();
        assert!(!Arc::ptr_eq(session.run(), &other));
    }
}
