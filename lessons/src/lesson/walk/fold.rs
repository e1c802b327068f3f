//! Folding of an exercise's code until the learner has tried to write it, because a lesson asks before it answers, and the
//! lines of that code that a mistake of the stage changes.

use super::Walk;
use crate::lesson::exercise::Exercise;
use crate::lesson::page::{Block, CalloutKind, Code, SourceRef, unmarked};
use crate::lesson::progress::Progress;
use crate::lesson::{FrontEnd, Lesson, Settings};

impl Walk {
    /// The lesson's exercises whose code is still folded.
    pub fn folded(&self, progress: &Progress) -> Vec<&'static Exercise> {
        folded(self.lesson(), progress)
    }

    /// Visible blocks of the page: those before the first unanswered question, with the code of untried exercises
    /// folded and the lines that a mistake changes marked.
    pub fn blocks(&self, progress: &Progress) -> Vec<Block> {
        let shown = &self.page().blocks[..self.blocks_shown(progress)];
        let mut folder = Folder::new(self.lesson(), self.front_end, progress);
        folder.broken = broken(self.lesson(), self.session.settings());
        if folder.exercises.is_empty() && folder.broken.is_none() {
            shown.to_vec()
        } else {
            folder.blocks(shown)
        }
    }

    /// The lines of code that the mistake that is on changes, unless they would give an untried exercise away.
    pub fn changed_lines(&self, progress: &Progress) -> Option<&'static str> {
        let (exercise, name) = broken(self.lesson(), self.session.settings())?;
        let change = exercise.change(name)?;
        exercise
            .done(progress)
            .sees_the_code()
            .then_some(change.diff)
    }

    /// Text shown instead of the code at `source`, if that code is folded.
    pub fn fold(&self, source: &SourceRef, progress: &Progress) -> Option<String> {
        Folder::new(self.lesson(), self.front_end, progress).sentence(source)
    }
}

fn folded<'a>(lesson: &'a Lesson, progress: &Progress) -> Vec<&'a Exercise> {
    let all = lesson.exercises();
    all.filter(|exercise| !exercise.done(progress).sees_the_code())
        .collect()
}

/// The core exercise, and which of its mistakes is on.
fn broken<'a>(lesson: &'a Lesson, settings: &Settings) -> Option<(&'a Exercise, &'static str)> {
    let exercise = lesson.exercise.as_ref()?;
    let mut on = settings.mistakes();
    let name = on.find(|name| exercise.change(name).is_some())?;
    Some((exercise, name))
}

/// Puts sentences in place of code that gives an exercise away.
struct Folder<'a> {
    /// Exercises whose code is folded.
    exercises: Vec<&'a Exercise>,
    /// Exercise and mistake whose changed lines are marked.
    broken: Option<(&'a Exercise, &'static str)>,
    /// How the learner gets to write and to see the code.
    how: String,
}

impl<'a> Folder<'a> {
    fn new(lesson: &'a Lesson, front_end: FrontEnd, progress: &Progress) -> Self {
        let how = "[Write it](do:exercise), or [ask for hints](do:hint): after the last one, you see the code. If you don't write Rust, read on.";
        Self {
            exercises: folded(lesson, progress),
            broken: None,
            how: unmarked(&lesson.says(how, front_end)),
        }
    }

    /// Text that replaces the code at `source`; `None` if it gives no exercise away.
    fn sentence(&self, source: &SourceRef) -> Option<String> {
        let mut all = self.exercises.iter();
        let exercise = all.find(|exercise| exercise.is_given_away_at(source))?;
        let own = exercise.reference().ok().and_then(|(_, source)| source);
        let what = if own.is_some_and(|own| own.overlaps(source)) {
            "what"
        } else {
            "another form of what"
        };
        let (name, how) = (exercise.name, &self.how);
        Some(format!(
            "The code at {source} is {what} you write in the exercise {name}. It appears here after your first try. {how}"
        ))
    }

    /// The code with the changed lines of the mistake that is on.
    fn marked(&self, code: &Code) -> Option<Code> {
        let ((exercise, name), source) = (self.broken?, code.source.as_ref()?);
        Some(Code {
            lang: "diff".to_owned(),
            text: exercise.marked(&code.text, source, name)?,
            source: code.source.clone(),
        })
    }

    /// The same blocks, with a sentence in place of code that shows a reference.
    fn blocks(&self, blocks: &[Block]) -> Vec<Block> {
        blocks.iter().map(|block| self.block(block)).collect()
    }

