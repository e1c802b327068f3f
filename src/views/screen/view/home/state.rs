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
    fn of(read: usize, all: usize) -> Self {
        match read {
            0 => Self::New,
            read if read >= all => Self::Done,
            _ => Self::Begun,
        }
    }
}

/// Returns the learner's progress in a lesson: all of its pages read, some, or none.
pub fn lesson_state(app: &App, lesson: &Lesson) -> State {
    let read = app.progress.lesson(lesson.name).pages.len();
    State::of(read, lesson.page_count())
}

/// Number of pages of a part of the core path that have been read.
pub fn pages_read(app: &App, part: &Part) -> usize {
    let pages = curriculum::core_path().pages(part).iter();
    pages.filter(|step| step.is_read(&app.progress)).count()
}

/// Returns the learner's progress in a part of the core path.
pub fn part_state(app: &App, part: &Part) -> State {
    State::of(pages_read(app, part), part.steps.len())
}
