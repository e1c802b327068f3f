//! Animation of a row or column repeated over the other tensor.

use ratatui::buffer::Buffer;

use super::Canvas;
use super::strip::{Frame, Row, more_label};
use super::time::segment_progress;
use crate::tensor::Tensor;
use crate::tensor::broadcast::source;
use crate::widgets::lines::put;

/// One line, for the row or column that repeats.
pub(super) const LINES: u16 = 1;

/// Direction in which something repeats over a slice of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// One row, over all rows.
    Rows,
    /// One column, over all columns.
    Columns,
    /// The whole matrix, over the batch or the heads: the animation shows it once.
    Slices,
}

/// A smaller tensor broadcast over a larger one.
pub struct Broadcast {
    /// The larger tensor; `None` if the smaller one is the only operand.
    pub larger: Option<Tensor>,
    /// The tensor that repeats.
    pub smaller: Tensor,
    /// The row or column that repeats, as one line.
    pub line: Row,
    /// Indices of the slice, before rows and columns.
    pub leading: Vec<usize>,
    /// Direction of the repetition.
    pub along: Along,
    /// Sign of the operation, `+` or `×`; empty if there is none.
    pub sign: &'static str,
    /// Caption: `bias (256): the same row is added to each of 11 rows`.
    pub says: String,
}

impl Broadcast {
    pub(super) fn caption(&self) -> String {
        self.says.clone()
    }

    pub(super) fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        let theme = canvas.theme;
        let count = self.line.values.len();
        let frame = Frame::new(canvas.band, [self.line.name.as_str()], count, 0);
        frame.name(&self.line.name, 0, buf, theme);
        frame.draw(&self.line, (0, 0), |_| true, buf, theme);
        frame.tail(&more_label(&frame, count), 0, theme.dim, buf);
        let cells: Vec<_> = canvas.board.cells().collect();
        let line = |(row, column): (usize, usize)| match self.along {
            Along::Columns => column,
            Along::Rows | Along::Slices => row,
        };
        let lines = cells.iter().map(|(cell, _)| line(*cell));
        let (Some(first), Some(last)) = (lines.clone().min(), lines.max()) else {
            return;
        };
        let passed = segment_progress(progress, 0.08, 0.96) * (last + 1 - first) as f32;
        let edge = first + passed as usize;
        for (cell, place) in cells {
            let index = [&self.leading[..], &[cell.0, cell.1]].concat();
            if line(cell) > edge {
                match &self.larger {
                    Some(larger) => {
                        let x = larger.at(&source(larger, &index));
                        canvas.board.put(place, (x, false), buf, theme);
                    }
                    None => canvas.board.hide(place, buf, theme),
                }
            } else if line(cell) == edge {
                let x = self.smaller.at(&source(&self.smaller, &index));
                canvas.board.put(place, (x, false), buf, theme);
                if self.along != Along::Columns && cell.1 == 0 {
                    let sign = if self.sign.is_empty() {
                        theme.glyphs().next
                    } else {
                        self.sign
                    };
                    // Written in the blank between the row's word and its first cell.
                    let (area, left) = (canvas.board.area(), place.x.saturating_sub(1));
                    if left >= area.x {
                        let at = (usize::from(left - area.x), usize::from(place.y - area.y));
                        put(buf, area, at.0, at.1, sign, theme.operand);
                    }
                }
            }
        }
        let whole = |row: usize| self.along != Along::Columns && row < edge;
        canvas.board.hide_sums(whole, buf);
    }
}
