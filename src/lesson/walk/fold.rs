//! The code of an exercise is folded until the learner has tried to write it: a lesson asks before it answers.

use super::Walk;
use crate::lesson::Lesson;
use crate::lesson::exercise::Exercise;
use crate::lesson::page::{Block, CalloutKind, Emphasis, Inline, SourceRef, Text};
use crate::lesson::progress::Progress;

impl Walk {
    /// The exercise whose code is still folded, if it is.
    pub fn folded(&self, progress: &Progress) -> Option<&'static Exercise> {
        folded(self.lesson(), progress)
    }

    /// The blocks of the page that a reader sees: up to the first open question, with the code of the exercise folded
    /// as long as it was not tried.
    pub fn blocks(&self, progress: &Progress) -> Vec<Block> {
        let shown = &self.page().blocks[..self.blocks_shown(progress)];
        match self.folded(progress) {
            Some(exercise) => without_code(shown, exercise),
            None => shown.to_vec(),
        }
    }

    /// What is said instead of the code at `place`, if that is folded.
    pub fn fold(&self, place: &SourceRef, progress: &Progress) -> Option<String> {
        let exercise = self.folded(progress)?;
        exercise
            .is_given_away_at(place)
            .then(|| sentence(exercise, place))
    }
}

fn folded<'a>(lesson: &'a Lesson, progress: &Progress) -> Option<&'a Exercise> {
    let exercise = lesson.exercise.as_ref()?;
    (!progress.lesson(lesson.name).sees_the_code()).then_some(exercise)
}

/// What stands in the place of an exercise's code.
fn sentence(exercise: &Exercise, place: &SourceRef) -> String {
    let (name, keys) = (
        exercise.name,
        "H gives hints and, after the last one, the code",
    );
    format!(
        "{place} is the code of your exercise {name}, folded until you have tried it. \
         Press x to write it; {keys}."
    )
}

/// The same blocks with a sentence in the place of code that shows the reference.
fn without_code(blocks: &[Block], exercise: &Exercise) -> Vec<Block> {
    let fold = |block: &Block| match block {
        Block::Code(code) => match &code.source {
            Some(place) if exercise.is_given_away_at(place) => said(sentence(exercise, place)),
            _ => block.clone(),
        },
        Block::Quote(blocks) => Block::Quote(without_code(blocks, exercise)),
        Block::Callout { kind, blocks } => Block::Callout {
            kind: *kind,
            blocks: without_code(blocks, exercise),
        },
        Block::Footnote { label, blocks } => Block::Footnote {
            label: label.clone(),
            blocks: without_code(blocks, exercise),
        },
        Block::List(list) => {
            let mut list = list.clone();
            for item in &mut list.items {
                item.blocks = without_code(&item.blocks, exercise);
            }
            Block::List(list)
        }
        other => other.clone(),
    };
    blocks.iter().map(fold).collect()
}

fn said(text: String) -> Block {
    let text = Text {
        text,
        style: Emphasis::default(),
        line: 0,
    };
    Block::Callout {
        kind: CalloutKind::Try,
        blocks: vec![Block::Paragraph(vec![Inline::Text(text)])],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::LESSONS;
    use crate::widgets::prose;

    /// All pages in words, as plain mode and the screen set them, for whoever has answered every question.
    fn words(lesson: &Lesson, progress: &Progress) -> String {
        let pages = lesson.pages().unwrap();
        let shown = pages.iter().map(|page| match folded(lesson, progress) {
            Some(exercise) => prose::plain(&without_code(&page.blocks, exercise), 2000),
            None => prose::plain(&page.blocks, 2000),
        });
        shown.collect()
    }

    /// Lines of the function's body that say what to do. (What it returns is the contract, which the starter states.)
    fn telling(code: &str) -> Vec<&str> {
        let (_, body) = code.split_once(") -> ").unwrap();
        let lines = body.lines().skip(1).map(str::trim);
        let says = |line: &str| line.contains('(') || line.starts_with("let ");
        let lines = lines.filter(|line| !line.starts_with("//") && line.len() > 24 && says(line));
        lines.collect()
    }

    #[test]
    fn the_reference_is_folded_until_it_was_tried_passed_or_given_up() {
        for lesson in LESSONS {
            let Some(exercise) = &lesson.exercise else {
                continue;
            };
            let (code, _) = exercise.reference().unwrap();
            let before = words(lesson, &Progress::default());
            for line in telling(&code) {
                assert!(!before.contains(line), "{} shows: {line}", lesson.name);
                assert!(!exercise.starter.contains(line), "{}: {line}", lesson.name);
                for hint in &exercise.hints[..2] {
                    assert!(!hint.contains(line), "{}: {hint}", lesson.name);
                }
            }
            assert!(
                before.contains("folded until you have tried it"),
                "{}",
                lesson.name
            );
            for unfold in 0..3 {
                let mut progress = Progress::default();
                let done = progress.lesson_mut(lesson.name);
                (done.attempts, done.solved, done.given_up) =
                    (u32::from(unfold == 0), unfold == 1, unfold == 2);
                let after = words(lesson, &progress);
                assert!(
                    !after.contains("folded until you have tried it"),
                    "{unfold}"
                );
            }
        }
    }

    #[test]
    fn another_form_of_the_reference_is_folded_with_it() {
        let lesson = crate::curriculum::find("adam").unwrap();
        let kernel = "*x -= s.rate * (*m / s.correction1)";
        assert!(!words(lesson, &Progress::default()).contains(kernel));
        let mut tried = Progress::default();
        tried.lesson_mut(lesson.name).attempts = 1;
        assert!(words(lesson, &tried).contains(kernel));
    }

    #[test]
    fn who_asks_for_a_hint_after_the_last_gives_up() {
        let mut done = crate::lesson::progress::Done::default();
        for given in 1..=4 {
            done.take_hint(4);
            assert_eq!((done.hints, done.sees_the_code()), (given, false));
        }
        done.take_hint(4);
        assert_eq!((done.hints, done.sees_the_code()), (4, true));
    }

    #[test]
    fn a_folded_block_says_what_it_is_and_how_to_unfold_it() {
        let lesson = crate::curriculum::find("attention").unwrap();
        let words = words(lesson, &Progress::default());
        let line = words
            .lines()
            .find(|line| line.contains("is folded") || line.contains("folded until"));
        let line = line.expect("a folded block");
        assert!(line.contains("src/nn/attention.rs:"), "{line}");
        assert!(
            words.contains("Press x to write it; H gives hints and, after the last one, the code.")
        );
    }
}
