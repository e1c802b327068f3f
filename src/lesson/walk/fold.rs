//! Folding of an exercise's code until the learner has tried to write it: a lesson asks before it answers.

use super::Walk;
use crate::lesson::Lesson;
use crate::lesson::exercise::Exercise;
use crate::lesson::page::{Block, CalloutKind, Emphasis, Inline, SourceRef, Text};
use crate::lesson::progress::Progress;

impl Walk {
    /// The lesson's exercises whose code is still folded.
    pub fn folded(&self, progress: &Progress) -> Vec<&'static Exercise> {
        folded(self.lesson(), progress)
    }

    /// Visible blocks of the page: those before the first unanswered question, with the code of untried exercises
    /// folded.
    pub fn blocks(&self, progress: &Progress) -> Vec<Block> {
        let shown = &self.page().blocks[..self.blocks_shown(progress)];
        let folded = self.folded(progress);
        match folded.is_empty() {
            true => shown.to_vec(),
            false => without_code(shown, &folded),
        }
    }

    /// Text shown instead of the code at `place`, if that code is folded.
    pub fn fold(&self, place: &SourceRef, progress: &Progress) -> Option<String> {
        let folded = self.folded(progress);
        given_away(&folded, place).map(|exercise| sentence(exercise, place))
    }
}

fn folded<'a>(lesson: &'a Lesson, progress: &Progress) -> Vec<&'a Exercise> {
    let all = lesson.exercises();
    all.filter(|exercise| !exercise.done(progress).sees_the_code())
        .collect()
}

/// The first of `exercises` that code at `place` would give away.
fn given_away<'a>(exercises: &[&'a Exercise], place: &SourceRef) -> Option<&'a Exercise> {
    let mut all = exercises.iter().copied();
    all.find(|exercise| exercise.is_given_away_at(place))
}

/// Text that replaces an exercise's code.
fn sentence(exercise: &Exercise, place: &SourceRef) -> String {
    let name = exercise.name;
    let own = exercise.reference().ok().and_then(|(_, place)| place);
    let what = match own.is_some_and(|own| own.overlaps(place)) {
        true => "what",
        false => "another form of what",
    };
    format!(
        "The code at {place} is {what} you write in the exercise {name}. It appears here after your first try. \
         Press x to write it; H gives hints and, after the last one, the code."
    )
}

/// The same blocks, with a sentence in place of code that shows a reference.
fn without_code(blocks: &[Block], exercises: &[&Exercise]) -> Vec<Block> {
    let fold = |block: &Block| match block {
        Block::Code(code) => match &code.source {
            Some(place) => match given_away(exercises, place) {
                Some(exercise) => said(sentence(exercise, place)),
                None => block.clone(),
            },
            None => block.clone(),
        },
        Block::Quote(blocks) => Block::Quote(without_code(blocks, exercises)),
        Block::Callout { kind, blocks } => Block::Callout {
            kind: *kind,
            blocks: without_code(blocks, exercises),
        },
        Block::Footnote { label, blocks } => Block::Footnote {
            label: label.clone(),
            blocks: without_code(blocks, exercises),
        },
        Block::List(list) => {
            let mut list = list.clone();
            for item in &mut list.items {
                item.blocks = without_code(&item.blocks, exercises);
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
    use crate::lesson::Kind;
    use crate::widgets::prose;

    /// All pages as plain text, as plain mode and the screen lay them out, with every question answered.
    fn words(lesson: &Lesson, progress: &Progress) -> String {
        let pages = lesson.pages().unwrap();
        let folded = folded(lesson, progress);
        let shown = pages
            .iter()
            .map(|page| prose::plain(&without_code(&page.blocks, &folded), 2000));
        shown.collect()
    }

    /// Lines of the function's body that give the solution away. (What it returns is part of the contract, which the
    /// starter states.)
    fn telling(code: &str) -> Vec<&str> {
        let (_, body) = code.split_once(") -> ").unwrap();
        let lines = body.lines().skip(1).map(str::trim);
        let says = |line: &str| line.contains('(') || line.starts_with("let ");
        let lines = lines.filter(|line| !line.starts_with("//") && line.len() > 24 && says(line));
        lines.collect()
    }

    #[test]
    fn the_reference_is_folded_until_it_was_tried_passed_or_given_up() {
        for (lesson, exercise) in LESSONS
            .iter()
            .flat_map(|l| l.exercises().map(move |e| (l, e)))
        {
            let (code, _) = exercise.reference().unwrap();
            let before = words(lesson, &Progress::default());
            for line in telling(&code) {
                assert!(!before.contains(line), "{} shows: {line}", lesson.name);
                assert!(!exercise.starter.contains(line), "{}: {line}", lesson.name);
                for hint in &exercise.hints[..2] {
                    assert!(!hint.contains(line), "{}: {hint}", lesson.name);
                }
            }
            // A further exercise's code need not appear in the lesson.
            if exercise.kind == Kind::Core {
                let says = format!("what you write in the exercise {}.", exercise.name);
                assert!(before.contains(&says), "{}", lesson.name);
            }
            for unfold in 0..3 {
                let mut progress = Progress::default();
                let done = exercise.done_mut(&mut progress);
                (done.attempts, done.solved, done.given_up) =
                    (u32::from(unfold == 0), unfold == 1, unfold == 2);
                let after = words(lesson, &progress);
                let says = format!("what you write in the exercise {}.", exercise.name);
                assert!(!after.contains(&says), "{unfold}");
            }
        }
    }

    #[test]
    fn another_form_of_the_reference_is_folded_with_it() {
        let lesson = crate::curriculum::find("adam").unwrap();
        let kernel = "*x -= s.rate * (*m / s.correction1)";
        assert!(!words(lesson, &Progress::default()).contains(kernel));
        let mut tried = Progress::default();
        for exercise in lesson.exercises() {
            exercise.done_mut(&mut tried).attempts = 1;
        }
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
            .find(|line| line.contains("is what you write in the exercise"));
        let line = line.expect("a folded block");
        assert!(line.contains("src/engine/nn/attention.rs:"), "{line}");
        assert!(
            words.contains("Press x to write it; H gives hints and, after the last one, the code.")
        );
    }
}
