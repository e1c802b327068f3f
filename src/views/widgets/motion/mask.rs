//! Animation of a mask moving down over scores, row by row.

use ratatui::buffer::Buffer;

use super::Canvas;
use super::time::segment_progress;
use crate::tensor::Tensor;
use crate::tensor::broadcast::source;
use crate::typeset::number::short;

/// Masking of one slice of scores.
pub struct Mask {
    /// Scores before masking: `[…, rows, columns]`.
    pub scores: Tensor,
    /// Mask with 1 where a score stays, broadcast to the scores' shape.
    pub mask: Tensor,
    /// Indices of the slice, before rows and columns.
    pub leading: Vec<usize>,
    /// Value written into blocked cells.
    pub fill: f32,
    /// Number of blocked cells in the slice, and number of all its cells.
    pub blocked: (usize, usize),
}

impl Mask {
    pub(super) fn caption(&self) -> String {
        let (blocked, all) = self.blocked;
        format!(
            "The mask blocks {blocked} of {all} cells. They get {}, so the softmax will give them 0.",
            short(self.fill, 8)
        )
    }

    fn at(&self, row: usize, column: usize) -> (f32, bool) {
        let index = [&self.leading[..], &[row, column]].concat();
        let open = self.mask.at(&source(&self.mask, &index)) != 0.0;
        (self.scores.at(&index), !open)
    }

    pub(super) fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        let theme = canvas.theme;
        let rows: Vec<usize> = canvas.board.cells().map(|((row, _), _)| row).collect();
        let (Some(&first), Some(&last)) = (rows.first(), rows.last()) else {
            return;
        };
        // First show the scores for a moment.
        let fallen = segment_progress(progress, 0.12, 0.95) * (last + 1 - first) as f32;
        let edge = first + fallen as usize;
        let falls = progress > 0.12 && edge <= last;
        for ((row, column), place) in canvas.board.cells() {
            let (score, blocked) = self.at(row, column);
            if row > edge || (row == edge && !falls) {
                // Cells that will be blocked later still show their scores.
                if blocked {
                    canvas.board.put(place, (score, false), buf, theme);
                }
            } else if row == edge {
                // Draw the mask's own row at its present position.
                let (style, mark) = if blocked {
                    (theme.blocked, theme.glyphs().blocked)
                } else {
                    (theme.open, "1")
                };
                let wide = usize::from(place.width);
                super::strip::write(
                    &format!("{mark:^wide$}"),
                    place,
                    style,
                    canvas.board.area(),
                    buf,
                );
            }
        }
        canvas.board.hide_sums(|row| row <= edge, buf);
    }
}
