//! A cache of runs by settings, because a reader, like a book with many figures, goes back and forth between the same
//! few.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Session;
use crate::lesson::models::MODEL;
use crate::lesson::{Body, Picture, Run, Settings};
use crate::train::built_in::BuiltIn;

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
        if self.most == 0 || may_change(settings, run) || self.find(settings).is_some() {
            return;
        }
        self.runs.push_back((settings.clone(), run.clone()));
        while self.runs.iter().map(|(_, run)| run.cells()).sum::<usize>() > self.most {
            self.runs.pop_front();
        }
    }
}

/// True if the same settings may give another run later, because it shows the learner's training or a model on disk.
fn may_change(settings: &Settings, run: &Run) -> bool {
    let on_disk = |(knob, name): (&str, &str)| knob == MODEL && BuiltIn::named(name).is_none();
    let is_live = |picture: &Picture| matches!(picture.body, Body::Live(_));
    settings.iter().any(on_disk) || run.pictures.iter().any(is_live)
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
    fn a_run_that_shows_what_changes_outside_is_never_kept() {
        let mut session = Session::new(curriculum::find("training").unwrap());
        session.keep_runs(1 << 26);
        assert!(
            session.run_cache.runs.is_empty(),
            "it shows the learner's own training"
        );
        let session = self::session();
        let mut settings = Settings::defaults(curriculum::PLAYGROUND.knobs);
        for (model, changes) in [("everyday", false), ("yours", true), ("some/run", true)] {
            settings
                .set(curriculum::PLAYGROUND.knobs, MODEL, model)
                .unwrap();
            assert_eq!(may_change(&settings, session.run()), changes, "{model}");
        }
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
