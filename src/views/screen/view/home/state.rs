//! The learner's progress in a lesson or in a part of the core path.

use super::super::super::app::App;
use crate::curriculum;
use crate::lesson::Lesson;
use crate::lesson::core_path::Part;

/// Progress in a lesson or a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    New,
    Begun,
    Done,
}

impl State {
    /// The state of something with `all` pages, `read` of which have been read and of which one may have been opened.
    fn of(read: usize, all: usize, opened: bool) -> Self {
        match read {
            0 if !opened => Self::New,
            read if read >= all => Self::Done,
            _ => Self::Begun,
        }
    }
}

/// Returns the learner's progress in a lesson: all of its pages read, some, or none.
pub fn lesson_state(app: &App, lesson: &Lesson) -> State {
    let done = app.progress.lesson(lesson.name);
    State::of(done.pages.len(), lesson.page_count(), done.is_begun())
}

/// Number of pages of a part of the core path that have been read.
pub fn pages_read(app: &App, part: &Part) -> usize {
    let pages = curriculum::core_path().pages(part).iter();
    pages.filter(|step| step.is_read(&app.progress)).count()
}

/// Returns the learner's progress in a part of the core path.
pub fn part_state(app: &App, part: &Part) -> State {
    let (path, progress) = (curriculum::core_path(), &app.progress);
    let opened = progress.core_page().is_some() && part.steps.contains(&path.place(progress));
    State::of(pages_read(app, part), part.steps.len(), opened)
}
