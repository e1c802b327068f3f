//! A table as a list, for panes in which columns would break words and numbers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{rows_seen, window};
use crate::widgets::lines::{clip, put, wrap};
use crate::widgets::theme::Theme;

/// Draws each row as lines `header: cell`.
pub fn draw(
    (header, rows): (&[String], &[Vec<String>]),
    at: usize,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let (room, high) = (usize::from(area.width), usize::from(area.height));
    let lists: Vec<Vec<String>> = rows.iter().map(|row| listed(header, row, room)).collect();
    let heights: Vec<usize> = lists.iter().map(|list| list.len() + 1).collect();
    // The last needs no blank line below it.
    let seen = window(&heights, at, high + 1);
    let scrolls = seen.len() < rows.len();
    let mut y = 0;
    for n in seen.clone() {
        for line in &lists[n] {
            let here = scrolls && n == at;
            let style = if here { theme.cursor } else { theme.text };
            put(buf, area, 0, y, line, style);
            y += 1;
        }
        y += 1;
    }
    if scrolls && high > 1 {
        put(buf, area, 0, high - 1, &" ".repeat(room), theme.dim);
        let note = rows_seen(&seen, rows.len(), theme);
        let note = clip(&note, room, theme.glyphs().more);
        put(buf, area, 0, high - 1, &note, theme.dim);
    }
}

/// The lines of a row without columns.
pub fn listed(header: &[String], row: &[String], room: usize) -> Vec<String> {
    let cells = header.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
    let texts = cells.map(|(name, cell)| match name.is_empty() {
        true => cell.trim_start().to_owned(),
        false => format!("{name}: {cell}"),
    });
    texts.flat_map(|text| wrap(&text, room)).collect()
}
