//! Short animations of how an operation produces its result, over the numbers of the run.
//!
//! An animation is plain data, and [`Motion::draw`] is a function of it and its progress, so a frame costs only what it
//! draws. The result is drawn where it will be at the end, with its cells still hidden. In a band of some lines below
//! it, the operands meet, and what they produce moves to its place.

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

/// An animation, one kind for each way in which a result is produced.
pub enum Motion {
    /// A row of a matrix is copied to its place.
    Lookup(Lookup),
    /// One row or column is repeated over the other tensor.
    Broadcast(Broadcast),
    /// A row meets a row or a column: products, and their sum.
    Dot(Dot),
    /// Scores become exponentials, which are divided by their sum.
    Softmax(Softmax),
    /// A mask is applied to scores, row by row.
    Mask(Mask),
    /// Columns are split into heads, or joined.
    Heads(Heads),
    /// Two rows are combined cell by cell.
    Meet(Meet),
    /// A row is shifted to mean 0, then scaled.
    Norm(Norm),
    /// Every row moves on by one position.
    Shift(Shift),
}

/// Where an animation is drawn.
pub struct Canvas<'a> {
    /// The result, laid out in its place.
    pub board: &'a Board,
    /// The lines below the result.
    pub band: Rect,
    /// The theme to draw with.
    pub theme: &'a Theme,
}

impl Motion {
    /// Number of frames: two to five seconds, depending on how much there is to read.
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

    /// A sentence that explains the animation, with the numbers of the run.
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

    /// Height of the band below the result, in lines.
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

    /// Draws the animation over the finished result, at `progress` from 0 to 1.
    pub fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        match self {
            Self::Lookup(motion) => motion.draw(progress, canvas, buf),
            Self::Broadcast(motion) => motion.draw(progress, canvas, buf),
            Self::Dot(motion) => motion.draw(progress, canvas, buf),
            Self::Softmax(motion) => motion.draw(progress, canvas, buf),
            Self::Mask(motion) => motion.draw(progress, canvas, buf),
            Self::Heads(motion) => motion.draw(progress, canvas, buf),
            Self::Meet(motion) => motion.draw(progress, canvas, buf),
            Self::Norm(motion) => motion.draw(progress, canvas, buf),
            Self::Shift(motion) => motion.draw(progress, canvas, buf),
        }
    }
}

impl Canvas<'_> {
    /// Hides the cells that are not computed yet. The `own` cells, those being followed, appear once they have
    /// `landed`; then the others appear in reading order, as `rest` goes from 0 to 1.
    fn reveal(
        &self,
        own: impl Fn((usize, usize)) -> bool,
        landed: bool,
        rest: f32,
        buf: &mut Buffer,
    ) {
        let cells: Vec<((usize, usize), Rect)> = self.board.cells().collect();
        let shown = (cells.len() as f32 * rest) as usize;
        let columns = self.board.size().1;
        let last_row = cells.get(shown).map_or(usize::MAX, |((row, _), _)| *row);
        for (place, (cell, rect)) in cells.iter().enumerate() {
            if place >= shown && !(landed && own(*cell)) {
                self.board.hide(*rect, buf, self.theme);
            }
        }
        // A row shows its sum once all its cells are visible.
        let whole = |row: usize| row < last_row || (landed && (0..columns).all(|c| own((row, c))));
        self.board.hide_sums(whole, buf);
    }

    /// Calls [`Canvas::reveal`] with the whole row of the followed cell as its own cells.
    fn reveal_row(&self, landed: bool, rest: f32, buf: &mut Buffer) {
        let own = self.board.here().0;
        self.reveal(|(row, _)| row == own, landed, rest, buf);
    }

    /// The area that a flying cell may cross.
    fn full_area(&self) -> Rect {
        self.board.area().union(self.band)
    }
}
