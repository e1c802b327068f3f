//! Animation of every row moving on by one position: the last drops out, and zeros come in at the front.

use ratatui::buffer::Buffer;

use super::Canvas;
use super::time::segment_progress;
use crate::tensor::Tensor;

/// A shift by one position.
pub struct Shift {
    /// The tensor before the shift: `[batch, length, d]`.
    pub before: Tensor,
    /// Index of the sentence shown.
    pub batch: usize,
    /// Caption: `position 3 now holds the vector of position 2`.
    pub says: String,
}

impl Shift {
    pub(super) fn caption(&self) -> String {
        format!(
            "Every vector goes one position on; the last falls out, and zeros come in front. {}",
            self.says
        )
    }

    pub(super) fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        let length = self.before.shape()[1];
        // Rows move from the last to the first, each to the place that the one before has left empty.
        let gone = (segment_progress(progress, 0.1, 1.0) * (length + 1) as f32) as usize;
        let empty = length as i64 - gone as i64;
        for ((row, column), place) in canvas.board.cells() {
            let here = row as i64;
            if here < empty || gone == 0 {
                let x = self.before.at(&[self.batch, row, column]);
                canvas.board.put(place, (x, false), buf, canvas.theme);
            } else if here == empty {
                canvas.board.hide(place, buf, canvas.theme);
            }
        }
    }
}
