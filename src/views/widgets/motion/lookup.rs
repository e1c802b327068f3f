//! Animation of an embedding lookup: a row leaves a matrix and lands in its place.

use ratatui::buffer::Buffer;

use super::Canvas;
use super::strip::{Frame, Row, more_label};
use super::time::{between, eased, segment_progress};
use crate::autograd::Nature;
use crate::tensor::Tensor;
use crate::widgets::painter::Painter;

/// Lines for some rows of the matrix around the one looked up.
pub(super) const LINES: u16 = 5;

/// A row of a matrix, looked up by its number.
pub struct Lookup {
    /// `[rows, columns]`.
    pub matrix: Tensor,
    /// Number of the row that is copied.
    pub id: usize,
    /// Position in the result that it is copied to.
    pub position: usize,
    /// The token in quotes, if there is one.
    pub token: String,
    /// Name of the matrix.
    pub name: String,
}

impl Lookup {
    pub(super) fn caption(&self) -> String {
        let (rows, columns) = (self.matrix.shape()[0], self.matrix.last());
        let token = if self.token.is_empty() {
            "The token".to_owned()
        } else {
            self.token.clone()
        };
        format!(
            "{token} has id {id}: row {id} of {} ({rows} × {columns}) is copied to position {}.",
            self.name,
            self.position,
            id = self.id,
        )
    }

    /// Row `n`, named by its number.
    fn row(&self, n: usize) -> Row {
        let columns = self.matrix.last();
        let values = &self.matrix.data()[n * columns..(n + 1) * columns];
        // No screen has room for more.
        let values = values[..columns.min(SHOWN)].to_vec();
        Row::new(n.to_string(), values, Nature::Signed)
    }

    pub(super) fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        let theme = canvas.theme;
        let (rows, columns) = (self.matrix.shape()[0], self.matrix.last());
        let widest = rows.saturating_sub(1).to_string();
        let frame = Frame::new(canvas.band, [widest.as_str()], columns, 0);
        // The matrix scrolls by until its row is in the middle.
        let middle = between(0, self.id as i32, eased(progress, 0.0, 0.3));
        let arrived = progress >= 0.3;
        let wanted = LINES / 2;
        for line in 0..LINES {
            let n = middle + i32::from(line) - i32::from(wanted);
            let Some(n) = usize::try_from(n).ok().filter(|n| *n < rows) else {
                continue;
            };
            let row = self.row(n);
            frame.name(&row.name, line, buf, theme);
            // Once the row is found, the others disappear.
            if !arrived || line == wanted {
                frame.draw(&row, (0, line), |_| true, buf, theme);
            }
            if arrived && line == wanted {
                frame.tail(&more_label(&frame, columns), line, theme.dim, buf);
            }
        }
        let landed = progress >= 0.8;
        let own = canvas.board.here().0;
        canvas.reveal_row(landed, segment_progress(progress, 0.84, 1.0), buf);
        if progress >= 0.42
            && !landed
            && let Some(target) = canvas.board.row(own)
        {
            let t = eased(progress, 0.42, 0.8);
            let mut painter = Painter {
                area: canvas.full_area(),
                buf,
                theme,
            };
            frame.fly(&self.row(self.id), wanted, target, t, &mut painter);
        }
    }
}

/// Maximum number of values drawn of a row.
const SHOWN: usize = 64;
