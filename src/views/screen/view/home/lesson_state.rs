//! The learner's progress in a lesson.

use super::super::super::app::App;
use crate::lesson::Lesson;

/// Progress in a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LessonState {
    New,
    Begun,
    Done,
}

/// Returns the learner's progress in a lesson: all of its pages read, some, or none.
pub fn lesson_state(app: &App, lesson: &Lesson) -> LessonState {
    match app.progress.lesson(lesson.name).pages.len() {
        0 => LessonState::New,
        _ if app.has_read(lesson) => LessonState::Done,
        _ => LessonState::Begun,
    }
}
