//! Runs that were made and are kept, so that coming back to their settings makes nothing again. Whoever draws many
//! figures of one lesson goes back and forth between the same few.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Session;
use crate::lesson::{Run, Settings};

/// Runs by their settings, the oldest first.
#[derive(Default)]
pub(super) struct Kept {
    /// So many cells have room together.
    most: usize,
    runs: VecDeque<(Settings, Arc<Run>)>,
    /// Kept however large they are.
    held: Vec<(Settings, Arc<Run>)>,
}

impl Kept {
    /// The run of these settings, if it is kept.
    pub(super) fn find(&self, settings: &Settings) -> Option<Arc<Run>> {
        let mut all = self.held.iter().chain(&self.runs);
        let (_, run) = all.find(|(kept, _)| kept == settings)?;
        Some(run.clone())
    }

    /// Keeps a run; the oldest go where there is no room.
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
    /// From now on runs are kept as long as all of them together have at most `cells` cells.
    pub fn keep_runs(&mut self, cells: usize) {
        self.kept.most = cells;
        self.kept.put(&self.settings, &self.run);
    }

    /// Keeps the present run and its sound one, however large, until this is asked for again.
    pub fn hold(&mut self) {
        self.kept.held = vec![
            (self.settings.clone(), self.run.clone()),
            (self.settings.sound(), self.sound.clone()),
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