    fn block(&self, block: &Block) -> Block {
        match block {
            Block::Code(code) => {
                match code
                    .source
                    .as_ref()
                    .and_then(|source| self.sentence(source))
                {
                    Some(sentence) => callout(sentence),
                    None => Block::Code(self.marked(code).unwrap_or_else(|| code.clone())),
                }
            }
            Block::Quote(blocks) => Block::Quote(self.blocks(blocks)),
            Block::Callout { kind, blocks } => Block::Callout {
                kind: *kind,
                blocks: self.blocks(blocks),
            },
            Block::Footnote { label, blocks } => Block::Footnote {
                label: label.clone(),
                blocks: self.blocks(blocks),
            },
            Block::List(list) => {
                let mut list = list.clone();
                for item in &mut list.items {
                    item.blocks = self.blocks(&item.blocks);
                }
                Block::List(list)
            }
            other => other.clone(),
        }
    }
}

fn callout(text: String) -> Block {
    Block::Callout {
        kind: CalloutKind::Try,
        blocks: vec![Block::sentence(text)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::LESSONS;
    use crate::lesson::Kind;
    use crate::testing::assert_contains;

    /// All text of the pages as `folder` leaves them.
    fn text_of(lesson: &Lesson, folder: &Folder) -> String {
        let pages = lesson.pages().unwrap();
        let shown = pages.iter().map(|page| {
            let blocks = format!("{:?}", folder.blocks(&page.blocks));
            blocks.replace("\\n", "\n").replace("\\\"", "\"")
        });
        shown.collect()
    }

    /// All text of the pages, with every question answered.
    fn plain_pages(lesson: &Lesson, progress: &Progress) -> String {
        text_of(lesson, &Folder::new(lesson, FrontEnd::Screen, progress))
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
            let before = plain_pages(lesson, &Progress::default());
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
                let after = plain_pages(lesson, &progress);
                let says = format!("what you write in the exercise {}.", exercise.name);
                assert!(!after.contains(&says), "{unfold}");
            }
        }
    }

    #[test]
    fn lines_that_a_mistake_changes_are_marked_where_the_code_is_shown() {
        let lesson = crate::curriculum::find("attention").unwrap();
        let settings = lesson.settings(&[("break", "no-scale")]).unwrap();
        let shown = |progress: &Progress| {
            let mut folder = Folder::new(lesson, FrontEnd::Screen, progress);
            folder.broken = broken(lesson, &settings);
            text_of(lesson, &folder)
        };
        let lines = "-    let scaled = scores.scale(1.0 / d_k.sqrt()).named(\"scaled\");\n";
        assert!(!shown(&Progress::default()).contains("let scaled"));
        let mut tried = Progress::default();
        lesson.exercise().unwrap().done_mut(&mut tried).attempts = 1;
        let shown = shown(&tried);
        let (_, after) = shown.split_once(lines).expect("the line that goes");
        assert!(
            after
                .trim_start()
                .starts_with("+    let scaled = scores;\n"),
            "{after}"
        );
    }

    #[test]
    fn another_form_of_the_reference_is_folded_with_it() {
        let lesson = crate::curriculum::find("adam").unwrap();
        let kernel = "*x -= s.rate * (*m / s.correction1)";
        assert!(!plain_pages(lesson, &Progress::default()).contains(kernel));
        let mut tried = Progress::default();
        for exercise in lesson.exercises() {
            exercise.done_mut(&mut tried).attempts = 1;
        }
        assert!(plain_pages(lesson, &tried).contains(kernel));
    }

    #[test]
    fn a_hint_after_the_last_shows_the_code() {
        let mut done = crate::lesson::progress::Done::default();
        for hints in 1..=4 {
            done.take_hint(4);
            assert_eq!((done.hints, done.sees_the_code()), (hints, false));
        }
        done.take_hint(4);
        assert_eq!((done.hints, done.sees_the_code()), (4, true));
    }

    #[test]
    fn a_folded_block_says_what_it_is_and_how_to_unfold_it() {
        let lesson = crate::curriculum::find("attention").unwrap();
        let words = plain_pages(lesson, &Progress::default());
        let line = words
            .lines()
            .find(|line| line.contains("is what you write in the exercise"));
        let line = line.expect("a folded block");
        assert!(line.contains("src/engine/nn/attention.rs:"), "{line}");
        assert_contains(&line, "Write it (press x), or ask for hints (press H)");
    }
}
