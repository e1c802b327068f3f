//! Animation of a dot product: a row meets a row or a column, products appear, and their sum moves to its cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Canvas;
use super::strip::{Frame, Row, more_label, write};
use super::time::{between, eased, segment_progress};
use crate::autograd::Nature;
use crate::typeset::number::short;
use crate::widgets::lines::width;

/// Lines for the two rows, their products and the sum.
pub(super) const LINES: u16 = 4;

/// One cell of a matrix product.
pub struct Dot {
    left: Row,
    right: Row,
    products: Row,
    /// Partial sums: entry `n` is the sum of the first `n` products.
    sums: Vec<f32>,
    /// Value of the cell, summed in the engine's order.
    value: f32,
    /// Names of the factors: `query row 2 "dog" · key row 5 "Hund"`.
    factors: String,
    /// Name of the cell: `scores[0,2]`.
    result: String,
}

impl Dot {
    /// The dot product of two rows of equal length, whose sum is `value`. `factors` and `result` are their names.
    pub fn new(left: Row, right: Row, value: f32, factors: String, result: String) -> Self {
        let products: Vec<f32> = (left.values.iter().zip(&right.values))
            .map(|(a, b)| a * b)
            .collect();
        let mut sum = 0.0;
        let sums = [0.0].into_iter().chain(products.iter().map(|x| {
            sum += x;
            sum
        }));
        Self {
            sums: sums.collect(),
            left,
            right,
            products: Row::new("products", products, Nature::Signed),
            value,
            factors,
            result,
        }
    }

    pub(super) fn caption(&self) -> String {
        let products = match self.products.values.len() {
            1 => "1 product".to_owned(),
            n => format!("{n} products, their sum"),
        };
        format!(
            "{}: {products} is {} = {}.",
            self.factors,
            self.result,
            short(self.value, 8)
        )
    }

    pub(super) fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        let theme = canvas.theme;
        let count = self.products.values.len();
        let names = [&self.left.name, &self.right.name, &self.products.name];
        let frame = Frame::new(canvas.band, names.map(String::as_str), count, 0);
        let far = i32::from(canvas.band.width);
        // The two rows come in from both sides.
        let left = between(-far, 0, eased(progress, 0.0, 0.2));
        let right = between(far, 0, eased(progress, 0.05, 0.25));
        frame.name(&self.left.name, 0, buf, theme);
        frame.name(&self.right.name, 1, buf, theme);
        frame.draw(&self.left, (left, 0), |_| true, buf, theme);
        frame.draw(&self.right, (right, 1), |_| true, buf, theme);
        let summed = (segment_progress(progress, 0.28, 0.62) * count as f32).round() as usize;
        if summed > 0 {
            // The visible products appear in proportion to all products summed so far.
            let shown = summed * frame.slots / count;
            frame.name(&self.products.name, 2, buf, theme);
            frame.draw(&self.products, (0, 2), |n| n < shown.max(1), buf, theme);
            frame.tail(&more_label(&frame, count), 2, theme.dim, buf);
            frame.name(theme.glyphs().sum, 3, buf, theme);
        }
        let landed = progress >= 0.8;
        let whole = summed == count;
        let number = if whole { self.value } else { self.sums[summed] };
        let text = theme.words(&short(number, 8));
        let place = Rect {
            width: width(&text) as u16 + 2,
            ..frame.place(0, 3)
        };
        if summed > 0 && !whole {
            write(&format!(" {text} "), place, theme.text, canvas.band, buf);
            let of = format!("of {summed} of {count}");
            let after = Rect {
                x: place.right() + 1,
                width: width(&of) as u16,
                ..place
            };
            write(&of, after, theme.dim, canvas.band, buf);
        }
        let rest = segment_progress(progress, 0.84, 1.0);
        canvas.reveal(|cell| cell == canvas.board.here(), landed, rest, buf);
        if whole && !landed {
            let target = canvas.board.place(canvas.board.here()).unwrap_or(place);
            let t = eased(progress, 0.72, 0.8);
            let start = frame.leaving(place);
            // The sum stays below its products while a copy moves to its cell.
            write(&format!(" {text} "), place, theme.operand, canvas.band, buf);
            let flying = Rect {
                x: between(start.x.into(), target.x.into(), t) as u16,
                y: between(
                    start.y.into(),
                    i32::from(target.y + (target.height - 1) / 2),
                    t,
                ) as u16,
                ..place
            };
            if progress >= 0.72 {
                let style = theme.operand;
                write(&format!(" {text} "), flying, style, canvas.full_area(), buf);
            }
        }
    }
}
