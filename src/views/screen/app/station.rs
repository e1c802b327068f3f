//! The entries of the home screen's list: the parts of the core path, then the lessons.

use crate::curriculum::{self, LESSONS};
use crate::lesson::Lesson;
use crate::lesson::walk::Walk;

/// An entry of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Station {
    /// A part of the core path, by its number.
    Part(usize),
    /// A lesson, by its index in [`LESSONS`].
    Lesson(usize),
}

impl Default for Station {
    fn default() -> Self {
        Self::all()[0]
    }
}

impl Station {
    /// All entries, in order.
    pub fn all() -> Vec<Self> {
        let parts = (0..curriculum::core_path().parts.len()).map(Self::Part);
        parts.chain((0..LESSONS.len()).map(Self::Lesson)).collect()
    }

    /// The entry that a learner reads; `None` for the playground.
    pub fn of(walk: &Walk) -> Option<Self> {
        let step = walk
            .step()
            .and_then(|step| curriculum::core_path().steps.get(step));
        match step {
            Some(step) => Some(Self::Part(step.part)),
            None => lesson_index(walk.lesson().name).map(Self::Lesson),
        }
    }

    /// True if it is the lesson, or a part of the core path that takes pages of it.
    pub fn takes(self, lesson: &Lesson) -> bool {
        match self {
            Self::Part(part) => {
                let path = curriculum::core_path();
                let mut pages = path.pages(&path.parts[part]).iter();
                pages.any(|step| step.lesson.name == lesson.name)
            }
            Self::Lesson(place) => LESSONS[place].name == lesson.name,
        }
    }

    /// The first entry of the other list: of the lessons, or of the core path.
    pub fn across(self) -> Self {
        match self {
            Self::Part(_) => Self::Lesson(0),
            Self::Lesson(_) => Self::all()[0],
        }
    }

    /// The entry `by` places further down, as far as there are any.
    pub fn moved(self, by: isize) -> Self {
        let all = Self::all();
        let at = all.iter().position(|station| *station == self);
        let to = at.unwrap_or(0).saturating_add_signed(by);
        all[to.min(all.len() - 1)]
    }
}

/// Index of a lesson in [`LESSONS`].
pub fn lesson_index(name: &str) -> Option<usize> {
    LESSONS.iter().position(|lesson| lesson.name == name)
}
