//! The learner's progress in a lesson.

use super::super::super::app::App;
use crate::lesson::Lesson;

/// Progress in a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    New,
    Begun,
    Done,
}

/// Returns the learner's progress in a lesson: all of its pages read, some, or none.
pub fn reached(app: &App, lesson: &Lesson) -> Reached {
    match app.progress.lesson(lesson.name).pages.len() {
        0 => Reached::New,
        _ if app.has_read(lesson) => Reached::Done,
        _ => Reached::Begun,
    }
}
