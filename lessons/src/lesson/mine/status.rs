//! Status of each exercise's function: whether the learner has written it, and the result of its last check.

use crate::lesson::exercise::Exercise;
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::progress::{Done, Progress, sum};

/// Number and name of a lesson, and one of its exercises.
pub type NumberedExercise = (usize, &'static str, &'static Exercise);

/// Origin of a function, and what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The reference, because there is no file or it is still the starter.
    Reference,
    /// The learner's function, whose current text passed the check, perhaps before others that did not.
    Passing,
    /// The learner's function, whose current file failed the check.
    Failing,
    /// The learner's function, whose current file has not been checked.
    Unchecked,
}

/// Current status of one exercise.
pub struct Status {
    /// Number of its lesson.
    pub lesson: usize,
    /// The exercise.
    pub exercise: &'static Exercise,
    /// Origin and state of its function.
    pub state: State,
}

impl Status {
    /// True if the learner's function runs.
    pub fn is_own(&self) -> bool {
        self.state != State::Reference
    }
}

/// Status of each of `exercises`, which come with lesson number and name.
pub fn statuses(
    exercises: impl Iterator<Item = NumberedExercise>,
    workbook: Option<&Workbook>,
    progress: &Progress,
) -> Vec<Status> {
    exercises
        .map(|(lesson, _, exercise)| {
            let written = workbook.filter(|book| book.is_written(exercise));
            let text = written.and_then(|book| book.text(exercise));
            Status {
                lesson,
                exercise,
                state: text.map_or(State::Reference, |text| {
                    state(&text, &exercise.done(progress))
                }),
            }
        })
        .collect()
}

fn state(text: &str, done: &Done) -> State {
    let sum = sum(text);
    match done.checked.as_ref() == Some(&sum) {
        true if done.failing => State::Failing,
        false if !done.passed.contains(&sum) => State::Unchecked,
        _ => State::Passing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::exercises;
    use crate::lesson::Tier;

    #[test]
    fn a_file_is_judged_as_it_is_now() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let workbook = Workbook::at(folder.path());
        let mut progress = Progress::default();
        let state = |progress: &Progress| {
            let all = statuses(exercises(), Some(&workbook), progress);
            let status = all.into_iter().find(|s| s.exercise.name == "attention");
            status.expect("it has a place").state
        };
        assert_eq!(state(&progress), State::Reference);
        let (_, name, exercise) = exercises()
            .find(|e| e.2.name == "attention")
            .expect("it is one");
        workbook
            .begin(exercise, Tier::Guided)
            .expect("the folder can be written");
        assert_eq!(
            state(&progress),
            State::Reference,
            "the starter is not written"
        );
        std::fs::write(workbook.path(exercise), "// mine\n").expect("a file");
        assert_eq!(state(&progress), State::Unchecked);
        let done = progress.lesson_mut(name);
        (done.checked, done.failing) = (Some(sum("// mine\n")), true);
        assert_eq!(state(&progress), State::Failing);
        progress.lesson_mut(name).failing = false;
        assert_eq!(state(&progress), State::Passing);
        std::fs::write(workbook.path(exercise), "// changed\n").expect("a file");
        assert_eq!(state(&progress), State::Unchecked);
        let done = progress.lesson_mut(name);
        done.keep_pass(&sum("// mine\n"));
        (done.checked, done.failing) = (Some(sum("// changed\n")), true);
        assert_eq!(state(&progress), State::Failing);
        std::fs::write(workbook.path(exercise), "// mine\n").expect("a file");
        assert_eq!(state(&progress), State::Passing, "it is put back");
    }
}
