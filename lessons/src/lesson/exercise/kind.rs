//! The kinds of exercise, their estimated time, and where their progress is kept.

use serde::Deserialize;

use super::Exercise;
use crate::lesson::progress::{Done, Progress};

/// Role of an exercise in its lesson, in the order in which learners meet them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A few lines that the core exercise takes for granted.
    WarmUp,
    /// The lesson's own function: one per numbered lesson, with a place in the learner's model.
    Core,
    /// An exercise with more code that takes more thought.
    Challenge,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::WarmUp => "warm-up",
            Self::Core => "core",
            Self::Challenge => "challenge",
        })
    }
}

/// Minutes for reading the task and the first run of the check, used if `lesson.toml` gives no figure; every two lines
/// of the reference add one.
const BEGINNING: usize = 10;

impl Exercise {
    /// Estimated time in minutes, from `lesson.toml` or else from the length of the reference.
    pub fn minutes(&self) -> u32 {
        self.minutes.unwrap_or_else(|| {
            let lines = self.lines().unwrap_or_default();
            u32::try_from((BEGINNING + lines / 2).next_multiple_of(5)).unwrap_or(u32::MAX)
        })
    }

    /// Kind and time in words: `warm-up, about 10 minutes`.
    pub fn effort(&self) -> String {
        format!("{}, about {} minutes", self.kind, self.minutes())
    }

    /// Key under which progress is kept. A core exercise uses its lesson's entry, as it did when each lesson had only
    /// one. Other exercises have entries of their own beside the lessons; older programs take them for lessons they
    /// don't have.
    fn kept_as(&self) -> &'static str {
        match self.kind {
            Kind::Core => self.lesson,
            Kind::WarmUp | Kind::Challenge => self.name,
        }
    }

    /// Progress in the exercise.
    pub fn done(&self, progress: &Progress) -> Done {
        progress.lesson(self.kept_as())
    }

    /// Progress in the exercise, mutable. Makes its lesson the one that was open last.
    pub fn done_mut<'a>(&self, progress: &'a mut Progress) -> &'a mut Done {
        progress.within_lesson_mut(self.lesson, self.kept_as())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::curriculum::{LESSONS, exercises};
    use crate::lesson::exercise::Kind;
    use crate::lesson::progress::Progress;

    #[test]
    fn every_exercise_has_a_name_of_its_own_and_none_is_kept_as_another() {
        let names: BTreeSet<_> = exercises().map(|(_, _, e)| e.name).collect();
        assert_eq!(names.len(), exercises().count());
        let kept: BTreeSet<_> = exercises().map(|(_, _, e)| e.kept_as()).collect();
        assert_eq!(kept.len(), names.len());
        for lesson in LESSONS {
            let further = lesson.more.iter().map(|e| e.name);
            let all = LESSONS.map(|l| l.name);
            assert!(further.into_iter().all(|name| !all.contains(&name)));
        }
    }

    #[test]
    fn a_further_exercise_is_kept_beside_the_lesson_and_a_core_one_in_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("progress.toml");
        let (mut progress, _) = Progress::load_from(&path);
        for (_, lesson, exercise) in exercises() {
            exercise.done_mut(&mut progress).attempts = 2;
            assert_eq!(progress.last(), Some(lesson));
        }
        progress.save().expect("the folder can be written");
        let (loaded, remark) = Progress::load_from(&path);
        assert_eq!(remark, None);
        for (_, lesson, exercise) in exercises() {
            assert_eq!(exercise.done(&loaded).attempts, 2, "{}", exercise.name);
            let own = exercise.kind == Kind::Core;
            assert!(!own || loaded.lesson(lesson).attempts == 2);
        }
    }

    #[test]
    fn a_file_from_before_there_were_further_exercises_is_read_as_it_was() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("progress.toml");
        let old = "version = 2\nlast = \"attention\"\n\n[lessons.attention]\npages = []\nattempts = 3\nhints = 1\nsolved = true\n\n[lessons.attention.answers]\n";
        std::fs::write(&path, old).expect("a file");
        let (progress, remark) = Progress::load_from(&path);
        assert_eq!(remark, None);
        for (_, lesson, exercise) in exercises() {
            let core = lesson == "attention" && exercise.kind == Kind::Core;
            assert_eq!(exercise.done(&progress).solved, core, "{}", exercise.name);
        }
    }

    #[test]
    fn every_exercise_says_what_it_asks() {
        for (_, _, exercise) in exercises() {
            let minutes = exercise.minutes();
            assert!((5..=90).contains(&minutes), "{}: {minutes}", exercise.name);
            let lines = exercise.lines().expect("the reference is found");
            let words = exercise.effort();
            match exercise.kind {
                Kind::WarmUp => assert!(words.starts_with("warm-up") && lines <= 15, "{lines}"),
                Kind::Core => assert!(words.starts_with("core")),
                Kind::Challenge => assert!(words.starts_with("challenge") && lines >= 16),
            }
        }
    }
}
