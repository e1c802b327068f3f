//! Read, explore, study: how much of a lesson is in sight.

use super::app::{App, OpenLesson, Pane};
use super::layout::ScreenSize;
use crate::widgets::stage::Detail;

/// What a learner in a lesson is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Reading a page beside its stage: only what the page mentions is in sight.
    Read,
    /// Looking around in the run: steps, pictures, knobs and mistakes are listed.
    Explore,
    /// Asking where a number came from.
    Study,
}

impl OpenLesson {
    /// What the learner is doing.
    pub fn mode(&self) -> Mode {
        if self.walk.session.asks_why() {
            Mode::Study
        } else if self.page.explores || self.full || self.pane == Pane::Why {
            Mode::Explore
        } else {
            Mode::Read
        }
    }
}

impl App {
    /// How much the lines below the drawing tell.
    pub fn detail(&self) -> Detail {
        let Some(open) = &self.open_lesson else {
            return Detail::All;
        };
        // In the tour, no steps are named until their list is asked for.
        let listed = open.walk.is_tour() || (self.screen_size() >= ScreenSize::Three && !open.full);
        match open.mode() {
            Mode::Read if !open.page.turned => Detail::Page(open.walk.knobs_named().collect()),
            _ if listed => Detail::BesideRun,
            _ => Detail::All,
        }
    }
}
