//! Animation of two rows combined cell by cell, as in a residual addition.

use ratatui::buffer::Buffer;

use super::Canvas;
use super::strip::{Frame, Row, more_label};
use super::time::{between, eased, segment_progress};
use crate::typeset::number::short;
use crate::widgets::painter::Painter;

/// Lines for the two rows and the result.
pub(super) const LINES: u16 = 3;

/// One row of two tensors of the same shape.
pub struct Meet {
    left: Row,
    right: Row,
    result: Row,
    sign: &'static str,
    column: usize,
    /// Name of the row: `row 2 "dog"`.
    row: String,
}

impl Meet {
    /// The rows of two tensors and of the result, with the `sign` of the operation. The cursor is in `column`.
    pub fn new(
        left: Row,
        right: Row,
        result: Row,
        sign: &'static str,
        column: usize,
        row: String,
    ) -> Self {
        let name = format!("{sign} {}", right.name);
        let (right, result) = (right.renamed(name), result.renamed("="));
        Self {
            left,
            right,
            result,
            sign,
            column,
            row,
        }
    }

    pub(super) fn caption(&self) -> String {
        let cell = |row: &Row| short(row.values[self.column], 7);
        let right = match cell(&self.right) {
            // Two signs in a row are hard to read.
            right if right.starts_with('−') => format!("({right})"),
            right => right,
        };
        format!(
            "{}, cell by cell: {} {} {right} = {} in column {}.",
            self.row,
            cell(&self.left),
            self.sign,
            cell(&self.result),
            self.column,
        )
    }

    pub(super) fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        let theme = canvas.theme;
        let rows = [&self.left, &self.right, &self.result];
        let count = self.result.values.len();
        let names = rows.map(|row| row.name.as_str());
        let frame = Frame::new(canvas.band, names, count, self.column);
        let far = i32::from(canvas.band.width);
        let left = between(-far, 0, eased(progress, 0.0, 0.28));
        let right = between(far, 0, eased(progress, 0.0, 0.28));
        frame.name(&self.left.name, 0, buf, theme);
        frame.name(&self.right.name, 1, buf, theme);
        frame.draw(&self.left, (left, 0), |_| true, buf, theme);
        frame.draw(&self.right, (right, 1), |_| true, buf, theme);
        let there = frame.first
            + (segment_progress(progress, 0.32, 0.58) * frame.slots as f32).ceil() as usize;
        if progress > 0.32 {
            frame.name(&self.result.name, 2, buf, theme);
            frame.draw(&self.result, (0, 2), |n| n < there, buf, theme);
            frame.tail(&more_label(&frame, count), 2, theme.dim, buf);
        }
        let landed = progress >= 0.8;
        let own = canvas.board.here().0;
        canvas.reveal_row(landed, segment_progress(progress, 0.84, 1.0), buf);
        if progress >= 0.62
            && !landed
            && let Some(target) = canvas
                .board
                .place((own, frame.first))
                .or_else(|| canvas.board.row(own))
        {
            let t = eased(progress, 0.62, 0.8);
            let mut painter = Painter {
                area: canvas.full_area(),
                buf,
                theme,
            };
            frame.fly(&self.result, 2, target, t, &mut painter);
        }
    }
}
