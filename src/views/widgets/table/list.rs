//! A table as a list, for panes in which columns would break words and numbers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{rows_seen, window};
use crate::widgets::lines::{put, width, wrap};
use crate::widgets::theme::Theme;

/// Draws each row as `header: cell` items, as many per line as fit. Rows are separated by an empty line if there is
/// room for all; otherwise each begins at the margin and its further lines are indented.
pub fn draw(
    (header, rows): (&[String], &[Vec<String>]),
    at: usize,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let (available, high) = (usize::from(area.width), usize::from(area.height));
    let lists = |indent: usize| -> Vec<Vec<String>> {
        let listed = rows
            .iter()
            .map(|row| listed(header, row, available, indent));
        listed.collect()
    };
    let apart = lists(0);
    // The last row needs no blank line below it.
    let all: usize = apart.iter().map(|list| list.len() + 1).sum();
    let (lists, gap) = if all <= high + 1 {
        (apart, 1)
    } else {
        (lists(INDENT), 0)
    };
    let heights: Vec<usize> = lists.iter().map(|list| list.len() + gap).collect();
    let seen = window(&heights, at, high + gap);
    let scrolls = seen.len() < rows.len();
    let mut y = 0;
    for n in seen.clone() {
        for line in &lists[n] {
            let here = scrolls && n == at;
            let style = if here { theme.cursor } else { theme.text };
            // If a single row is too high, draw its beginning.
            if y < high - usize::from(scrolls && high > 1) {
                put(buf, area, 0, y, line, style);
            }
            y += 1;
        }
        y += gap;
    }
    if scrolls && high > 1 {
        put(buf, area, 0, high - 1, &" ".repeat(available), theme.dim);
        let note = rows_seen(&seen, rows.len(), available, theme);
        put(buf, area, 0, high - 1, &note, theme.dim);
    }
}

/// Indentation of a row's further lines where no empty line separates it from the next.
pub const INDENT: usize = 2;

/// Lines of a row as a list; all but the first are indented by `indent` spaces.
pub fn listed(header: &[String], row: &[String], available: usize, indent: usize) -> Vec<String> {
    let cells = header.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
    let texts = cells.map(|(name, cell)| {
        if name.is_empty() {
            cell.trim_start().to_owned()
        } else {
            format!("{name}: {cell}")
        }
    });
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        let beside = lines.last().map(|line| width(line) + 2 + width(&text));
        match lines.last_mut() {
            Some(line) if beside.is_some_and(|wide| wide <= available) => {
                line.push_str("  ");
                line.push_str(&text);
            }
            last => {
                let indent = if last.is_some() { indent } else { 0 };
                let wrapped = wrap(&text, available.saturating_sub(indent).max(1));
                lines.extend(wrapped.into_iter().map(|line| " ".repeat(indent) + &line));
            }
        }
    }
    lines
}
