//! The code of an exercise is folded until the learner has tried to write it: a lesson asks before it answers.

use super::Walk;
use crate::lesson::exercise::Exercise;
use crate::lesson::page::{Block, CalloutKind, Emphasis, Inline, SourceRef, Text};
use crate::lesson::progress::Progress;

impl Walk {
    /// The exercise whose code is still folded, if it is.
    pub fn folded(&self, progress: &Progress) -> Option<&'static Exercise> {
        let lesson = self.lesson();
        let exercise = lesson.exercise.as_ref()?;
        (!progress.lesson(lesson.name).sees_the_code()).then_some(exercise)
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
    use crate::lesson::Lesson;

    /// What the page shows, as Rust would print it: code, captions, lists, everything.
    fn pages(lesson: &'static Lesson, progress: &Progress) -> String {
        let mut walk = Walk::new(lesson, progress, None).unwrap();
        let pages = 0..walk.pages.len();
        let shown = pages.map(|page| {
            walk.page = page;
            format!("{:?}", walk.blocks(progress))
        });
        shown.collect()
    }

    /// A learner who has answered everything and done nothing else.
    fn answered(lesson: &'static Lesson) -> Progress {
        let mut progress = Progress::default();
        let pages = lesson.pages().unwrap();
        for question in pages.iter().flat_map(|page| page.predictions()) {
            let done = progress.lesson_mut(lesson.name);
            done.answers.insert(question.id.clone(), true);
        }
        progress
    }

    #[test]
    fn the_reference_is_folded_until_it_was_tried_passed_or_given_up() {
        for lesson in LESSONS {
            let Some(exercise) = &lesson.exercise else {
                continue;
            };
            let mut progress = answered(lesson);
            let before = pages(lesson, &progress);
            for (page, block) in lesson.pages().unwrap().iter().flat_map(|page| {
                let id = page.id.clone();
                page.blocks
                    .iter()
                    .map(move |block| (id.clone(), block.clone()))
            }) {
                let Block::Code(code) = &block else { continue };
                let place = code.source.as_ref();
                if place.is_some_and(|place| exercise.is_given_away_at(place)) {
                    let shown = before.contains(&format!("{:?}", code.text));
                    assert!(!shown, "{}, page {page}", lesson.name);
                }
            }
            for unfold in 0..3 {
                let done = progress.lesson_mut(lesson.name);
                (done.attempts, done.solved, done.given_up) =
                    (u32::from(unfold == 0), unfold == 1, unfold == 2);
                let after = pages(lesson, &progress);
                assert!(
                    !after.contains("folded until you have tried it"),
                    "{unfold}"
                );
            }
        }
    }

    #[test]
    fn a_folded_block_says_what_it_is_and_how_to_unfold_it() {
        let lesson = crate::curriculum::find("attention").unwrap();
        let shown = pages(lesson, &answered(lesson));
        assert!(
            shown
                .contains("is the code of your exercise attention, folded until you have tried it"),
        );
        assert!(!shown.contains("query.matmul_t(key)"));
    }
}
