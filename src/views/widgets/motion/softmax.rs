//! Animation of a softmax: the scores of a row become exponentials, which are divided by their sum.

use ratatui::buffer::Buffer;

use super::Canvas;
use super::strip::{Frame, MORE, Row, more_label};
use super::time::{eased, segment_progress};
use crate::autograd::Nature;
use crate::typeset::number::short;
use crate::widgets::lines::{clip, put, width};
use crate::widgets::painter::Painter;

/// Lines for words, scores, exponentials and probabilities.
pub(super) const LINES: u16 = 4;

/// Width of the sum, and of the note on numbers that do not fit.
const TAIL: u16 = MORE;

/// One row of a softmax.
pub struct Softmax {
    scores: Row,
    exponentials: Row,
    shares: Row,
    /// One word per column; empty if there are none.
    words: Vec<String>,
    /// Column of the cursor.
    column: usize,
    /// Name of the row: `row 2 "dog"`.
    row: String,
    most: f32,
    sum: f32,
}

impl Softmax {
    /// Creates the animation from a row of scores and the softmax's output for it.
    pub fn new(
        scores: Vec<f32>,
        shares: Vec<f32>,
        words: Vec<String>,
        column: usize,
        row: String,
    ) -> Self {
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exponentials: Vec<f32> = scores.iter().map(|x| (x - most).exp()).collect();
        Self {
            sum: exponentials.iter().sum(),
            scores: Row::new("score", scores, Nature::Signed),
            exponentials: Row::new("exp", exponentials, Nature::Probability),
            shares: Row::new("/ sum", shares, Nature::Probability),
            words,
            column,
            row,
            most,
        }
    }

    pub(super) fn caption(&self) -> String {
        format!(
            "{}: subtract the largest score ({}), take exp, divide by the sum ({}). The row then sums to 1.",
            self.row,
            short(self.most, 7),
            short(self.sum, 7)
        )
    }

    pub(super) fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        let theme = canvas.theme;
        let rows = [&self.scores, &self.exponentials, &self.shares];
        let count = self.scores.values.len();
        let names = rows.map(|row| row.name.as_str());
        let frame = Frame::with_tail(canvas.band, names, count, self.column, TAIL);
        for (slot, n) in frame.shown().enumerate() {
            if let Some(word) = self.words.get(n) {
                let place = frame.place(slot, 0);
                let word = clip(word, usize::from(frame.wide) - 1, theme.glyphs().more);
                let x = usize::from(frame.wide) - 1 - width(&word);
                put(buf, place, x, 0, &word, theme.dim);
            }
        }
        frame.tail(&more_label(&frame, count), 0, theme.dim, buf);
        // Fill one line after the other, from left to right.
        let shown = frame.shown();
        let begin = [0.0, 0.2, 0.52];
        for ((row, from), line) in rows.into_iter().zip(begin).zip(1..) {
            let there = shown.start
                + (segment_progress(progress, from, from + 0.16) * frame.slots as f32).ceil()
                    as usize;
            if progress > from {
                frame.name(&row.name, line, buf, theme);
                frame.draw(row, (0, line), |n| n < there, buf, theme);
            }
        }
        if progress >= 0.4 {
            let sum = format!("{} {}", theme.glyphs().sum, short(self.sum, 7));
            frame.tail(&theme.words(&sum), 2, theme.note, buf);
        }
        let landed = progress >= 0.84;
        let own = canvas.board.here().0;
        canvas.reveal_row(landed, segment_progress(progress, 0.86, 1.0), buf);
        if progress >= 0.7
            && !landed
            && let Some(target) = canvas
                .board
                .place((own, frame.first))
                .or_else(|| canvas.board.row(own))
        {
            let t = eased(progress, 0.7, 0.84);
            let mut painter = Painter {
                area: canvas.full_area(),
                buf,
                theme,
            };
            frame.fly(&self.shares, 3, target, t, &mut painter);
        }
    }
}
