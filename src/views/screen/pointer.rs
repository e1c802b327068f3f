//! Mouse targets and scroll extents of the last frame.

use crate::command::Action;

/// The panes, in the order of Tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// The text.
    Read,
    /// The tensor or picture.
    Stage,
    /// Where a cell came from; if none is asked about, the run: steps, pictures, knobs, mistakes.
    Why,
}

/// Something on the screen that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A pane, whatever it shows.
    Pane(Pane),
    /// A part of the core path in the list.
    Part(usize),
    /// A lesson of the list.
    Lesson(usize),
    /// An entry of the run's list.
    Entry(usize),
    /// An option of a question.
    Answer(usize),
    /// Something found by palette or search.
    Hit(usize),
    /// A term of the cell asked about.
    Term(usize),
    /// The drawing on the stage.
    Stage,
    /// The name of a picture of the run.
    Picture(usize),
    /// A term of the glossary, by its index there.
    Glossary(usize),
    /// A symbol of the page's formulas, by its index in [`of_page`](crate::lesson::symbols::of_page).
    Symbol(usize),
    /// What a command does.
    Act(Action),
}

/// Visible part of a scrollable text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisibleLines {
    /// First line shown.
    pub first: usize,
    /// Number of lines.
    pub lines: usize,
    /// Number of rows that show them.
    pub rows: usize,
    /// The card that is shown, if the text is read a card at a time.
    pub card: Option<Card>,
}

/// Place of the card shown among those of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its number, from 0, and how many there are.
    pub place: (usize, usize),
    /// First lines of the card before it, of the one after it, and of the last one.
    pub before: usize,
    pub after: usize,
    pub last: usize,
}

impl VisibleLines {
    /// Last line that the visible part can start with.
    pub fn last(self) -> usize {
        let lines = self.lines.saturating_sub(self.rows);
        self.card.map_or(lines, |card| card.last)
    }
}
