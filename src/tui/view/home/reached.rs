//! How far the learner has come in a lesson.

use super::super::super::app::App;
use crate::lesson::Lesson;

/// How far a lesson is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    New,
    Begun,
    Done,
}

/// How far the learner has come in a lesson: all of its pages were read, some, or none.
pub fn reached(app: &App, lesson: &Lesson) -> Reached {
    match app.progress.lesson(lesson.name).pages.len() {
        0 => Reached::New,
        _ if app.has_read(lesson) => Reached::Done,
        _ => Reached::Begun,
    }
}
