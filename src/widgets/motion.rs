//! How the result of an operation comes about, as a short movement over the numbers of the run. A movement is plain
//! data; [`Motion::draw`] is a function of it and of how far it is, so a frame costs what it draws.
//!
//! The result stands where it will stand at the end, its cells still hidden. Below it, in a band of some lines, the
//! operands meet; what comes of them goes to its place.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::heatmap::Board;
use super::theme::Theme;

mod broadcast;
mod dot;
mod heads;
mod lookup;
mod mask;
mod meet;
mod norm;
mod shift;
mod softmax;
mod strip;
mod time;

pub use broadcast::{Along, Broadcast};
pub use dot::Dot;
pub use heads::{Arrangement, Heads};
pub use lookup::Lookup;
pub use mask::Mask;
pub use meet::Meet;
pub use norm::Norm;
pub use shift::Shift;
pub use softmax::Softmax;
pub use strip::Row;

/// A movement, one kind for each way in which a result comes about.
pub enum Motion {
    /// A row of a matrix is copied to its place.
    Lookup(Lookup),
    /// One row or column repeats over the other tensor.
    Broadcast(Broadcast),
    /// A row meets a row or a column: products, and their sum.
    Dot(Dot),
    /// Scores become exponentials, then shares of their sum.
    Softmax(Softmax),
    /// A mask falls over scores.
    Mask(Mask),
    /// Columns part into heads, or join.
    Heads(Heads),
    /// Two rows meet cell by cell.
    Meet(Meet),
    /// A row is shifted to mean 0, then scaled.
    Norm(Norm),
    /// Every row goes one position on.
    Shift(Shift),
}

/// Where a movement is drawn.
pub struct Stage<'a> {
    /// The result, drawn in its place.
    pub board: &'a Board,
    /// The lines below it.
    pub band: Rect,
    /// The colours.
    pub theme: &'a Theme,
}

impl Motion {
    /// How many frames it has: two to five seconds, as much as there is to read on its way.
    pub fn frames(&self) -> usize {
        match self {
            Self::Lookup(_) => 50,
            Self::Broadcast(_) => 44,
            Self::Dot(_) => 76,
            Self::Softmax(_) => 84,
            Self::Mask(_) => 40,
            Self::Heads(_) => 44,
            Self::Meet(_) => 60,
            Self::Norm(_) => 72,
            Self::Shift(_) => 40,
        }
    }

    /// What moves, in words, with the numbers of the run.
    pub fn caption(&self) -> String {
        match self {
            Self::Lookup(motion) => motion.caption(),
            Self::Broadcast(motion) => motion.caption(),
            Self::Dot(motion) => motion.caption(),
            Self::Softmax(motion) => motion.caption(),
            Self::Mask(motion) => motion.caption(),
            Self::Heads(motion) => motion.caption(),
            Self::Meet(motion) => motion.caption(),
            Self::Norm(motion) => motion.caption(),
            Self::Shift(motion) => motion.caption(),
        }
    }

    /// The lines that the band below the result has.
    pub fn lines(&self) -> u16 {
        match self {
            Self::Lookup(_) => lookup::LINES,
            Self::Dot(_) => dot::LINES,
            Self::Softmax(_) => softmax::LINES,
            Self::Meet(_) => meet::LINES,
            Self::Norm(_) => norm::LINES,
            Self::Broadcast(_) => broadcast::LINES,
            Self::Mask(_) | Self::Heads(_) | Self::Shift(_) => 0,
        }
    }

    /// Draws it over the finished result, at `progress` from 0 to 1.
    pub fn draw(&self, progress: f32, stage: &Stage<'_>, buf: &mut Buffer) {
        match self {
            Self::Lookup(motion) => motion.draw(progress, stage, buf),
            Self::Broadcast(motion) => motion.draw(progress, stage, buf),
            Self::Dot(motion) => motion.draw(progress, stage, buf),
            Self::Softmax(motion) => motion.draw(progress, stage, buf),
            Self::Mask(motion) => motion.draw(progress, stage, buf),
            Self::Heads(motion) => motion.draw(progress, stage, buf),
            Self::Meet(motion) => motion.draw(progress, stage, buf),
            Self::Norm(motion) => motion.draw(progress, stage, buf),
            Self::Shift(motion) => motion.draw(progress, stage, buf),
        }
    }
}

impl Stage<'_> {
    /// Hides the cells that are not there yet: all but the one followed, or its row, until that has `landed`; then the
    /// others appear in the order of reading, `rest` of them from 0 to 1.
    fn reveal(
        &self,
        own: impl Fn((usize, usize)) -> bool,
        landed: bool,
        rest: f32,
        buf: &mut Buffer,
    ) {
        let cells: Vec<((usize, usize), Rect)> = self.board.cells().collect();
        let there = (cells.len() as f32 * rest) as usize;
        let columns = self.board.size().1;
        let last_row = cells.get(there).map_or(usize::MAX, |((row, _), _)| *row);
        for (place, (cell, rect)) in cells.iter().enumerate() {
            if place >= there && !(landed && own(*cell)) {
                self.board.hide(*rect, buf, self.theme);
            }
        }
        // A row has its sum when all of it is there.
        let whole = |row: usize| row < last_row || (landed && (0..columns).all(|c| own((row, c))));
        self.board.hide_sums(whole, buf, self.theme);
    }

    /// [`Stage::reveal`], where the row of the cell followed lands as a whole.
    fn reveal_row(&self, landed: bool, rest: f32, buf: &mut Buffer) {
        let own = self.board.here().0;
        self.reveal(|(row, _)| row == own, landed, rest, buf);
    }

    /// Everything that a flying cell may cross.
    fn whole(&self) -> Rect {
        self.board.area().union(self.band)
    }
}
