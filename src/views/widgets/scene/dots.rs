//! Lines in braille dots, eight to a character, or in marks in ASCII and without colour.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::widgets::lines::put;
use crate::widgets::theme::Theme;

/// Marks that tell lines apart without colour.
pub const MARKS: [&str; 6] = ["*", "o", "+", "x", "#", "."];

/// Dots per cell: columns and rows.
pub fn grid(theme: &Theme) -> (usize, usize) {
    if theme.ascii || !theme.is_coloured() || !theme.braille {
        (1, 1)
    } else {
        (2, 4)
    }
}

/// Draws lines by the numbers of their series, with points as fractions of `plot`.
pub fn draw(lines: &[(usize, Vec<[f64; 2]>)], plot: Rect, buf: &mut Buffer, theme: &Theme) {
    let (across, down) = grid(theme);
    let (columns, rows) = (
        usize::from(plot.width) * across,
        usize::from(plot.height) * down,
    );
    if columns == 0 || rows == 0 {
        return;
    }
    let mut dots = vec![None; columns * rows];
    for (number, line) in lines {
        let mut before: Option<(f64, f64)> = None;
        for [right, below] in line {
            let point = (right * (columns - 1) as f64, below * (rows - 1) as f64);
            let (x, y) = before.unwrap_or(point);
            let (run, rise) = (point.0 - x, point.1 - y);
            let steps = run.abs().max(rise.abs()).ceil().max(1.0) as usize;
            for step in 0..=steps {
                let part = step as f64 / steps as f64;
                let column = (x + run * part).round() as usize;
                let row = (y + rise * part).round() as usize;
                dots[row.min(rows - 1) * columns + column.min(columns - 1)] = Some(*number);
            }
            before = Some(point);
        }
    }
    for row in 0..usize::from(plot.height) {
        for column in 0..usize::from(plot.width) {
            let dot = |right: usize, lower: usize| {
                dots[(row * down + lower) * columns + column * across + right]
            };
            if let Some((symbol, style)) = cell(dot, (across, down), theme) {
                put(buf, plot, column, row, &symbol, style);
            }
        }
    }
}

/// Symbol and style of one cell; `None` where no line passes.
fn cell(
    dot: impl Fn(usize, usize) -> Option<usize>,
    (across, down): (usize, usize),
    theme: &Theme,
) -> Option<(String, Style)> {
    let style = |number: usize| theme.series[number % theme.series.len()];
    if (across, down) == (1, 1) {
        let number = dot(0, 0)?;
        return Some((MARKS[number % MARKS.len()].to_owned(), style(number)));
    }
    // The bits of U+2800 number the left column 1 2 3 7 and the right one 4 5 6 8.
    const BITS: [[u32; 4]; 2] = [[0, 1, 2, 6], [3, 4, 5, 7]];
    let (mut bits, mut last) = (0, None);
    for (right, column) in BITS.iter().enumerate() {
        for (lower, bit) in column.iter().enumerate() {
            if let Some(number) = dot(right, lower) {
                bits |= 1 << bit;
                last = Some(number);
            }
        }
    }
    Some((char::from_u32(0x2800 + bits)?.to_string(), style(last?)))
}
