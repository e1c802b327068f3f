//! Mouse targets and scroll extents of the last frame.

use super::command::Action;

/// The panes, in the order of Tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// The text.
    Read,
    /// The tensor or picture.
    Stage,
    /// Why the cell is what it is; while none is asked about, the run: steps, pictures, knobs, mistakes.
    Why,
}

/// Something on the screen that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A pane, whatever stands in it.
    Pane(Pane),
    /// A lesson of the list.
    Lesson(usize),
    /// An entry of the run's list.
    Entry(usize),
    /// An option of a question.
    Answer(usize),
    /// Something found by palette or search.
    Found(usize),
    /// A term of the cell asked about.
    Term(usize),
    /// The drawing of what is looked at; whether a list of the run stands beside it.
    Stage(bool),
    /// A term of the glossary, by its place there.
    Glossary(usize),
    /// A symbol of the page's formulas, by its place in [`of_page`](crate::lesson::symbols::of_page).
    Symbol(usize),
    /// What a command does.
    Act(Action),
}

/// The lines of a text, and how many rows show some of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The first line that is shown.
    pub first: usize,
    /// All lines.
    pub lines: usize,
    /// The rows that show them.
    pub rows: usize,
}

impl Shown {
    /// The last line that a text can begin with.
    pub fn last(self) -> usize {
        self.lines.saturating_sub(self.rows)
    }
}
